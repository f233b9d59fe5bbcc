import type { Clock } from './delay.ts';
import { joinSignals, type JoinedSignal } from './signals.ts';

/** The time from a client's first call until it is closed, and what is under way in it. */
export class Lifetime {
  readonly #clock: Clock;
  readonly #end = new AbortController();
  #underWay = 0;
  /** Waits for this long without work. */
  #quietMs: number | undefined;
  #stopWaiting = (): void => undefined;
  #isOver = (): void => undefined;
  readonly #over: Promise<void>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#over = new Promise((resolve) => {
      this.#isOver = resolve;
    });
  }

  /** For a piece of work: aborted by any of these, and by the end. It counts until it is released. */
  join(...signals: readonly (AbortSignal | undefined)[]): JoinedSignal {
    const { signal, release } = joinSignals(...signals, this.#end.signal);
    this.#underWay += 1;
    this.#stopWaiting();
    let isReleased = false;
    return {
      signal,
      release: () => {
        release();
        if (isReleased) return;
        isReleased = true;
        this.#underWay -= 1;
        this.#wait();
      },
    };
  }

  /** Resolves once nothing has been under way for `ms`, or at the end. */
  quiet(ms: number): Promise<void> {
    this.#quietMs = ms;
    this.#wait();
    return this.#over;
  }

  end(reason: unknown): void {
    this.#stopWaiting();
    this.#isOver();
    this.#end.abort(reason);
  }

  #wait(): void {
    this.#stopWaiting();
    if (this.#quietMs === undefined || this.#underWay > 0) return;
    this.#stopWaiting = this.#clock.schedule(this.#quietMs, this.#isOver);
  }
}
