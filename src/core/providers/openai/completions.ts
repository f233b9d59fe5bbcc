import { streamError } from '../provider-error.ts';
import type { Accumulator, Provider, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { jsonEvents } from '../sse.ts';
import type { Address } from './address.ts';
import { withUsage } from './arguments.ts';
import { failureIn } from '../refusal.ts';
import type { ChatChoiceChunk } from './chat-schema.ts';
import { readChat } from './chat-schema.ts';
import { fetchChecked } from './checked.ts';
import { isReason } from './chat-choice.ts';
import type { Fields, Lists } from './fields.ts';
import { appendLists, fillers, mergeField } from './fields.ts';

/** One choice of a streamed text completion. */
class TextChoice {
  readonly #fields: Fields = { finish_reason: null };
  readonly #logprobs: Lists = new Map();
  #text = '';

  add({ raw, text = '', logprobs }: ChatChoiceChunk): void {
    this.#text += text;
    for (const [name, value] of Object.entries(raw)) {
      if (name === 'text') continue;
      if (name === 'logprobs' && logprobs !== undefined) appendLists(this.#logprobs, logprobs);
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

  add(event: ProviderEvent): void {
    const { data } = event;
    if (data === '[DONE]') {
      this.#isDone = true;
      return;
    }
    if (this.#isDone) return;
    const refusal = failureIn(event);
    if (refusal !== undefined) throw streamError(this.#provider, refusal);
    const chunk = readChat(data);
    for (const [field, value] of Object.entries(chunk?.raw ?? {})) {
      if (field === 'choices') for (const choice of chunk?.choices ?? []) this.#choice(choice);
      else if (!fillers.has(field)) mergeField(this.#head, field, value);
    }
  }

  #choice(choice: ChatChoiceChunk): void {
    const { index = 0, text = '' } = choice;
    const known = this.#choices.get(index) ?? new TextChoice();
    this.#choices.set(index, known);
    known.add(choice);
    if (index === 0 && text !== '') this.#builder.text('text', text);
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
  const choices = readChat(response)?.choices ?? [];
  const { text = '' } = choices.find(({ index }) => index === 0) ?? choices[0] ?? {};
  if (text !== '') builder.text('text', text);
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
