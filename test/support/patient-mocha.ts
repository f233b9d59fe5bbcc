/**
 * Required by every suite: time limits of tests and hooks grow with the slowness of the machine, errors
 * keep as many frames as help, and where a seed is given, everything comes in another order.
 */
import type { Context } from 'mocha';
import { Runnable } from 'mocha';
import { shuffle } from './shuffle.ts';
import { timeLimit } from './time-limit.ts';

// Mocha has every error keep all of its frames, and those of a recursion cost more than what is tested.
Error.stackTraceLimit = 50;

const usual = Object.getOwnPropertyDescriptor(Runnable.prototype, 'timeout');

function timeout(this: Runnable, ...given: readonly [ms?: number | string]): unknown {
  const ofMocha = usual?.value as (this: Runnable, ms?: number | string) => unknown;
  const result = ofMocha.apply(this, given as [number]);
  return given.length === 0 && typeof result === 'number' ? timeLimit(result) : result;
}
Object.defineProperty(Runnable.prototype, 'timeout', { ...usual, value: timeout });

export const mochaHooks = {
  beforeAll(this: Context): void {
    const seed = process.env['PROMPT_TABLES_TEST_SHUFFLE'];
    const root = this.test?.parent;
    if (seed !== undefined && root !== undefined) shuffle(root, seed);
  },
};
