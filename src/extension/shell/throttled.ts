/** Writes a value that changes often: the first at once, then the latest at most once in a while. */
export class Throttled<Value> {
  readonly #ms: number;
  readonly #write: (value: Value) => void;
  #next: { readonly value: Value } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, write: (value: Value) => void) {
    this.#ms = ms;
    this.#write = write;
  }

  put(value: Value): void {
    this.#next = { value };
    if (this.#timer === undefined) this.#pass();
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { value } = this.#next ?? {};
    const isWaiting = this.#next !== undefined;
    this.#next = undefined;
    if (isWaiting) this.#write(value as Value);
  }

  /** Forgets what waits. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = undefined;
  }

  #pass(): void {
    this.flush();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#next !== undefined) this.#pass();
    }, this.#ms);
  }
}
