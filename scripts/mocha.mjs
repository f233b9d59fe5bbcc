// Runs mocha, or something that runs mocha, and reads the counts that its reporter leaves.
import fs from 'node:fs';
import path from 'node:path';
import { run } from './child.mjs';
import { cacheDir, inModules, inRoot } from './paths.mjs';
import { patienceNow } from './patience.mjs';

/**
 * @typedef {object} MochaRun
 * @property {string} name
 * @property {string} runtime
 * @property {string} [folder] of test/, whose *.test.ts files mocha runs
 * @property {readonly string[]} [files] of the folder, as patterns of their names, in their order
 * @property {readonly string[]} [command] instead of mocha: a script and its arguments
 * @property {readonly string[]} [more] arguments for mocha
 * @property {Record<string, string>} [env]
 * @property {boolean} [setUpAgain] run once more, and said, where what prepares a suite has failed and no test: mocha's own retries leave that out
 * @property {RegExp} [ownTests] the test files that it reads; all files where it is absent
 * @property {readonly string[]} [programs] bundles that its tests run; any where it is absent
 * @property {number} [timeoutMs] on a quiet machine
 */

/**
 * @param {MochaRun} options
 * @returns {import('./steps.mjs').Step}
 */
export function mochaStep({
  name,
  runtime,
  folder,
  files = ['*.test.ts'],
  command,
  more = [],
  env = {},
  setUpAgain = false,
  ownTests,
  programs,
  timeoutMs = 1_800_000,
}) {
  const runOnce = async (/** @type {Record<string, string>} */ laneEnv) => {
    const countsFile = path.join(cacheDir, 'counts', `${name.replace(/\W+/g, '-')}.json`);
    fs.mkdirSync(path.dirname(countsFile), { recursive: true });
    fs.rmSync(countsFile, { force: true });
    const mocha = [
      inModules('mocha/bin/mocha.js'),
      ...['--reporter', inRoot('test', 'support', 'counts-reporter.cjs')],
      ...['--require', './test/support/patient-mocha.ts', ...more],
      ...files.map((pattern) => `test/${folder}/**/${pattern}`),
    ];
    const { code, output } = await run(runtime, command ?? mocha, {
      quiet: true,
      timeoutMs: timeoutMs * patienceNow(),
      env: {
        ...{ ...laneEnv, ...env },
        PROMPT_TABLES_COUNTS: countsFile,
        PROMPT_TABLES_TEST_PATIENCE: String(patienceNow()),
      },
    });
    /** @type {import('./steps.mjs').Counts & { setUps?: number }} */
    const counts = fs.existsSync(countsFile)
      ? JSON.parse(fs.readFileSync(countsFile, 'utf8'))
      : { passed: 0, failed: 0, skipped: 0 };
    if (counts.failed === 0 && code !== 0)
      return failure(counts, `${output}\nended with exit code ${code}`);
    if (counts.passed + counts.failed + counts.skipped === 0)
      return failure(counts, `${output}\nran no test`);
    return { counts, output };
  };
  const work = async (/** @type {Record<string, string>} */ laneEnv) => {
    const first = await runOnce(laneEnv);
    const { failed, setUps = 0 } = first.counts;
    if (!setUpAgain || setUps === 0 || failed > setUps) return first;
    const second = await runOnce(laneEnv);
    const before = first.output.replaceAll('FAILED: ', 'TRIED AGAIN: ');
    return { ...second, output: `${before.trimEnd()}\n${second.output}` };
  };
  const tests = files.map((file) => `test/${folder}/${file}`);
  return {
    ...{ name, work },
    ...(ownTests && { ownTests }),
    ...(programs && { reads: { tests, programs } }),
  };
}

/**
 * @param {import('./steps.mjs').Counts & { setUps?: number }} counts
 * @param {string} output
 */
const failure = (counts, output) => ({ counts: { ...counts, failed: counts.failed + 1 }, output });

/** @param {string} folder of test/ */
export const hasSuites = (folder) => suitesOf(folder).length > 0;

/**
 * Files of a folder of test/ and below it, the largest first: about the order of their times.
 * @param {string} folder
 * @param {RegExp} [pattern] of the path below the folder
 */
export function suitesOf(folder, pattern = /\.test\.ts$/) {
  if (!fs.existsSync(inRoot('test', folder))) return [];
  return fs
    .readdirSync(inRoot('test', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .map((file) => ({ file, size: fs.statSync(inRoot('test', folder, file)).size }))
    .sort((a, b) => b.size - a.size)
    .map(({ file }) => file);
}
