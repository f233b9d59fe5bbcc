import type { Host } from '../connection.ts';
import type { FinishedEdit } from './editor.ts';

/** A draft is told when typing pauses for so long. */
const pauseMs = 100;

/** Tells the extension what is being typed: a text must outlive its view. */
export class DraftReporter {
  readonly #host: Host;
  #latest: FinishedEdit | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host, signal: AbortSignal) {
    this.#host = host;
    const flush = (): void => this.#flush();
    document.addEventListener('visibilitychange', flush, { signal });
    window.addEventListener('pagehide', flush, { signal });
    window.addEventListener('blur', flush, { signal });
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
  }

  type(draft: FinishedEdit): void {
    this.#latest = draft;
    this.#timer ??= setTimeout(() => this.#flush(), pauseMs);
  }

  /** It has become an edit, and is the extension's. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#latest = undefined;
  }

  /** It is given up. */
  end(): void {
    this.forget();
    // Also one of an earlier view that was taken up here.
    this.#host.tell('draft', null);
  }

  #flush(): void {
    const draft = this.#latest;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#latest = undefined;
    if (draft === undefined) return;
    const { place, text, base } = draft;
    const { columnId, rowIndex, position } = place;
    this.#host.tell('draft', { columnId, rowIndex, position, text, base });
  }
}
