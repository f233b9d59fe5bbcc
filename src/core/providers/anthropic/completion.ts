import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import { failureIn } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import type { Completion } from './schema.ts';
import { readCompletion } from './schema.ts';

/** Streams of the old Text Completions API. */
export class CompletionAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #builder = new ReplyBuilder();
  #last: Completion | undefined;
  #text = '';

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    return this.#last?.stop_reason !== undefined;
  }

  add({ name, data }: ProviderEvent): void {
    const event = readCompletion(data);
    if (this.isWhole) return;
    const failure = failureIn({ name: event?.type ?? name, data });
    if (failure !== undefined) throw streamError(this.#provider, failure);
    const completion = event?.completion;
    if (completion === undefined) return;
    this.#last = event;
    this.#text += completion;
    if (completion !== '') this.#builder.text('completion', completion);
  }

  reply(): Reply {
    return this.#builder.reply();
  }

  response(): unknown {
    return { ...this.#last?.raw, completion: this.#text };
  }
}

export function replyOfCompletion(response: unknown): Reply {
  const builder = new ReplyBuilder();
  const text = readCompletion(response)?.completion ?? '';
  if (text !== '') builder.text('completion', text);
  return builder.reply();
}
