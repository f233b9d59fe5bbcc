import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long one piece of work keeps the event loop at most, where it can stop. */
const SLICE_MS = 5;

/**
 * Work that takes long lets others have the event loop every few milliseconds: what is read from
 * SQLite or computed is done at once, so that awaiting it alone would never give them a turn.
 */
export class TimeSlice {
  #ends = performance.now() + SLICE_MS;

  /** Whether the time is up: cheap enough to be asked for every row. */
  get isOver(): boolean {
    return performance.now() > this.#ends;
  }

  /** Requests that came meanwhile are answered first, when the time is up. */
  async rest(): Promise<void> {
    if (!this.isOver) return;
    await nextTurn();
    this.#ends = performance.now() + SLICE_MS;
  }
}
