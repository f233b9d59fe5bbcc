// node esbuild.mjs --watch: builds everything once, then, of what a person has saved, the bundles that
// hold it. Two lines around each build ("Building", "Watching") are what editors look for.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inRoot, root } from './paths.mjs';
import { say, seconds, Trouble } from './say.mjs';

/** Several files are saved in one go, and an editor writes a file more than once. */
const settleMs = 50;

/**
 * @typedef {object} Parts
 * @property {readonly import('../esbuild.mjs').Bundle[]} bundles
 * @property {typeof import('../esbuild.mjs').optionsOf} optionsOf
 * @property {typeof import('../esbuild.mjs').examine} examine
 */

/**
 * @typedef {object} Watched
 * @property {import('../esbuild.mjs').Bundle} bundle
 * @property {import('esbuild').BuildContext<{metafile: true}>} context
 * @property {ReadonlySet<string>} inputs of its last good build, from the root; none: never built
 * @property {boolean} isStale
 */

/** @param {Parts} parts */
export async function watch({ bundles, optionsOf, examine }) {
  const esbuild = await import('esbuild');
  fs.mkdirSync(inRoot('dist'), { recursive: true });
  /** @type {Watched[]} */
  const watched = await Promise.all(
    bundles.map(async (bundle) => ({
      bundle,
      context: await esbuild.context(optionsOf(bundle, { production: false })),
      inputs: new Set(),
      isStale: true,
    })),
  );
  let wake = () => {};
  const changed = (/** @type {string} */ file) => {
    for (const one of watched) {
      // One that failed may have failed because of any file.
      if (one.inputs.size === 0 || one.inputs.has(file)) one.isStale = true;
    }
    wake();
  };
  const watcher = fs.watch(inRoot('src'), { recursive: true }, (_event, name) => {
    if (name !== null) changed(path.posix.join('src', name.replaceAll('\\', '/')));
  });
  watcher.on('error', (error) => say(`  The sources can't be watched: ${error.message}`));
  for (;;) {
    const woken = new Promise((resolve) => (wake = () => resolve(undefined)));
    const stale = watched.filter(({ isStale }) => isStale);
    if (stale.length > 0) await buildAgain(stale, examine);
    if (watched.some(({ isStale }) => isStale)) continue;
    await woken;
    await pause(settleMs);
  }
}

/**
 * @param {readonly Watched[]} stale
 * @param {Parts['examine']} examine
 */
async function buildAgain(stale, examine) {
  const began = Date.now();
  say('Building ...');
  const built = await Promise.all(
    stale.map(async (one) => {
      // Whatever changes from here on is for the next time.
      one.isStale = false;
      try {
        const { metafile } = await one.context.rebuild();
        one.inputs = new Set(Object.keys(metafile.inputs));
        return examine(one.bundle, metafile, false);
      } catch (error) {
        one.inputs = new Set();
        // What a source has wrong, esbuild has said itself.
        return error instanceof Trouble
          ? `${error.message} FAILED`
          : `${one.bundle.outfile} FAILED`;
      }
    }),
  );
  say(
    `${built.join(', ')} in ${seconds(began)}.\nWatching ${path.relative(root, inRoot('src'))} ...`,
  );
}
