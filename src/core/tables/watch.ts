import { hasErrorCode } from '../errors.ts';
import type { Clock } from '../http/delay.ts';
import { delay } from '../http/delay.ts';
import type { WatchOptions } from './context.ts';

const growth = 1.5;
/** One 404 may be a replica that is behind; two in a row mean that it is gone. */
const absencesThatCount = 2;

/** Undefined = no longer there. */
type Observation<State> = { readonly state: State; readonly isFinished: boolean } | undefined;

/**
 * Polls with growing pauses until the state is final or the thing has vanished, which is the last
 * observation (undefined). Leaving the loop early leaves nothing behind.
 */
export async function* observations<State>(
  look: () => Promise<Observation<State>>,
  {
    clock,
    signal,
    firstDelayMs = 500,
    maxDelayMs = 2_000,
    what,
  }: WatchOptions & { readonly clock: Clock; readonly what: string },
): AsyncGenerator<Observation<State>, void, undefined> {
  let waitMs = firstDelayMs;
  let absences = 0;
  for (;;) {
    await delay(waitMs, { clock, signal, what });
    waitMs = Math.min(waitMs * growth, maxDelayMs);
    const observation = await lookAgain(look);
    if (observation === undefined) {
      absences += 1;
      if (absences < absencesThatCount) continue;
      yield undefined;
      return;
    }
    absences = 0;
    yield observation;
    if (observation.isFinished) return;
  }
}

async function lookAgain<State>(
  look: () => Promise<Observation<State>>,
): Promise<Observation<State>> {
  try {
    return await look();
  } catch (error) {
    if (hasErrorCode(error, 'not_found')) return undefined;
    throw error;
  }
}
