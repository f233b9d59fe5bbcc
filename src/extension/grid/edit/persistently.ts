import { setTimeout as pause } from 'node:timers/promises';
import { hasErrorCode, isPromptTablesError } from '../../../core/errors.ts';

const longestPauseMs = 60_000;

/** The service is away or refuses for now; the same request may well succeed later. */
export const isPassing = (error: unknown): boolean =>
  isPromptTablesError(error) &&
  hasErrorCode(error, 'network', 'timeout', 'server', 'rate_limit', 'authentication');

/** Tries again while the service is away, until it is stopped. `waits` is told why, each time. */
export async function persistently<Result>(
  work: () => Promise<Result>,
  stop: AbortSignal,
  waits: (reason: string) => void,
  firstPauseMs = 1000,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      stop.throwIfAborted();
      if (!isPassing(error)) throw error;
      waits(error instanceof Error ? error.message : String(error));
      await pause(pauseMs, undefined, { signal: stop, ref: false });
    }
  }
}
