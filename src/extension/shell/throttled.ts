/**
 * Writes a value that changes often: the first at once, then the latest at most once in a while, and
 * what waits when the window goes.
 */
export class Throttled<Value> {
  readonly #ms: number;
  readonly #write: (value: Value) => void;
  #next: { readonly value: Value } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #gone: AbortSignal;
  readonly #onGone = (): void => this.flush();

  /** `gone`: the window goes. */
  constructor(ms: number, write: (value: Value) => void, gone: AbortSignal) {
    this.#ms = ms;
    this.#write = write;
    this.#gone = gone;
  }

  put(value: Value): void {
    this.#next = { value };
    if (this.#timer === undefined) this.#pass();
    else this.#gone.addEventListener('abort', this.#onGone);
  }

  /** Writes what waits. */
  flush(): void {
    this.#stop();
    const { value } = this.#next ?? {};
    const isWaiting = this.#next !== undefined;
    this.#next = undefined;
    if (isWaiting) this.#write(value as Value);
  }

  /** Forgets what waits. */
  drop(): void {
    this.#stop();
    this.#next = undefined;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gone.removeEventListener('abort', this.#onGone);
  }

  #pass(): void {
    this.flush();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#next !== undefined) this.#pass();
    }, this.#ms);
  }
}
