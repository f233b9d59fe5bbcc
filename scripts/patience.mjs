// How slow this machine is at the moment. Tests wait for states; their limits of time only end what
// hangs, and grow with this.
import { createHash } from 'node:crypto';
import os from 'node:os';
import { say } from './say.mjs';

/** What the work below takes on a quiet machine of 2024. */
const usualMs = 120;
const headroom = 2;
const mostPatient = 10;

/** @type {number | undefined} */
let measured;

/**
 * By how much limits of time that were set on a quiet, quick machine are multiplied. Its speed is
 * measured once a run; what else it has to do is looked at for each step, since that may begin later.
 */
export function patienceNow() {
  if (measured === undefined) {
    measured = measure();
    say(`Limits of time are at least ${measured} times those of a quiet machine.`);
  }
  return Math.max(measured, limitFor(waiting()));
}

/** How many processes there are for each processor. */
const waiting = () => (os.loadavg()[0] ?? 0) / os.availableParallelism();

const limitFor = (/** @type {number} */ slowness) =>
  Math.min(mostPatient, Math.round(headroom * Math.max(1, slowness) * 10) / 10);

function measure() {
  const took = [0, 1, 2].map(() => {
    const began = performance.now();
    const block = Buffer.alloc(1 << 20, 7);
    const hash = createHash('sha256');
    for (let at = 0; at < 40; at += 1) hash.update(block);
    let sum = 0;
    for (let at = 0; at < 20_000_000; at += 1) sum = (sum + at * 31) | 0;
    hash.update(String(sum)).digest();
    return performance.now() - began;
  });
  const median = took.toSorted((a, b) => a - b)[1] ?? usualMs;
  return limitFor(Math.max(median / usualMs, waiting()));
}
