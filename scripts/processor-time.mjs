// Which step of npm test uses how much of the processors. Linux only: a process is told what the
// children that it has seen end have used, with all of theirs; elsewhere nothing is said.
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';

/** USER_HZ, which is the same on every Linux. */
const ticksPerSecond = 100;

/** @type {AsyncLocalStorage<{ seconds: number }>} */
const accounts = new AsyncLocalStorage();
let known = usedByEnded() ?? 0;

/**
 * @param {string} stat the text of /proc/PID/stat
 * @returns {number} seconds that the children which have ended used
 */
export function secondsOfEnded(stat) {
  // The second field is the program's name in parentheses, which may hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[13], fields[14]].map(Number);
  return ((user ?? 0) + (system ?? 0)) / ticksPerSecond;
}

function usedByEnded() {
  if (process.platform !== 'linux') return undefined;
  return secondsOfEnded(fs.readFileSync('/proc/self/stat', 'utf8'));
}

/** @returns {() => void} to be called when a child that begins now has ended: it goes to whose work this is */
export function account() {
  const own = accounts.getStore();
  return () => {
    const used = usedByEnded();
    if (used === undefined) return;
    if (own) own.seconds += used - known;
    known = used;
  };
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, processorSeconds: number | undefined }>} of the children that it runs
 */
export async function withProcessorTime(work) {
  const own = { seconds: 0 };
  const result = await accounts.run(own, work);
  return { result, processorSeconds: process.platform === 'linux' ? own.seconds : undefined };
}

/**
 * @param {readonly { name: string, processorSeconds?: number | undefined, seconds: number }[]} steps
 * @returns {string} the steps by what they used; nothing where that is not known
 */
export function processorTable(steps) {
  const rows = steps.flatMap(({ name, processorSeconds, seconds }) =>
    processorSeconds === undefined ? [] : [{ name, processorSeconds, seconds }],
  );
  if (rows.length === 0) return '';
  const sum = rows.reduce((total, { processorSeconds }) => total + processorSeconds, 0);
  const line = (/** @type {number} */ used, /** @type {string} */ text) =>
    `${used.toFixed(1).padStart(9)}  ${text}`;
  return [
    'Processor seconds by step:',
    ...rows
      .toSorted((a, b) => b.processorSeconds - a.processorSeconds)
      .map(({ name, processorSeconds, seconds }) =>
        line(processorSeconds, `${name} (${seconds.toFixed(1)} s)`),
      ),
    line(sum, 'in all'),
    '',
  ].join('\n');
}
