import type { Clock } from '../../../src/core/http/delay.ts';

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/**
 * Time for tests. Short timers (the waits between attempts) are over at once and are recorded in
 * `waits`; longer ones (deadlines) wait for `pass`.
 */
export class FakeClock implements Clock {
  readonly waits: number[] = [];
  readonly #held = new Set<Timer>();
  readonly #isWait: (ms: number) => boolean;
  #now: number;

  constructor({ start = Date.UTC(2026, 0, 1), isWait = (ms: number) => ms <= 15_000 } = {}) {
    this.#now = start;
    this.#isWait = isWait;
  }

  now(): number {
    return this.#now;
  }

  schedule(ms: number, action: () => void): () => void {
    if (this.#isWait(ms)) {
      this.waits.push(ms);
      this.#now += ms;
      const immediate = setImmediate(action);
      return () => clearImmediate(immediate);
    }
    const timer = { at: this.#now + ms, action };
    this.#held.add(timer);
    return () => this.#held.delete(timer);
  }

  /** Timers that are neither over nor taken back. */
  get pending(): number {
    return this.#held.size;
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#held].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.#now) continue;
      this.#held.delete(timer);
      timer.action();
    }
  }
}
