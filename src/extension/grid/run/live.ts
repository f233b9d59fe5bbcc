export interface LiveOptions {
  /** One look at the service; says whether work is under way there. */
  readonly look: (signal: AbortSignal) => Promise<{ readonly isActive: boolean }>;
  /** The look failed, or takes strangely long (no error then). Told once for each trouble. */
  readonly onProblem: (error: unknown) => void;
  /** The first good look after a problem. */
  readonly onRecovered: () => void;
  readonly activeMs?: number;
  readonly idleMs?: number;
  /** Pause after the first failure; doubles up to `longestPauseMs`. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  readonly patienceMs?: number;
}

/**
 * Looks at the service again and again while the sheet is on screen: often while an operation is
 * active, rarely otherwise, not at all while hidden. After a failure it waits longer and longer,
 * and goes on by itself when the service is back.
 */
export class Live {
  readonly #options: LiveOptions;
  #running: AbortController | undefined;
  #wake: (() => void) | undefined;
  #isWanted = false;
  #hasProblem = false;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Looks at once, then goes on. */
  show(): void {
    if (this.#running !== undefined) return;
    this.#running = new AbortController();
    void this.#run(this.#running.signal);
  }

  hide(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#wake = undefined;
  }

  /** Something was started or changed: look now. */
  poke(): void {
    this.#isWanted = true;
    this.#wake?.();
  }

  #wasPoked(): boolean {
    return this.#isWanted;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const {
      activeMs = 500,
      idleMs = 5000,
      firstPauseMs = 1000,
      longestPauseMs = 30_000,
    } = this.#options;
    let failurePauseMs = firstPauseMs;
    // Read anew each time: it changes while something is awaited.
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      this.#isWanted = false;
      let pauseMs: number;
      try {
        const { isActive } = await this.#patiently(signal);
        if (isOver()) return;
        this.#recover();
        failurePauseMs = firstPauseMs;
        pauseMs = isActive ? activeMs : idleMs;
      } catch (error) {
        if (isOver()) return;
        this.#hasProblem = true;
        this.#options.onProblem(error);
        pauseMs = failurePauseMs;
        failurePauseMs = Math.min(failurePauseMs * 2, longestPauseMs);
      }
      if (!this.#wasPoked()) await this.#pause(pauseMs, signal);
    }
  }

  /** The core retries for many seconds: the user should not look at a silent sheet meanwhile. */
  async #patiently(signal: AbortSignal): Promise<{ readonly isActive: boolean }> {
    const timer = setTimeout(() => {
      this.#hasProblem = true;
      this.#options.onProblem(undefined);
    }, this.#options.patienceMs ?? 3000);
    const stop = (): void => clearTimeout(timer);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#options.look(signal);
    } finally {
      stop();
      signal.removeEventListener('abort', stop);
    }
  }

  #recover(): void {
    if (!this.#hasProblem) return;
    this.#hasProblem = false;
    this.#options.onRecovered();
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      this.#wake = end;
    });
  }
}
