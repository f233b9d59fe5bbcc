import { setTimeout as pause } from 'node:timers/promises';

/** Services price a request some time after it was logged: how long to wait before each new question. */
const usualPausesMs = [0, 2000, 6000, 20_000, 60_000];
/** Questions at a time: a run of thousands of requests must not keep the service busy with them. */
const mostAtATime = 4;

interface PricesParts {
  /** US dollars; undefined: not known yet. Errors count as that. */
  readonly ask: (requestId: number, signal: AbortSignal) => Promise<number | undefined>;
  /** Null: the service was asked often enough, and doesn't know. */
  readonly found: (requestId: number, usd: number | null) => void;
  readonly signal: AbortSignal;
  readonly pausesMs?: readonly number[];
}

/** Asks for the prices of requests until they are known, or long enough. */
export class Prices {
  readonly #parts: PricesParts;
  readonly #turns: (() => void)[] = [];
  readonly #asked = new Set<number>();
  #running = 0;

  constructor(parts: PricesParts) {
    this.#parts = parts;
  }

  /** Requests whose price is still asked for. */
  get open(): number {
    return this.#asked.size;
  }

  add(requestId: number): void {
    if (this.#asked.has(requestId)) return;
    this.#asked.add(requestId);
    void this.#follow(requestId);
  }

  async #follow(requestId: number): Promise<void> {
    const { found, signal, pausesMs = usualPausesMs } = this.#parts;
    let usd: number | undefined;
    try {
      for (const ms of pausesMs) {
        if (ms > 0) await pause(ms, undefined, { signal, ref: false });
        usd = await this.#inTurn(requestId);
        if (usd !== undefined) break;
      }
    } catch {
      // The window goes: whoever opens the comparison next asks again.
      if (signal.aborted) return;
    }
    this.#asked.delete(requestId);
    found(requestId, usd ?? null);
  }

  async #inTurn(requestId: number): Promise<number | undefined> {
    const { ask, signal } = this.#parts;
    while (this.#running >= mostAtATime)
      await new Promise<void>((resolve) => this.#turns.push(resolve));
    signal.throwIfAborted();
    this.#running += 1;
    try {
      return await ask(requestId, signal).catch(() => undefined);
    } finally {
      this.#running -= 1;
      this.#turns.shift()?.();
    }
  }
}
