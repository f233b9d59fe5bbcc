// Runs steps side by side in a few lanes, saying when each begins and ends, and keeps the counts.
import { say } from './say.mjs';

/**
 * @typedef {{passed: number, failed: number, skipped: number, titles?: readonly string[], again?: readonly string[]}} Counts
 *   `titles`: what failed; `again`: what failed at first, and may have passed at the second try
 * @typedef {object} Step
 * @property {string} name
 * @property {() => Promise<{counts: Counts, output: string}>} work
 */

/** @param {readonly Counts[]} all */
export const sum = (all) =>
  all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
      titles: [...(total.titles ?? []), ...(one.titles ?? [])],
      again: [...(total.again ?? []), ...(one.again ?? [])],
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

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
 * @param {number} lanes
 * @returns {Promise<Counts>}
 */
export async function runSteps(steps, lanes) {
  const waiting = [...steps];
  /** @type {Counts[]} */
  const results = [];
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const began = Date.now();
      say(`> ${step.name} ...`);
      const { counts, output } = await step.work().catch((error) => ({
        counts: { passed: 0, failed: 1, skipped: 0 },
        output: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }));
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
        titles: titles.map(named),
        again: marked('TRIED AGAIN').map(named),
      });
      const text = output.replace(/^\n+/, '').trimEnd();
      const verdict = counts.failed > 0 ? 'FAILED' : 'ok';
      say(
        `< ${step.name}: ${verdict} (${((Date.now() - began) / 1000).toFixed(1)} s)${text ? `\n${text}` : ''}`,
      );
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return sum(results);
}
