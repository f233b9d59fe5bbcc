// Which step of npm test uses how much of the processors, with all that it starts. Linux only;
// elsewhere nothing is said.
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { ProcessTree, readStat, sumOf } from './process-tree.mjs';

/**
 * @typedef {Record<string, number>} Used seconds by the kind of program
 * @typedef {{ name: string, seconds: number, used?: Readonly<Used> | undefined }} Row
 */

/** @type {AsyncLocalStorage<Used>} */
const accounts = new AsyncLocalStorage();
const isKnown = process.platform === 'linux';
const tree = new ProcessTree();
let known = usedByEnded();

function usedByEnded() {
  return isKnown ? readStat(fs.readFileSync('/proc/self/stat', 'utf8')).waitedFor : 0;
}

/**
 * @param {number | undefined} pid of a child that has begun for the work under way
 * @returns {() => void} to be called when it has ended
 */
export function account(pid) {
  const own = accounts.getStore();
  if (!isKnown || pid === undefined) return () => undefined;
  const ended = tree.follow(pid);
  return () => {
    const total = usedByEnded();
    const used = ended(total - known);
    known = total;
    if (own) add(own, used);
  };
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, used: Readonly<Used> | undefined }>} of the children that it runs
 */
export async function withProcessorTime(work) {
  /** @type {Used} */
  const own = {};
  const result = await accounts.run(own, work);
  return { result, used: isKnown ? own : undefined };
}

/**
 * @param {Used} to
 * @param {Readonly<Used>} more
 */
function add(to, more) {
  for (const [kind, seconds] of Object.entries(more)) to[kind] = (to[kind] ?? 0) + seconds;
}

/**
 * @param {readonly Row[]} steps
 * @returns {string} the steps by what they used; nothing where that is not known
 */
export function processorTable(steps) {
  const rows = steps.flatMap(({ name, seconds, used }) =>
    used === undefined ? [] : [{ name, seconds, used }],
  );
  if (rows.length === 0) return '';
  /** @type {Used} */
  const all = {};
  for (const { used } of rows) add(all, used);
  const line = (/** @type {Readonly<Used>} */ used, /** @type {string} */ text) =>
    `${sumOf(used).toFixed(1).padStart(9)}  ${text}${ofKinds(used)}`;
  return [
    'Processor seconds by step:',
    ...rows
      .toSorted((a, b) => sumOf(b.used) - sumOf(a.used))
      .map(({ name, seconds, used }) => line(used, `${name} (${seconds.toFixed(1)} s)`)),
    line(all, 'in all'),
    '',
  ].join('\n');
}

/** @param {Readonly<Used>} used */
function ofKinds(used) {
  const kinds = Object.entries(used)
    .filter(([, seconds]) => seconds >= 0.5)
    .toSorted(([, a], [, b]) => b - a);
  if (kinds.length < 2) return '';
  return `: ${kinds.map(([kind, seconds]) => `${kind} ${seconds.toFixed(1)}`).join(', ')}`;
}
