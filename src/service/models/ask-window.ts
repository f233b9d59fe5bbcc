import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '../../core/errors.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { HostProvider } from '../../core/providers/host/host-provider.ts';
import type { RelayAnswer } from '../../core/providers/host/relay-messages.ts';
import { chunksOf } from '../../core/providers/host/relayed.ts';

/** The provider of the models that VS Code has itself. */
export const vscodeProvider = 'vscode';

/** A request in the words of OpenAI's chat API. */
export interface WindowQuestion {
  readonly id: string;
  readonly body: Mapping;
}

/** What the thread that computes says of it to the one that windows talk to. */
export type WindowRequest =
  | ({ readonly kind: 'ask' } & WindowQuestion)
  | { readonly kind: 'stopAsking'; readonly id: string };

/** Asks windows for cells, from the thread that computes. */
export class AskWindow {
  readonly #tell: (request: WindowRequest) => void;
  readonly #waiting = new Map<string, (answer: RelayAnswer) => void>();

  constructor(tell: (request: WindowRequest) => void) {
    this.#tell = tell;
  }

  answered(id: string, answer: RelayAnswer): void {
    this.#waiting.get(id)?.(answer);
  }

  /** A `HostProvider`. */
  async *ask(body: Mapping, signal: AbortSignal): AsyncGenerator<Mapping, void> {
    yield* chunksOf(await this.#answerTo(body, signal), vscodeProvider);
  }

  async #answerTo(body: Mapping, signal: AbortSignal): Promise<RelayAnswer> {
    signal.throwIfAborted();
    const id = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<RelayAnswer>();
    const onAbort = (): void => {
      this.#tell({ kind: 'stopAsking', id });
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.set(id, resolve);
    try {
      this.#tell({ kind: 'ask', id, body });
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#waiting.delete(id);
    }
  }
}

/** In the place of windows, where there are none. */
export const noWindow: HostProvider = () => {
  throw new ConfigurationError(
    'This service has no window of VS Code whose language models it could ask.',
    {
      hint: 'Select another model, or run the sheet in the local workspace of VS Code.',
    },
  );
};
