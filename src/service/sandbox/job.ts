import type { SandboxAnswer, SandboxRequest } from './protocol.ts';

export interface JobOptions {
  readonly request: SandboxRequest;
  /** Of the processor. */
  readonly timeMs: number;
  readonly timeoutMessage: string;
  readonly signal: AbortSignal;
  /** Called when the code begins, after its wait in line. */
  readonly onBegin?: (() => void) | undefined;
}

/** One request to a sandbox process, from the line to its answer. */
export class SandboxJob {
  readonly request: SandboxRequest;
  readonly timeMs: number;
  readonly timeoutMessage: string;
  readonly outcome: Promise<SandboxAnswer>;
  /** Whoever asks has one signal for all that it asks. */
  readonly asker: AbortSignal;
  readonly #onBegin: (() => void) | undefined;
  readonly #onAbort: () => void;
  readonly #resolve: (answer: SandboxAnswer) => void;
  readonly #reject: (reason: unknown) => void;
  hasBegun = false;
  isSettled = false;

  /** `onDrop` is called when nobody waits for the answer any more. */
  constructor(options: JobOptions, onDrop: (job: SandboxJob) => void) {
    this.request = options.request;
    this.timeMs = options.timeMs;
    this.timeoutMessage = options.timeoutMessage;
    this.asker = options.signal;
    this.#onBegin = options.onBegin;
    const { promise, resolve, reject } = Promise.withResolvers<SandboxAnswer>();
    this.outcome = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#onAbort = () => {
      this.fail(this.asker.reason);
      onDrop(this);
    };
    this.asker.addEventListener('abort', this.#onAbort, { once: true });
  }

  begin(): void {
    this.hasBegun = true;
    if (!this.isSettled) this.#onBegin?.();
  }

  answer(answer: SandboxAnswer): void {
    this.#settle();
    this.#resolve(answer);
  }

  fail(reason: unknown): void {
    this.#settle();
    this.#reject(reason);
  }

  #settle(): void {
    this.isSettled = true;
    this.asker.removeEventListener('abort', this.#onAbort);
  }
}
