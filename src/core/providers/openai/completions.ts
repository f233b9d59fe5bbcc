import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, Provider, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { jsonEvents } from '../sse.ts';
import type { Address } from './address.ts';
import { withUsage } from './arguments.ts';
import { refusalIn } from '../refusal.ts';
import { fetchChecked } from './checked.ts';
import { isReason } from './chat-choice.ts';
import type { Fields, Lists } from './fields.ts';
import { appendLists, fillers, mappingsOf, mergeField, numberOf } from './fields.ts';

/** One choice of a streamed text completion. */
class TextChoice {
  readonly #fields: Fields = { finish_reason: null };
  readonly #logprobs: Lists = new Map();
  #text = '';

  add(choice: Mapping): void {
    for (const [name, value] of Object.entries(choice)) {
      if (name === 'text') this.#text += typeof value === 'string' ? value : '';
      else if (name === 'logprobs' && isMapping(value)) appendLists(this.#logprobs, value);
      else if (name === 'finish_reason' && !isReason(value)) continue;
      else mergeField(this.#fields, name, value);
    }
  }

  get isWhole(): boolean {
    return this.#fields['finish_reason'] !== null;
  }

  whole(): Fields {
    const logprobs =
      this.#logprobs.size === 0 ? {} : { logprobs: Object.fromEntries(this.#logprobs) };
    return { ...this.#fields, ...logprobs, text: this.#text };
  }
}

class CompletionAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #head: Fields = {};
  readonly #choices = new Map<number, TextChoice>();
  readonly #builder = new ReplyBuilder();
  #isDone = false;

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    if (this.#isDone) return true;
    const choices = [...this.#choices.values()];
    return choices.length > 0 && choices.every(({ isWhole }) => isWhole);
  }

  add({ name, data }: ProviderEvent): void {
    if (data === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const refusal = name === 'error' ? data : refusalIn(data);
    if (refusal !== undefined) throw streamError(this.#provider, refusal);
    if (!isMapping(data)) return;
    for (const [field, value] of Object.entries(data)) {
      if (field === 'choices') for (const choice of mappingsOf(value)) this.#choice(choice);
      else if (!fillers.has(field)) mergeField(this.#head, field, value);
    }
  }

  #choice(choice: Mapping): void {
    const index = numberOf(choice['index']) ?? 0;
    const known = this.#choices.get(index) ?? new TextChoice();
    this.#choices.set(index, known);
    known.add(choice);
    const { text } = choice;
    if (index === 0 && typeof text === 'string' && text !== '') this.#builder.text('text', text);
  }

  reply(): Reply {
    return this.#builder.reply();
  }

  response(): unknown {
    const { usage, ...head } = this.#head;
    const choices = [...this.#choices]
      .sort(([a], [b]) => a - b)
      .map(([index, choice]) => ({ index, ...choice.whole() }));
    return {
      object: 'text_completion',
      ...head,
      choices,
      ...(usage !== null && usage !== undefined && { usage }),
    };
  }
}

function replyOf(response: unknown): Reply {
  const builder = new ReplyBuilder();
  const choices = isMapping(response) ? mappingsOf(response['choices']) : [];
  const first = choices.find(({ index }) => index === 0) ?? choices[0];
  const text = first?.['text'];
  if (typeof text === 'string' && text !== '') builder.text('text', text);
  return builder.reply();
}

/** The old Completions API: text in, text out. */
export function textCompletions(
  address: Address,
  { functionName = 'openai.completions.create' }: { readonly functionName?: string } = {},
): Provider {
  const prepare: Provider['prepare'] = (call, context) =>
    address('completions', withUsage(call), call, context);
  return {
    functionName,
    prepare,
    streaming: {
      decoder: jsonEvents,
      accumulator: ({ provider }) => new CompletionAccumulator(provider),
    },
    complete: async (call, context) => fetchChecked(await prepare(call, context), call, context),
    replyOf,
  };
}
