const NEXT = 0;
const SERVING = 1;
const BEATS = 2;
/** Transactions last milliseconds; a ticket that is not served for so long belongs to a dead thread. */
const PATIENCE_MS = 5000;

export function createWriteLock(): SharedArrayBuffer {
  return new SharedArrayBuffer(12);
}

/**
 * A fair queue for the single writer of SQLite, shared by the threads of this process. SQLite's own
 * lock would do for safety, but its waiters sleep inside a synchronous call, which would stop the
 * HTTP server, and whoever asks often wins. Ticket numbers make waiting fair and asynchronous.
 */
export class WriteLock {
  readonly #cells: Int32Array<SharedArrayBuffer>;
  readonly #patienceMs: number;

  constructor(buffer: SharedArrayBuffer, patienceMs = PATIENCE_MS) {
    this.#cells = new Int32Array(buffer);
    this.#patienceMs = patienceMs;
  }

  /** `isLong`: it may take longer than others wait for one that says nothing, so it shows that it lives. */
  async hold<T>(work: () => Promise<T>, { isLong = false } = {}): Promise<T> {
    const release = await this.acquire();
    const beat = isLong
      ? setInterval(() => Atomics.add(this.#cells, BEATS, 1), this.#patienceMs / 5).unref()
      : undefined;
    try {
      return await work();
    } finally {
      clearInterval(beat);
      release();
    }
  }

  async acquire(): Promise<() => void> {
    const ticket = Atomics.add(this.#cells, NEXT, 1);
    let seen = Atomics.load(this.#cells, SERVING);
    while (seen !== ticket) {
      const beats = Atomics.load(this.#cells, BEATS);
      const waiting = Atomics.waitAsync(this.#cells, SERVING, seen, this.#patienceMs);
      const outcome = waiting.async ? await waiting.value : waiting.value;
      const isSilent = Atomics.load(this.#cells, BEATS) === beats;
      if (outcome === 'timed-out' && isSilent) this.#serveNext(seen);
      seen = Atomics.load(this.#cells, SERVING);
      // Our turn was taken away because we were thought dead: SQLite's lock still protects us.
      if (((seen - ticket) | 0) > 0) return () => undefined;
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#serveNext(ticket);
    };
  }

  #serveNext(from: number): void {
    if (Atomics.compareExchange(this.#cells, SERVING, from, from + 1) === from) {
      Atomics.notify(this.#cells, SERVING);
    }
  }
}
