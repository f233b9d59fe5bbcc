// The extension starts without what runs prompts and workflows and shows it, without open sheets and
// without what reads links, and loads that from files of its own. Which import leads to which file is
// decided by the file that is meant, never by how it is called: two files may have one name.
import path from 'node:path';
import { root } from './paths.mjs';

/**
 * @typedef {object} Apart
 * @property {Readonly<Record<string, string>>} files sources -> the file, beside the bundle, that is
 *   built of each
 * @property {readonly string[]} inside sources that are imported dynamically to be set up later; they
 *   stay in the bundle
 */

/**
 * What becomes of an import.
 * @param {Apart} apart
 * @param {object} wanted
 * @param {import('esbuild').ImportKind} wanted.kind
 * @param {string} wanted.importer both by their places below the root, with slashes
 * @param {string} wanted.file
 * @returns {{ external: string } | { error: string } | undefined} undefined: it stays inside
 */
export function placeOf({ files, inside }, { kind, importer, file }) {
  const external = Object.hasOwn(files, file) ? files[file] : undefined;
  const isDynamic = kind === 'dynamic-import';
  if (external !== undefined && isDynamic) return { external };
  if (external !== undefined) {
    return {
      error: `${importer} imports ${file}, which is a file of its own (${external}): import it with import().`,
    };
  }
  if (!isDynamic || inside.includes(file)) return undefined;
  return {
    error:
      `${importer} imports ${file} with import(), but nothing says what becomes of it. ` +
      'Add it in esbuild.mjs to the bundles of their own, or to what is inside.',
  };
}

const fromRoot = (/** @type {string} */ file) =>
  path.relative(root, file).split(path.sep).join(path.posix.sep);

/**
 * @param {Apart} apart
 * @returns {import('esbuild').Plugin}
 */
export const runsApart = (apart) => ({
  name: 'runs-apart',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path: wanted, importer, resolveDir }) => {
      const from = fromRoot(importer);
      if (kind === 'entry-point' || !from.startsWith('src/')) return undefined;
      const file = wanted.startsWith('.') ? fromRoot(path.resolve(resolveDir, wanted)) : wanted;
      const place = placeOf(apart, { kind, importer: from, file });
      if (place === undefined) return undefined;
      return 'error' in place
        ? { errors: [{ text: place.error }] }
        : { path: place.external, external: true };
    });
  },
});
