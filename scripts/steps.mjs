// Runs steps side by side in a few lanes, saying when each begins and ends, and keeps the counts.
import { sumOf } from './process-tree.mjs';
import { processorTable, withProcessorTime } from './processor-time.mjs';
import { say } from './say.mjs';

/**
 * @typedef {{passed: number, failed: number, skipped: number, known?: number, titles?: readonly string[], again?: readonly string[]}} Counts
 *   `known`: of those that passed, those that were not run this time; `titles`: what failed; `again`: what failed at first, and may have passed at the second try
 * @typedef {object} Step
 * @property {string} name
 * @property {RegExp} [ownTests] the test files that it reads, by their path; all where it is absent
 * @property {import('./sources.mjs').Reads} [reads] what decides which sources it reads; all where it is absent
 * @property {(env: Record<string, string>) => Promise<{counts: Counts, output: string, isKnown?: boolean}>} work
 *   takes the variables of the lane that it runs in
 */

/**
 * @typedef {object} Lane
 * @property {Record<string, string>} env
 * @property {RegExp} [only] steps of these names: it ends when there are no more. The other lanes take them last.
 */

/** @param {readonly Counts[]} all */
export const sum = (all) =>
  all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
      known: (total.known ?? 0) + (one.known ?? 0),
      titles: [...(total.titles ?? []), ...(one.titles ?? [])],
      again: [...(total.again ?? []), ...(one.again ?? [])],
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** A run in which more had to be tried again says little about those that passed. */
const mostTriedAgain = 2;

/**
 * With one more failure where too many have passed only at their second try.
 * @param {Counts} counts
 * @returns {Counts}
 */
export function withTries(counts) {
  const { again = [], titles = [] } = counts;
  if (again.length <= mostTriedAgain) return counts;
  const title = `${again.length} were tried again, and a run has at most ${mostTriedAgain} second tries`;
  return { ...counts, failed: counts.failed + 1, titles: [...titles, title] };
}

/**
 * What failed, once more: the end of a long text is what is read first.
 * @param {Counts} counts
 */
export const failedTitles = ({ titles = [], again = [] }) =>
  `${listed('Tried again', again)}${listed('Failed', titles)}`;

/**
 * @param {string} heading
 * @param {readonly string[]} titles
 */
const listed = (heading, titles) =>
  titles.length === 0 ? '' : [`${heading}:`, ...titles.map((title) => `  ${title}`), ''].join('\n');

/** @param {Counts} counts */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * @param {readonly Step[]} steps
 * @param {readonly Lane[]} lanes as many steps run at once
 * @param {object} [options]
 * @param {Promise<readonly Step[]>} [options.later] begun when the others have; its failure is that of all
 * @param {import('./processor-time.mjs').Row[]} [options.times] takes what each step used; said at the end where it is absent
 * @returns {Promise<Counts>}
 */
export async function runSteps(steps, lanes, { later = Promise.resolve([]), times } = {}) {
  const waiting = [...steps];
  const added = later.then((more) => void waiting.push(...more));
  added.catch(() => undefined);
  const special = lanes.flatMap(({ only }) => only ?? []);
  const next = async (/** @type {RegExp | undefined} */ only) => {
    const wanted = () =>
      only === undefined
        ? waiting.findIndex(({ name }) => !special.some((pattern) => pattern.test(name)))
        : waiting.findIndex(({ name }) => only.test(name));
    if (wanted() < 0 && only === undefined) await added;
    const at = wanted();
    if (at >= 0) return waiting.splice(at, 1)[0];
    return only === undefined ? waiting.shift() : undefined;
  };
  /** @type {Counts[]} */
  const results = [];
  const rows = times ?? [];
  const runLane = async (/** @type {Lane} */ { env, only }) => {
    for (let step = await next(only); step; step = await next(only)) {
      const began = Date.now();
      say(`> ${step.name} ...`);
      const { result, used } = await withProcessorTime(() =>
        step.work(env).catch((error) => ({
          isKnown: false,
          counts: { passed: 0, failed: 1, skipped: 0 },
          output: error instanceof Error ? (error.stack ?? error.message) : String(error),
        })),
      );
      const { counts, output, isKnown = false } = result;
      const seconds = (Date.now() - began) / 1000;
      if (!isKnown) rows.push({ name: step.name, seconds, used });
      // With the first words of the cause: the end of a long text may be all that is kept of it.
      const marked = (/** @type {string} */ mark) =>
        [...output.matchAll(new RegExp(`^ *${mark}: (.+)\n? *(.*)$`, 'gm'))].map(
          ([, title = '', cause = '']) => `${title}\n    ${cause.slice(0, 300)}`,
        );
      const titles = marked('FAILED');
      const named = (/** @type {string} */ title) => `${step.name}: ${title}`;
      if (counts.failed > titles.length)
        titles.push(`see above\n${output.trimEnd().slice(-1500).replace(/^/gm, '    ')}`);
      results.push({
        ...counts,
        known: isKnown ? counts.passed : 0,
        titles: titles.map(named),
        again: marked('TRIED AGAIN').map(named),
      });
      const text = output.replace(/^\n+/, '').trimEnd();
      const verdict = counts.failed > 0 ? 'FAILED' : 'ok';
      const time = isKnown
        ? 'passed before, and nothing that it reads has changed'
        : `${seconds.toFixed(1)} s${used === undefined ? '' : `, ${sumOf(used).toFixed(1)} s of processors`}`;
      say(`< ${step.name}: ${verdict} (${time})${text ? `\n${text}` : ''}`);
    }
  };
  // Steps that are under way come to their end, also where there is nothing more to begin.
  const ends = await Promise.allSettled(lanes.map(runLane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  if (times === undefined && rows.length > 1) say(`\n${processorTable(rows)}`);
  return sum(results);
}
