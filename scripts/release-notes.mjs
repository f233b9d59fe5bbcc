// What a release changes in texts: pure, so that a test sees all of it.

/** @param {string} text */
const parts = (text) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);

/**
 * Whether a version may follow another: three numbers, and one step of one of them.
 * @param {string} next
 * @param {string} current
 */
export function follows(next, current) {
  const [to, from] = [parts(next), parts(current)];
  if (to === undefined || from === undefined) return false;
  const at = to.findIndex((number, index) => number !== from[index]);
  return (
    at >= 0 && to[at] === (from[at] ?? 0) + 1 && to.slice(at + 1).every((number) => number === 0)
  );
}

const heading = '## [Unreleased]';

/**
 * What stands under "Unreleased" in a changelog, and the changelog in which it stands under the version.
 * Undefined: nothing does.
 * @param {string} changelog
 * @param {string} version
 * @param {string} date
 */
export function released(changelog, version, date) {
  const begin = changelog.indexOf(`${heading}\n`);
  if (begin < 0) return undefined;
  const from = begin + heading.length;
  const next = changelog.indexOf('\n## [', from);
  const notes = changelog.slice(from, next < 0 ? undefined : next).trim();
  if (notes === '') return undefined;
  const before = changelog.slice(0, from);
  return { notes, changelog: `${before}\n\n## [${version}] - ${date}${changelog.slice(from)}` };
}

/**
 * Fields of the manifest that still say where nothing is.
 * @param {Record<string, unknown>} manifest
 */
export const placeholders = (manifest) =>
  ['repository', 'bugs', 'homepage'].filter((field) =>
    (JSON.stringify(manifest[field]) ?? 'OWNER').includes('OWNER'),
  );
