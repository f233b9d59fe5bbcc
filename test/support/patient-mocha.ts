/** Required by every suite: time limits of tests and hooks grow with the slowness of the machine. */
import { Runnable } from 'mocha';
import { timeLimit } from './time-limit.ts';

const ofMocha = Runnable.prototype.timeout as (this: Runnable, ms?: number | string) => unknown;

function timeout(this: Runnable, ...given: readonly [ms?: number | string]): unknown {
  const result = ofMocha.apply(this, given as [number]);
  return given.length === 0 && typeof result === 'number' ? timeLimit(result) : result;
}
Runnable.prototype.timeout = timeout as Runnable['timeout'];
