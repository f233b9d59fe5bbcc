import type { RelayAnswer, RelayOrder } from '../../core/providers/host/relay-messages.ts';
import { notAsked } from '../../core/providers/host/relay-messages.ts';

/** A window that holds the service. */
export interface HoldingWindow {
  /** The same each time that this window takes hold of the service. */
  readonly id: string;
  /** Whether cells may ask the language models of its VS Code. */
  readonly offersModels: boolean;
  readonly send: (order: RelayOrder) => void;
}

interface Asked {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly tell: (answer: RelayAnswer) => void;
  /** Windows that were closed over it. */
  losses: number;
  window: HoldingWindow | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** A window that reloads is back before, and so is the first one of a service that continues its work. */
const WINDOW_MS = 15_000;
const MOST_LOSSES = 3;

const notAllowed: RelayAnswer = {
  error: {
    message: "Cells aren't allowed to use the language models of VS Code.",
    hint: 'Allow it with the setting promptTables.localService.vscodeModels, or select another model.',
    type: notAsked,
  },
};
const noWindow: RelayAnswer = {
  error: {
    message: 'No window of VS Code is open whose language models could be asked.',
    hint: 'Open one, and run the cell again.',
    type: notAsked,
  },
};
const lostWindows: RelayAnswer = {
  error: {
    message: 'Windows of VS Code were closed before their model answered.',
    hint: 'Run the cell again.',
  },
};

/**
 * Takes requests of cells to windows of VS Code, and their answers back. A request whose window is
 * closed is asked again in another one: nothing but an answer comes of it.
 */
export class WindowModels {
  readonly #windowMs: number;
  /** The newest last. */
  readonly #windows = new Map<string, HoldingWindow>();
  readonly #asked = new Map<string, Asked>();

  constructor(windowMs = WINDOW_MS) {
    this.#windowMs = windowMs;
  }

  /** Answers what takes the window away again. */
  attach(window: HoldingWindow): () => void {
    const before = this.#windows.get(window.id);
    this.#windows.delete(window.id);
    this.#windows.set(window.id, window);
    for (const asked of this.#asked.values()) {
      // What it is asked already is under way in it.
      if (asked.window === before && before !== undefined) asked.window = window;
      else if (asked.window === undefined) this.#send(asked);
    }
    return () => this.#detach(window);
  }

  /** `tell` is called once, unless it is stopped before. */
  ask(id: string, body: Readonly<Record<string, unknown>>, tell: Asked['tell']): void {
    const asked: Asked = { id, body, tell, losses: 0, window: undefined, timer: undefined };
    this.#asked.set(id, asked);
    this.#send(asked);
  }

  /** False: nobody waits for it. */
  answer(id: string, answer: RelayAnswer): boolean {
    const asked = this.#asked.get(id);
    if (asked === undefined) return false;
    this.#end(asked, answer);
    return true;
  }

  stop(id: string): void {
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    this.#forget(asked);
    asked.window?.send({ stop: id });
  }

  /** Whoever asked has ended. */
  stopAll(): void {
    for (const id of [...this.#asked.keys()]) this.stop(id);
  }

  #detach(window: HoldingWindow): void {
    // It has taken hold anew meanwhile.
    if (this.#windows.get(window.id) !== window) return;
    this.#windows.delete(window.id);
    for (const asked of [...this.#asked.values()]) {
      if (asked.window !== window) continue;
      asked.window = undefined;
      asked.losses += 1;
      if (asked.losses < MOST_LOSSES) this.#send(asked);
      else this.#end(asked, lostWindows);
    }
  }

  #send(asked: Asked): void {
    const windows = [...this.#windows.values()];
    const window = windows.findLast(({ offersModels }) => offersModels);
    if (window !== undefined) {
      clearTimeout(asked.timer);
      asked.timer = undefined;
      asked.window = window;
      window.send({ ask: asked.id, body: asked.body });
    } else if (windows.length > 0) this.#end(asked, notAllowed);
    else {
      const giveUp = (): void => this.#end(asked, noWindow);
      asked.timer ??= setTimeout(giveUp, this.#windowMs).unref();
    }
  }

  #end(asked: Asked, answer: RelayAnswer): void {
    this.#forget(asked);
    asked.tell(answer);
  }

  #forget(asked: Asked): void {
    clearTimeout(asked.timer);
    this.#asked.delete(asked.id);
  }
}
