/**
 * Lets several callers wait for the same piece of work. It is aborted when the last one that
 * wanted it has gone away, not when the first one has.
 */
export class SharedWork<Key, Result> {
  readonly #running = new Map<
    Key,
    { readonly promise: Promise<Result>; readonly controller: AbortController; waiters: number }
  >();

  get size(): number {
    return this.#running.size;
  }

  async join(
    key: Key,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    let entry = this.#running.get(key);
    if (entry === undefined || entry.controller.signal.aborted) {
      const controller = new AbortController();
      const created = { promise: start(controller.signal), controller, waiters: 0 };
      entry = created;
      this.#running.set(key, created);
      const forget = (): void => {
        if (this.#running.get(key) === created) this.#running.delete(key);
      };
      created.promise.then(forget, forget);
    }
    const shared = entry;
    shared.waiters += 1;
    try {
      return await orAborted(shared.promise, signal);
    } finally {
      shared.waiters -= 1;
      if (shared.waiters === 0) shared.controller.abort();
    }
  }

  abortAll(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }
}

/** Settles like `promise`, or rejects as soon as the signal is aborted. */
export async function orAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** One at a time, in the order asked. Giving up while waiting leaves the line. */
export class Line {
  #last: Promise<unknown> = Promise.resolve();

  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
    let leave = (): void => undefined;
    this.#last = new Promise<void>((resolve) => {
      leave = () => resolve(before.then(() => undefined));
    });
    try {
      await orAborted(before, signal);
      return await work();
    } finally {
      leave();
    }
  }
}
