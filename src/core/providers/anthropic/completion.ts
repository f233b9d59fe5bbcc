import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import { refusalIn } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';

/** Streams of the old Text Completions API. */
export class CompletionAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #builder = new ReplyBuilder();
  #last: Mapping = {};
  #text = '';

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    return typeof this.#last['stop_reason'] === 'string';
  }

  add({ data }: ProviderEvent): void {
    if (!isMapping(data)) return;
    if (data['type'] === 'error' || refusalIn(data) !== undefined) {
      throw streamError(this.#provider, data);
    }
    const { completion } = data;
    if (typeof completion !== 'string') return;
    this.#last = data;
    this.#text += completion;
    if (completion !== '') this.#builder.text('completion', completion);
  }

  reply(): Reply {
    return this.#builder.reply();
  }

  response(): unknown {
    return { ...this.#last, completion: this.#text };
  }
}

export function replyOfCompletion(response: unknown): Reply {
  const builder = new ReplyBuilder();
  const text = isMapping(response) ? response['completion'] : undefined;
  if (typeof text === 'string' && text !== '') builder.text('completion', text);
  return builder.reply();
}
