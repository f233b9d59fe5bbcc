/** What a window brings along counts for as long as it holds the service. */
type Release = () => void;

/**
 * Windows that use this service keep one endless answer open each. When none has been there for
 * long enough, the service ends by itself: nobody has to remember to stop it.
 */
export class Hold {
  readonly #open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  readonly #idleMs: number | undefined;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMs: number | undefined, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  /** Starts to count: called when the service is ready. */
  start(): void {
    this.#countDown();
  }

  /** `release` is called once, when the window has gone. */
  stream(release: Release = () => undefined): ReadableStream<Uint8Array> {
    let held: ReadableStreamDefaultController<Uint8Array> | undefined;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        held = controller;
        this.#open.add(controller);
        clearTimeout(this.#timer);
        // The first bytes make the headers leave.
        controller.enqueue(new TextEncoder().encode('held\n'));
      },
      cancel: () => {
        if (held !== undefined) this.#open.delete(held);
        release();
        this.#countDown();
      },
    });
  }

  /** Ends all answers, so that the server can close. */
  stop(): void {
    clearTimeout(this.#timer);
    for (const controller of this.#open) controller.close();
    this.#open.clear();
  }

  #countDown(): void {
    if (this.#idleMs === undefined || this.#open.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onIdle, this.#idleMs);
  }
}
