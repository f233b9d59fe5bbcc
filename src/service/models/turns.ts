/** Lets only so many at a time through, in the order in which they came. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async take<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#enter(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes to the next one without being free in between.
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    if (this.#busy < this.#most) {
      this.#busy += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
