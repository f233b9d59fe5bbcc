import type { Mapping } from '../../mapping.ts';
import { joinBase64 } from '../base64.ts';
import { laterReason } from '../ending-kinds.ts';
import { givenTo } from '../tool-arguments.ts';
import type { ChatAudio, ChatChoiceChunk, ChatFunctionCall, ChatMessage } from './chat-schema.ts';
import { readParts } from './chat-schema.ts';
import { ChoiceDeltas } from './choice-deltas.ts';
import { withContent } from './content.ts';
import type { Fields, Lists } from './fields.ts';
import { appendLists, mergeField } from './fields.ts';
import { withDetails } from './reasoning-details.ts';
import { ToolCalls } from './tool-calls.ts';

/** Texts of a delta that continue what came before; all other values replace it. */
const growing = new Set(['refusal', 'reasoning', 'reasoning_content']);

/** Some servers send an empty reason, or the word "null", until there is one. */
export const isReason = (reason: unknown): boolean =>
  reason !== undefined && reason !== null && reason !== '' && reason !== 'null';

/** What a message of one host has that others have not. */
export interface ChatHabits {
  /** Whether tool calls keep their `index` outside of streams. */
  readonly keepsToolIndex?: boolean;
}

/** One choice of a streamed chat completion. */
export class ChatChoice {
  readonly #message: Fields = { role: 'assistant' };
  readonly #texts = new Map<string, string>();
  readonly #toolCalls: ToolCalls;
  readonly #lists: Lists = new Map();
  readonly #logprobs: Lists = new Map();
  readonly #deltas = new ChoiceDeltas();
  readonly #index: number;
  readonly #rest: Fields = {};
  #content: string | readonly Mapping[] | undefined;
  #details: readonly Mapping[] = [];
  #functionCall: { name: string; arguments: string } | undefined;
  #hasToolCalls = false;
  #audio: Fields | undefined;
  #finishReason: unknown = null;

  constructor(index: number, { keepsToolIndex = false }: ChatHabits = {}) {
    this.#index = index;
    this.#toolCalls = new ToolCalls({ keepsIndex: keepsToolIndex });
  }

  /** Audio ends without a reason: with the time until which it is kept. */
  get isWhole(): boolean {
    return this.#finishReason !== null || this.#audio?.['expires_at'] !== undefined;
  }

  /** Takes in a chunk of the choice; gives what it adds to the message. */
  add(choice: ChatChoiceChunk): ChatMessage | undefined {
    const { logprobs } = choice;
    const { error, finish_reason: reason } = choice.raw;
    // A plain end that comes later does not undo it.
    if (Boolean(error) && !isReason(reason)) this.#finish('error');
    for (const [name, value] of Object.entries(choice.raw)) {
      if (name === 'index' || name === 'delta' || name === 'message') continue;
      if (name === 'finish_reason') this.#finish(value);
      else if (name === 'logprobs' && logprobs !== undefined) appendLists(this.#logprobs, logprobs);
      else mergeField(this.#rest, name, value);
    }
    const delta = this.#deltas.of(choice);
    if (delta !== undefined) this.#delta(delta);
    return delta;
  }

  #finish(reason: unknown): void {
    if (isReason(reason)) this.#finishReason = laterReason(this.#finishReason, reason);
  }

  #delta(delta: ChatMessage): void {
    const { audio, function_call: oldCall } = delta;
    for (const [name, value] of Object.entries(delta.raw)) {
      if (growing.has(name) && typeof value === 'string') {
        this.#texts.set(name, (this.#texts.get(name) ?? '') + value);
      } else if (name === 'content' && typeof value === 'string') this.#grow(value);
      else if (name === 'audio' && audio !== undefined) this.#addAudio(audio);
      else if (name === 'function_call' && oldCall !== undefined) this.#oldCall(oldCall);
      else if (Array.isArray(value)) this.#list(name, value, delta);
      else mergeField(this.#message, name, value);
    }
  }

  #grow(more: string): void {
    const before = this.#content ?? '';
    this.#content = typeof before === 'string' ? before + more : withContent(before, more);
  }

  #list(name: string, items: readonly unknown[], delta: ChatMessage): void {
    if (name === 'tool_calls') {
      this.#hasToolCalls = true;
      this.#toolCalls.add(delta.tool_calls ?? []);
    } else if (name === 'content') {
      const before = this.#content ?? [];
      const parts = typeof before === 'string' && before !== '' ? withContent([], before) : [];
      this.#content = withContent(
        typeof before === 'string' ? parts : before,
        (readParts(items) ?? []).map(({ raw }) => raw),
      );
    } else if (name === 'reasoning_details') {
      this.#details = withDetails(
        this.#details,
        (delta.reasoning_details ?? []).map(({ raw }) => raw),
      );
    } else appendLists(this.#lists, { [name]: items });
  }

  #oldCall(call: ChatFunctionCall): void {
    this.#functionCall ??= { name: '', arguments: '' };
    this.#functionCall.name += call.name ?? '';
    this.#functionCall.arguments += givenTo(call) ?? '';
  }

  #addAudio({ raw }: ChatAudio): void {
    this.#audio ??= {};
    for (const [name, value] of Object.entries(raw)) {
      const before = this.#audio[name];
      if (typeof before === 'string' && typeof value === 'string' && name === 'data') {
        this.#audio[name] = joinBase64(before, value);
      } else if (typeof before === 'string' && typeof value === 'string' && name === 'transcript') {
        this.#audio[name] = before + value;
      } else mergeField(this.#audio, name, value);
    }
  }

  whole(): Fields {
    const message: Fields = { content: null, ...this.#message };
    if (this.#content !== undefined) message['content'] = this.#content;
    for (const [name, text] of this.#texts) message[name] = text;
    for (const [name, list] of this.#lists) message[name] = list;
    if (this.#details.length > 0) message['reasoning_details'] = this.#details;
    if (this.#hasToolCalls) message['tool_calls'] = this.#toolCalls.whole();
    if (this.#functionCall !== undefined) message['function_call'] = { ...this.#functionCall };
    if (this.#audio !== undefined) message['audio'] = { ...this.#audio };
    const logprobs =
      this.#logprobs.size === 0 ? {} : { logprobs: Object.fromEntries(this.#logprobs) };
    return {
      ...this.#rest,
      ...logprobs,
      index: this.#index,
      message,
      finish_reason: this.#finishReason,
    };
  }
}
