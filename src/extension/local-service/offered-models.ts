import type { HostProvider } from '../../core/providers/host/host-provider.ts';
import type { RelayAnswer, RelayOrder } from '../../core/providers/host/relay-messages.ts';
import type { Logger } from '../../core/logger.ts';

/** Sends the answer to the service that asked. Rejects when it has gone. */
export type SendAnswer = (id: string, answer: RelayAnswer) => Promise<void>;

/** What cells of the local service ask the language models of VS Code, in this window. */
export class OfferedModels {
  readonly #ask: HostProvider;
  readonly #log: Logger;
  readonly #asking = new Map<string, AbortController>();

  constructor(ask: HostProvider, log: Logger) {
    this.#ask = ask;
    this.#log = log;
  }

  take(order: RelayOrder, send: SendAnswer): void {
    if ('stop' in order) this.#asking.get(order.stop)?.abort();
    else if (!this.#asking.has(order.ask)) void this.#answer(order, send);
  }

  /** The service has gone, or this window goes. */
  stopAll(): void {
    for (const stopping of this.#asking.values()) stopping.abort();
  }

  async #answer(
    { ask: id, body }: Extract<RelayOrder, { readonly ask: string }>,
    send: SendAnswer,
  ): Promise<void> {
    const stopping = new AbortController();
    this.#asking.set(id, stopping);
    try {
      const { relayedAnswer } = await import('../../core/providers/host/relayed.ts');
      await send(id, await relayedAnswer(this.#ask, body, stopping.signal));
    } catch (error) {
      // Stopped by the service, which waits for nothing more; or it has gone, and asks again.
      if (!stopping.signal.aborted) {
        this.#log.warn('An answer of a language model did not reach the local service.', error);
      }
    } finally {
      this.#asking.delete(id);
    }
  }
}
