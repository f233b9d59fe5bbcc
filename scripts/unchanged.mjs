// A step that passed, and reads no file that has changed since, need not be run again: its counts are
// kept for a day. A fresh clone has none, and `npm test -- --all` asks for none.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from './child.mjs';
import { cacheDir, inRoot } from './paths.mjs';
import { findRuntime } from './runtime.mjs';
import { say } from './say.mjs';
import { sourcesOf } from './sources.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

const home = path.join(cacheDir, 'passed');
const validMs = 24 * 60 * 60 * 1000;
// What a person looks at and no suite but unit reads.
const forPeople = /^(docs\/|media\/(pictures|readme)\/|[^/]*\.md$|test\/bench\/results\.json$)/;
const isTest = (/** @type {string} */ file) => file.endsWith('.test.ts');

/**
 * @returns {Promise<(step: Step, beside?: readonly string[]) => Step>} makes a step that is not run
 *   where its result is known; `beside` is what else decides about it and is not in the checkout
 */
export async function unlessUnchanged() {
  const hashes = await hashesOfFiles();
  // Of the Node that runs the tests: once it is installed, it runs these scripts too.
  const runtimeVersion = execFileSync(findRuntime(), ['--version'], { encoding: 'utf8' }).trim();
  return (step, beside = []) => {
    if (hashes === undefined) return step;
    const { ownTests } = step;
    const keyNow = async () => {
      const sources = step.reads && (await sourcesOf(step.reads));
      const isRead = (/** @type {string} */ file) => {
        if (ownTests === undefined) return true;
        if (isTest(file)) return ownTests.test(file);
        return sources && file.startsWith('src/') ? sources.has(file) : !forPeople.test(file);
      };
      const read = [...hashes].filter(([file]) => isRead(file));
      return keyOf(read.flat(), [runtimeVersion, ...beside]);
    };
    const file = path.join(home, `${step.name.replace(/\W+/g, '-')}.json`);
    return {
      ...step,
      work: async (env) => {
        const key = await keyNow();
        const known = resultIn(file, key);
        if (known !== undefined) return { counts: known, output: '', isKnown: true };
        fs.rmSync(file, { force: true });
        const result = await step.work(env);
        const { passed, failed, skipped, again = [] } = result.counts;
        // What passed only at the second try is looked at again.
        if (failed > 0 || again.length > 0 || /TRIED AGAIN/.test(result.output)) return result;
        fs.mkdirSync(home, { recursive: true });
        fs.writeFileSync(file, JSON.stringify({ key, counts: { passed, failed, skipped } }));
        return result;
      },
    };
  };
}

/**
 * @param {string} file
 * @param {string} key
 * @returns {import('./steps.mjs').Counts | undefined}
 */
function resultIn(file, key) {
  const kept = fs.statSync(file, { throwIfNoEntry: false });
  if (kept === undefined || Date.now() - kept.mtimeMs > validMs) return undefined;
  const { key: before, counts } = JSON.parse(fs.readFileSync(file, 'utf8'));
  return before === key ? counts : undefined;
}

/**
 * The .vsix that was packaged of the same sources, where it and what was built beside it lie there as
 * they were left; otherwise a new one. Packaging is half a minute of work, and tests change more often
 * than what they test.
 * @param {() => Promise<string>} pack gives the path of a .vsix
 */
export async function packagedOnce(pack) {
  const hashes = await hashesOfFiles();
  const sources = [...(hashes ?? [])].filter(([file]) => !file.startsWith('test/'));
  const key = hashes && keyOf(sources.flat(), [process.version]);
  const stamp = path.join(home, 'packaged.json');
  const last = fs.existsSync(stamp) ? JSON.parse(fs.readFileSync(stamp, 'utf8')) : {};
  if (key !== undefined && last.key === key && last.left === stateOf(last.vsix)) {
    say('Packaged before, and nothing of it has changed since.');
    return /** @type {string} */ (last.vsix);
  }
  fs.rmSync(stamp, { force: true });
  const vsix = await pack();
  fs.mkdirSync(home, { recursive: true });
  if (key !== undefined)
    fs.writeFileSync(stamp, JSON.stringify({ key, vsix, left: stateOf(vsix) }));
  return vsix;
}

/**
 * Size and time of each built file, which other commands may have built anew.
 * @param {string} vsix
 */
function stateOf(vsix) {
  const built = fs.existsSync(inRoot('dist'))
    ? fs.readdirSync(inRoot('dist'), { recursive: true, encoding: 'utf8' }).toSorted()
    : [];
  return [vsix, ...built.map((file) => inRoot('dist', file))]
    .map((file) => {
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      return `${file} ${stat?.size} ${stat?.mtimeMs}`;
    })
    .join('\n');
}

/** @returns {Promise<ReadonlyMap<string, string> | undefined>} none outside of a git checkout */
async function hashesOfFiles() {
  const listed = await run('git', ['ls-files', '-z', '-co', '--exclude-standard'], { quiet: true });
  if (listed.code !== 0) return undefined;
  const files = listed.output.split('\0').filter((file) => file !== '');
  return new Map(
    files
      .toSorted()
      .filter((file) => fs.statSync(inRoot(file), { throwIfNoEntry: false })?.isFile())
      .map((file) => [
        file,
        createHash('sha256')
          .update(fs.readFileSync(inRoot(file)))
          .digest('hex'),
      ]),
  );
}

/**
 * @param {readonly string[]} parts
 * @param {readonly string[]} beside
 */
function keyOf(parts, beside) {
  const variables = Object.entries(process.env)
    .filter(([name]) => /^(PROMPT|VSCODE_|CHROMIUM_|DATABASE_URL|NODE_|HTTPS?_PROXY)/.test(name))
    .map(([name, value]) => `${name}=${value}`)
    .toSorted();
  const machine = [os.platform(), os.release(), os.arch()];
  return createHash('sha256')
    .update(JSON.stringify([parts, beside, variables, machine]))
    .digest('hex');
}
