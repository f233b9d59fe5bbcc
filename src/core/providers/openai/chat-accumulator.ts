import { streamError } from '../provider-error.ts';
import type { Accumulator, ModelCall, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import type { ChatHabits } from './chat-choice.ts';
import { ChatChoice } from './chat-choice.ts';
import { ChatReply } from './chat-reply.ts';
import type { ChatChoiceChunk, ChatChunk } from './chat-schema.ts';
import { readChat } from './chat-schema.ts';
import { failureIn, refusalIn } from '../refusal.ts';
import type { Fields } from './fields.ts';
import { fillers, mergeField } from './fields.ts';

/** Streams of the Chat Completions API, of OpenAI and of all who speak its language. */
export class ChatAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #habits: ChatHabits;
  readonly #head: Fields = {};
  readonly #choices = new Map<number, ChatChoice>();
  readonly #reply: ChatReply;
  #isDone = false;

  constructor({ provider, kwargs }: ModelCall, habits: ChatHabits = {}) {
    this.#provider = provider;
    this.#habits = habits;
    this.#reply = new ChatReply(kwargs);
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
    if (chunk === undefined) return;
    for (const [field, value] of Object.entries(chunk.raw)) {
      if (field === 'choices') for (const choice of chunk.choices ?? []) this.#choice(choice);
      else if (field === 'x_groq' && chunk.x_groq !== undefined) this.#groq(chunk.x_groq);
      else if (!fillers.has(field)) mergeField(this.#head, field, value);
    }
  }

  /** Groq tells the tokens of a stream, and why it stops, inside a field of its own. */
  #groq({ raw, usage, error }: NonNullable<ChatChunk['x_groq']>): void {
    const { usage: _usage, error: _error, ...rest } = raw;
    if (error !== undefined) throw streamError(this.#provider, { error });
    if (usage !== undefined) mergeField(this.#head, 'usage', usage);
    mergeField(this.#head, 'x_groq', rest);
  }

  #choice(choice: ChatChoiceChunk): void {
    const { index = 0, delta: more } = choice;
    // A gateway that has lost its model may say so in the place of a text, and end in a plain way.
    const refusal = refusalIn(more?.raw);
    if (refusal !== undefined) throw streamError(this.#provider, refusal);
    let known = this.#choices.get(index);
    if (known === undefined) {
      known = new ChatChoice(index, this.#habits);
      this.#choices.set(index, known);
    }
    const delta = known.add(choice);
    if (index === 0 && delta !== undefined) this.#reply.add(delta);
  }

  reply(): Reply {
    return this.#reply.reply();
  }

  response(): unknown {
    const { usage, ...head } = this.#head;
    const choices = [...this.#choices]
      .sort(([a], [b]) => a - b)
      .map(([, choice]) => choice.whole());
    return {
      ...head,
      object: 'chat.completion',
      choices,
      // Null in every chunk but one; an answer that is not streamed has it or does without.
      ...(usage !== null && usage !== undefined && { usage }),
    };
  }
}
