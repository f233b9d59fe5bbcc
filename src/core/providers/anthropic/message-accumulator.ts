import type { Mapping } from '../../mapping.ts';
import { laterReason } from '../ending-kinds.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import { failureIn, refusalIn } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { addBlock, annotationsOf } from './message-reply.ts';
import type { Message, MessageBlock, MessageEvent } from './schema.ts';
import { readBlock, readEvent, readMessage } from './schema.ts';

type Fields = Record<string, unknown>;

/** Fields of a delta that come whole; all other texts continue what came before. */
const whole = new Set(['signature', 'encrypted_content']);

/** Undefined for text that is not JSON: the answer was cut in the middle of an argument. */
function parseInput(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** One block of a streamed message. Their index distinguishes blocks, which may interleave. */
class Block {
  readonly #index: number;
  readonly #builder: ReplyBuilder;
  readonly #fields: Fields;
  readonly #citations: unknown[] = [];
  readonly #json: string[] = [];
  #isOver = false;

  constructor(index: number, start: MessageBlock, builder: ReplyBuilder) {
    this.#index = index;
    this.#builder = builder;
    this.#fields = { ...start.raw };
    this.#citations.push(...(start.citations ?? []));
    if (start.type === 'tool_use') {
      const { id, name } = start;
      builder.toolCall(index, { id, name });
    } else {
      addBlock(builder, index, start);
    }
  }

  add(delta: Mapping): void {
    for (const [name, value] of Object.entries(delta)) {
      if (name === 'type') continue;
      if (name === 'partial_json') this.#addInput(value);
      else if (name === 'citation') this.#cite(value);
      else this.#grow(name, value);
    }
  }

  #addInput(more: unknown): void {
    if (typeof more !== 'string' || more === '') return;
    this.#json.push(more);
    if (this.#fields['type'] === 'tool_use') {
      this.#builder.toolCall(this.#index, { arguments: more });
    }
  }

  #cite(citation: unknown): void {
    this.#citations.push(citation);
    const { text } = this.#fields;
    if (typeof text === 'string' && text !== '') this.#annotate(text);
  }

  #annotate(text: string): void {
    this.#builder.part(this.#index, { annotations: annotationsOf(this.#citations, text) });
  }

  #grow(name: string, value: unknown): void {
    const before = this.#fields[name];
    const more = typeof value === 'string' && !whole.has(name) ? value : undefined;
    this.#fields[name] = more !== undefined && typeof before === 'string' ? before + more : value;
    const { type } = this.#fields;
    if (type === 'text' && name === 'text' && more !== undefined) {
      if (more !== '') this.#builder.text(this.#index, more);
    } else if (type !== 'tool_use') {
      this.#builder.part(this.#index, { [name]: this.#fields[name] });
    }
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { type, text } = this.#fields;
    if (typeof text === 'string' && this.#citations.length > 0 && text !== '') this.#annotate(text);
    if (!('input' in this.#fields)) return;
    const { input } = this.whole();
    if (type !== 'tool_use') this.#builder.part(this.#index, { input });
    else if (this.#json.length === 0) {
      this.#builder.toolArguments(this.#index, JSON.stringify(input));
    }
  }

  /** The block as far as it has come. An argument that was cut off is left out, as `{}`. */
  whole(): Fields {
    const fields = { ...this.#fields };
    if (this.#citations.length > 0) fields['citations'] = [...this.#citations];
    if (this.#json.length > 0) fields['input'] = parseInput(this.#json.join('')) ?? {};
    return fields;
  }
}

/** A block whose beginning has not come; a call has no name then. */
function beginningOf(deltaType: unknown): Mapping {
  if (deltaType === 'input_json_delta') return { type: 'tool_use', id: '', name: '', input: {} };
  return deltaType === 'thinking_delta'
    ? { type: 'thinking', thinking: '' }
    : { type: 'text', text: '' };
}

/** Streams of the Messages API, from Anthropic itself, Bedrock or Vertex. */
export class MessageAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #message: Fields = { type: 'message', role: 'assistant' };
  readonly #usage: Fields = {};
  readonly #blocks = new Map<number, Block>();
  readonly #builder = new ReplyBuilder();
  #isStopped = false;

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    const { stop_reason: reason } = this.#message;
    return this.#isStopped || (typeof reason === 'string' && reason !== '');
  }

  add({ name, data }: ProviderEvent): void {
    const event = readEvent(data);
    if (event === undefined) return;
    // Some gateways name an event outside of its data alone.
    const { type = name, index, delta } = event;
    if (this.#isStopped) return;
    const failure = failureIn({ name: type, data }) ?? refusalIn(delta?.raw);
    if (failure !== undefined) throw streamError(this.#provider, failure);
    if (type === 'message_start') this.#start(event.message);
    else if (type === 'message') this.#takeWhole(readMessage(data));
    else if (type === 'message_delta') this.#change(event);
    else if (type === 'message_stop') this.#stop();
    else if (index === undefined) return;
    else if (type === 'content_block_start') this.#startBlock(index, event.content_block);
    else if (type === 'content_block_delta' && delta !== undefined) this.#delta(index, delta.raw);
    else if (type === 'content_block_stop') this.#blocks.get(index)?.stop();
  }

  #start(message: Message | undefined): void {
    if (message === undefined) return;
    const { usage: _usage, content: _content, ...rest } = message.raw;
    Object.assign(this.#message, rest);
    this.#merge(message.usage);
    for (const [index, block] of (message.content ?? []).entries()) {
      this.#startBlock(index, readBlock(block));
    }
  }

  #startBlock(index: number, block: MessageBlock | undefined): void {
    if (block !== undefined) this.#blocks.set(index, new Block(index, block, this.#builder));
  }

  /** A gateway that has no streams answers with the message itself. */
  #takeWhole(message: Message | undefined): void {
    this.#start(message);
    this.#stop();
  }

  /** Gateways may leave out the start of a block. */
  #delta(index: number, delta: Mapping): void {
    if (!this.#blocks.has(index)) {
      this.#startBlock(index, readBlock(beginningOf(delta['type'])));
    }
    this.#blocks.get(index)?.add(delta);
  }

  /** Counts are totals so far; the ones that are left out keep what the start said. */
  #merge(usage: Mapping = {}): void {
    for (const [name, value] of Object.entries(usage)) {
      if (value !== null || !(name in this.#usage)) this.#usage[name] = value;
    }
  }

  #change({ raw, delta, usage }: MessageEvent): void {
    const { type: _type, delta: _delta, usage: _usage, ...rest } = raw;
    for (const [name, value] of Object.entries(delta?.raw ?? {})) {
      if (value === null && name in this.#message) continue;
      const before = this.#message[name];
      this.#message[name] = name === 'stop_reason' ? laterReason(before, value) : value;
    }
    Object.assign(this.#message, rest);
    this.#merge(usage);
  }

  #stop(): void {
    this.#isStopped = true;
    for (const block of this.#blocks.values()) block.stop();
  }

  reply(): Reply {
    return this.#builder.reply();
  }

  response(): unknown {
    const content = [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => block.whole());
    return { ...this.#message, content, usage: { ...this.#usage } };
  }
}
