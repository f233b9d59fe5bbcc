// Which sources the tests of a step read: those that they import, and those that the programs are built
// of which they run. Where others have changed, the step need not be run again.
import fs from 'node:fs';
import path from 'node:path';
import { cacheDir, inRoot, root } from './paths.mjs';

/**
 * @typedef {object} Reads
 * @property {readonly string[]} tests by their paths below the root
 * @property {readonly string[]} programs names of bundles, as in esbuild.mjs
 */

const isSource = (/** @type {string} */ file) => file.startsWith('src/');

/**
 * @param {readonly string[]} tests
 * @returns {Promise<ReadonlySet<string>>} what they import, and what that imports
 */
async function importedBy(tests) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...tests],
    bundle: true,
    write: false,
    metafile: true,
    outdir: inRoot('.cache', 'imports'),
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.ttf': 'empty', '.sql': 'empty', '.css': 'empty', '.svg': 'empty' },
    logLevel: 'silent',
  });
  return new Set(Object.keys(metafile.inputs).filter(isSource));
}

/** Programs that are one build with others, by the folder of what they alone are made of. */
const partsOfProduct = /** @type {Readonly<Record<string, string>>} */ ({
  service: 'src/service/',
  sandbox: 'src/service/sandbox/',
  'mcp-server': 'src/core/assistant/',
});

/** @param {string} bundle @returns {Readonly<Record<string, { imports: readonly { path: string }[] }>>} */
const inputsOf = (bundle) =>
  JSON.parse(fs.readFileSync(path.join(cacheDir, 'meta', `${bundle}.json`), 'utf8')).inputs;

/**
 * @param {string} program
 * @returns {readonly string[]} what the last build has made it of
 */
function builtOf(program) {
  const folder = partsOfProduct[program];
  if (folder === undefined) return Object.keys(inputsOf(program)).filter(isSource);
  const inputs = inputsOf('product');
  const found = new Set(Object.keys(inputs).filter((file) => file.startsWith(folder)));
  for (const file of found)
    for (const { path: next } of inputs[file]?.imports ?? []) found.add(next);
  return [...found].filter(isSource);
}

/**
 * @param {Reads} reads
 * @returns {Promise<ReadonlySet<string>>}
 */
export async function sourcesOf({ tests, programs }) {
  return new Set([...(await importedBy(tests)), ...programs.flatMap(builtOf)]);
}
