// Which test files of the service run in one step of npm test: by their subject, and so that steps take
// about the same time and fill up the lanes. Each part runs once on SQLite and once on PostgreSQL.

/** A file is in the first part whose pattern its name fits. Each part has suites on both databases. */
export const serviceParts = /** @type {const} */ ([
  ['kills', /^(hang|set-aside|faults|keys-of-windows|engine-crash|model-limits)/],
  [
    'processes',
    /^(process|backup|start-refusals|local-database|security|migrations|workers|scale|isolation)/,
  ],
  ['engine', /^(engine|failing-store|fuzz|waiting|comparisons)/],
  ['columns', /(^columns|-columns|every-column|^evals|^exports|^imports|^metrics|^scorecards)/],
  [
    'outside',
    /^(assistant|canaries|failing|no-answers|other-clients|public-sdk|runs|traces|workflow)/,
  ],
  ['rest', /./],
]);

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {readonly string[]} files
 * @property {RegExp} ownTests its files by their path below the root, and no others
 */

/**
 * @param {readonly string[]} files of test/service
 * @param {readonly (readonly [name: string, pattern: RegExp])[]} [parts]
 * @returns {readonly Part[]} each file in one part; none that is empty
 */
export function partsOf(files, parts = serviceParts) {
  const waiting = new Set(files);
  return parts.flatMap(([name, pattern]) => {
    const own = [...waiting].filter((file) => pattern.test(file));
    for (const file of own) waiting.delete(file);
    if (own.length === 0) return [];
    const paths = own.map((file) => file.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    return [{ name, files: own, ownTests: new RegExp(`^test/service/(?:${paths.join('|')})$`) }];
  });
}

/** Titles of suites that need a PostgreSQL end with its name, in either spelling. */
export const onPostgres = '/, on postgres/i';
