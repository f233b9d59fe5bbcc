// Files of a product that runs meanwhile: it makes and removes them while somebody looks.
import fs from 'node:fs';
import path from 'node:path';

/**
 * @template Found
 * @param {() => Found} look
 * @param {Found} otherwise where what is looked at has been removed meanwhile
 */
function lookAt(look, otherwise) {
  try {
    return look();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return otherwise;
    throw error;
  }
}

/**
 * The files below a folder, by their whole paths; none where it is not there.
 * @param {string} folder
 * @returns {readonly string[]}
 */
export function filesBelow(folder) {
  const entries = lookAt(() => fs.readdirSync(folder, { withFileTypes: true }), []);
  return entries.flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(place);
    return entry.isFile() ? [place] : [];
  });
}

/**
 * @param {string} file
 * @returns {string | undefined} its text; undefined where it has been removed since it was listed
 */
export const textOf = (file) =>
  lookAt(() => /** @type {string | undefined} */ (fs.readFileSync(file, 'utf8')), undefined);
