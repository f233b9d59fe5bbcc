// npm test -- path/of/one.test.ts: only the named files, each with what it needs: the product built,
// PostgreSQL, a browser, a VS Code. With --watch again whenever a source changes.
import fs from 'node:fs';
import path from 'node:path';
import { buildProduct } from './build.mjs';
import { findChromium } from './chromium.mjs';
import { mochaStep } from './mocha.mjs';
import { packageExtension } from './package-extension.mjs';
import { cacheDir, inRoot } from './paths.mjs';
import { startPostgres } from './postgres.mjs';
import { findRuntime } from './runtime.mjs';
import { say, Trouble } from './say.mjs';
import { closingLine, failedTitles, runSteps, sum } from './steps.mjs';
import { packagedOnce } from './unchanged.mjs';
import { installHost } from './vscode-host.mjs';
import { freePort } from './vscode-server.mjs';

/** @typedef {import('./steps.mjs').Counts} Counts */
/** @typedef {import('./steps.mjs').Step} Step */

const watched = ['src', 'test', 'esbuild.mjs'];
/** Several files are saved in one go, and an editor writes a file more than once. */
const settleMs = 300;

/** Arguments of mocha that every test in a browser runs with. */
export const browserArguments = [
  ...['--require', './test/support/host/shared.ts', '--timeout', '60000'],
];

/** The order of suites and tests is another one for each seed. */
export const shuffled = (/** @type {string | undefined} */ seed) =>
  seed === undefined ? {} : { PROMPT_TABLES_TEST_SHUFFLE: seed };

/** Where the built service and what is compiled lie, and PostgreSQL where there is one. */
/** @returns {Record<string, string>} */
export const serviceEnvironment = (/** @type {string | undefined} */ postgresUrl) => ({
  PROMPT_TABLES_TEST_SERVICE: inRoot('dist', 'service.mjs'),
  // Also for what the tests start: a source is stripped of its types once, not at every start.
  NODE_COMPILE_CACHE: path.join(cacheDir, 'compiled'),
  ...(postgresUrl !== undefined && { PROMPT_TABLES_TEST_POSTGRES: postgresUrl }),
});

/** A port and a profile of its own: a browser keeps compiled scripts by their address. */
export async function laneEnvironment(/** @type {string} */ name) {
  return {
    PROMPT_TABLES_TEST_PORT: String(await freePort()),
    PROMPT_TABLES_TEST_PROFILE: path.join(cacheDir, 'browser', name),
  };
}

/**
 * @param {readonly string[]} words paths of test files, from here or from the root
 * @param {{watch: boolean, grep: string | undefined, shuffle: string | undefined}} options
 * @returns {Promise<number>} how many failed
 */
export async function runFiles(words, { watch, grep, shuffle }) {
  const files = words.map(testFile);
  const runtime = findRuntime();
  const folders = new Set(files.map(({ folder }) => folder));
  const needsPostgres = folders.has('service') || folders.has('unit');
  const postgres = needsPostgres ? await startPostgres() : undefined;
  try {
    let failed = await runOnce({ files, runtime, postgresUrl: postgres?.url, grep, shuffle });
    if (!watch) return failed;
    for (;;) {
      say('\nWaiting for a change of a source (Ctrl-C ends this) ...');
      await nextChange();
      failed = await runOnce({ files, runtime, postgresUrl: postgres?.url, grep, shuffle }).catch(
        (/** @type {unknown} */ error) => {
          say(error instanceof Error ? error.message : String(error));
          return 1;
        },
      );
    }
  } finally {
    await postgres?.stop();
  }
}

/**
 * @param {object} options
 * @param {readonly {folder: string, file: string}[]} options.files
 * @param {string} options.runtime
 * @param {string | undefined} options.postgresUrl
 * @param {string | undefined} options.grep
 * @param {string | undefined} options.shuffle
 */
async function runOnce({ files, runtime, postgresUrl, grep, shuffle }) {
  const isWindow = files.some(
    ({ folder, file }) => folder === 'host' || (folder === 'browser' && /^vscode-/.test(file)),
  );
  if (files.some(({ folder }) => folder === 'browser' || folder === 'host')) await findChromium();
  if (isWindow) await installHost('latest');
  const vsix = isWindow ? await packagedOnce(packageExtension) : undefined;
  if (vsix === undefined) await buildProduct();
  const more = grep === undefined ? [] : ['--grep', grep];
  /** @type {Step[]} */
  const steps = [...new Set(files.map(({ folder }) => folder))].map((folder) => {
    const own = files.filter((one) => one.folder === folder).map(({ file }) => file);
    const name = `${folder}: ${own.length > 3 ? `${own.length} files` : own.join(', ')}`;
    if (folder === 'host') {
      const suites = own.map((file) => path.basename(file));
      const command = [inRoot('test', 'host', 'run.ts'), ...suites, ...more];
      return mochaStep({ name, runtime, command });
    }
    if (folder !== 'browser')
      return mochaStep({
        ...{ name, runtime, folder, files: own, more },
        env: { ...serviceEnvironment(postgresUrl), ...shuffled(shuffle) },
      });
    return mochaStep({
      ...{ name, runtime, folder, files: own, more: [...browserArguments, ...more] },
      env: {
        ...{ ...serviceEnvironment(undefined), ...shuffled(shuffle) },
        PROMPT_TABLES_TEST_PICTURES: 'kept',
        ...(vsix !== undefined && { PROMPT_TABLES_VSIX: vsix }),
      },
    });
  });
  const total = sum([await runSteps(steps, [{ env: await laneEnvironment('some') }])]);
  say(`${failedTitles(total)}${closingLine(total)}`);
  return total.failed;
}

/** @param {string} word */
function testFile(word) {
  const file = [path.resolve(word), inRoot(word)].find((place) => fs.existsSync(place));
  const parts = path.relative(inRoot('test'), file ?? '').split(path.sep);
  const [folder = '', ...rest] = parts;
  if (file === undefined || folder === '..' || rest.length === 0)
    throw new Trouble(`There is no test file ${word}.`, 'give its path, as test/unit/x.test.ts.');
  return { folder, file: rest.join('/') };
}

function nextChange() {
  return /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const watchers = watched.map((place) =>
        fs.watch(inRoot(place), { recursive: true }, () => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            for (const watcher of watchers) watcher.close();
            resolve();
          }, settleMs);
        }),
      );
    })
  );
}
