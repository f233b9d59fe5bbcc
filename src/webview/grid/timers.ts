/** Named delays: an action runs once after a while, however often it is asked for meanwhile. */
export class Timers {
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      for (const timer of this.#timers.values()) clearTimeout(timer);
      this.#timers.clear();
    });
  }

  later(name: string, ms: number, action: () => void): void {
    if (this.#timers.has(name)) return;
    const run = (): void => {
      this.#timers.delete(name);
      action();
    };
    this.#timers.set(name, setTimeout(run, ms));
  }
}
