import { isPromptTablesError, type PromptTablesError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Clock } from './delay.ts';
import { delay } from './delay.ts';
import type { Reach } from './reach.ts';
import { connectFaultOf } from './reach.ts';

/** Specification 8: four attempts in all, waits of 2, 4 and 8 seconds, none above 15 seconds. */
const maxAttempts = 4;
const firstWaitMs = 2_000;
const maxWaitMs = 15_000;
/** Nobody means more: a number without end is none that one can wait for or write down. */
const mostAskedMs = 366 * 86_400_000;

/** Wait after the nth failure. The service may ask for a longer one, up to the cap. */
export function retryWaitMs(failures: number, retryAfterMs = 0): number {
  const backoff = firstWaitMs * 2 ** (failures - 1);
  return Math.min(Math.max(backoff, retryAfterMs), maxWaitMs);
}

/** `Retry-After`: seconds, or an HTTP date. Undefined when it is neither. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Number(text) * 1_000, mostAskedMs);
  // Date.parse takes much more than HTTP dates ("-5", "2"); an HTTP date starts with a day name.
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), mostAskedMs);
}

/** `retry-after-ms` of some providers. Undefined when it is no number of milliseconds. */
export function readRetryAfterMs(header: string | undefined): number | undefined {
  const text = header?.trim() ?? '';
  return /^\d+(?:\.\d+)?$/.test(text) ? Math.min(Number(text), mostAskedMs) : undefined;
}

interface RetryContext {
  /** What is being tried: the subject when the wait is cancelled. */
  readonly what: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal?: AbortSignal | undefined;
  readonly baseURL: URL;
  readonly reach: Reach | undefined;
}

/** Notes what an attempt says about the service. True: nobody else tries for long, so this call doesn't. */
function isKnownAway(
  error: PromptTablesError,
  isLast: boolean,
  { reach, baseURL: { origin } }: RetryContext,
): boolean {
  if (error.status !== undefined) reach?.answered(origin);
  if (connectFaultOf(error) === undefined) return false;
  const isAway = reach?.isAway(origin) === true;
  if (isAway || isLast) reach?.failed(origin, error, 0);
  return isAway;
}

/**
 * Tries until it works, the error is final, or the attempts are used up. Every method is retried,
 * as the specification says, but never after an answer other than 5xx and 429.
 */
export async function withRetries<T>(attempt: () => Promise<T>, context: RetryContext): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      const answer = await attempt();
      context.reach?.answered(context.baseURL.origin);
      return answer;
    } catch (error) {
      if (!isPromptTablesError(error)) throw error;
      error.attempts = failures;
      const isLast = !error.retryable || failures >= maxAttempts;
      if (isKnownAway(error, isLast, context) || isLast) throw error;
      const waitMs = retryWaitMs(failures, error.retryAfterMs);
      context.logger.info(
        `${error.message} Trying again in ${(waitMs / 1_000).toFixed(1)} seconds (attempt ${failures + 1} of ${maxAttempts}).`,
      );
      await delay(waitMs, context);
    }
  }
}
