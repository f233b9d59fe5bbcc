import { setTimeout as pause } from 'node:timers/promises';
import { storeErrorIn } from './store-error.ts';

const PATIENCE_MS = 10_000;
const PAUSE_MS = 200;

/**
 * Keeps trying to store what has been paid for, while the database is away or its disk is full. A
 * connection may be lost after a commit, so the work begins by looking whether it is done.
 */
export async function patiently<Result>(
  work: (isAgain: boolean) => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + PATIENCE_MS;
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await work(isAgain);
    } catch (error) {
      if (storeErrorIn(error) === undefined || performance.now() > end) throw error;
    }
    await pause(PAUSE_MS);
  }
}
