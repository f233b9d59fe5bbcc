import type { RelayOrder } from '../core/providers/host/relay-messages.ts';

/** What a window brings along counts for as long as it holds the service: answers what ends that. */
type Begin = (send: (order: RelayOrder) => void) => () => void;

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

  /** `begin` gets the way to the window, a line of JSON each; what it answers is called once, when the window has gone. */
  stream(begin?: Begin): ReadableStream<Uint8Array> {
    let held: ReadableStreamDefaultController<Uint8Array> | undefined;
    let release: (() => void) | undefined;
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        held = controller;
        this.#open.add(controller);
        clearTimeout(this.#timer);
        // The first bytes make the headers leave.
        controller.enqueue(encoder.encode('held\n'));
        release = begin?.((order) =>
          controller.enqueue(encoder.encode(`${JSON.stringify(order)}\n`)),
        );
      },
      cancel: () => {
        if (held !== undefined) this.#open.delete(held);
        release?.();
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
