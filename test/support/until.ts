import assert from 'node:assert/strict';
import { timeLimit } from './time-limit.ts';

export interface Patience {
  /** Milliseconds after which it is given up; scaled by whoever passes it. */
  readonly limitMs?: number;
  readonly everyMs?: number;
}

/** Neither of these is what was waited for. */
type NotYet = false | undefined | null;

/**
 * Waits for a state, however slow the machine is: looks until there is something, and gives it. A look
 * that fails counts as "not yet" (a page that reloads, a file that is being replaced); when the time is
 * up, the error says what was waited for and carries the last failure.
 */
export async function until<Found>(
  what: string | (() => string),
  look: () => Found | Promise<Found>,
  { limitMs = timeLimit(30_000), everyMs = 20 }: Patience = {},
): Promise<Exclude<Found, NotYet>> {
  const end = performance.now() + limitMs;
  for (;;) {
    // Taken before the look: one look is always made after the limit, however long this machine stood still.
    const isLast = performance.now() > end;
    let failure: unknown;
    try {
      const found = await look();
      if (found !== false && found !== undefined && found !== null)
        return found as Exclude<Found, NotYet>;
    } catch (error) {
      failure = error;
    }
    if (isLast) {
      const message = `Waited ${limitMs} ms in vain until ${typeof what === 'string' ? what : what()}`;
      if (failure === undefined) assert.fail(message);
      throw new Error(
        `${message}: ${failure instanceof Error ? failure.message : 'nothing was found'}`,
        { cause: failure },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
