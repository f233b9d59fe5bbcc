import { abortedBy } from '../errors.ts';

/** Time as the core sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after `ms` milliseconds; the returned function takes that back. */
  schedule(ms: number, action: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (ms, action) => {
    // A longer time would overflow and be over at once.
    const timer = setTimeout(action, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

/** Waits; an abort ends the wait at once and leaves neither timer nor listener behind. */
export function delay(
  ms: number,
  {
    clock,
    signal,
    what = 'The wait',
  }: {
    readonly clock: Clock;
    readonly signal?: AbortSignal | undefined;
    /** What is being waited for: the subject of the error. */
    readonly what?: string;
  },
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortedBy(signal, what));
      return;
    }
    const cancelTimer = clock.schedule(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = (): void => {
      cancelTimer();
      if (signal !== undefined) reject(abortedBy(signal, what));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
