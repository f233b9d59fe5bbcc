import type { Mapping } from '../../mapping.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { addConverseBlock } from './converse-reply.ts';
import type { BlockReasoning, BlockStart, ConverseFields } from './schema.ts';
import { readBlock, readEvent, readNamed, readReasoning, readToolUse } from './schema.ts';

type Fields = Record<string, unknown>;

/** Undefined for text that is not JSON: the answer was cut in the middle of an argument. */
function parseInput(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** One block of a streamed answer: its kind shows in what comes first. */
class Block {
  readonly #index: number;
  readonly #builder: ReplyBuilder;
  #text: string | undefined;
  #citations: unknown[] | undefined;
  #thinking: string | undefined;
  #signature: string | undefined;
  #redacted: string | undefined;
  #tool: Mapping | undefined;
  readonly #input: string[] = [];
  #results: { readonly fields: Mapping; readonly content: unknown[] } | undefined;
  #other: Fields | undefined;

  constructor(index: number, builder: ReplyBuilder) {
    this.#index = index;
    this.#builder = builder;
  }

  start({ raw, toolUse, toolResult }: BlockStart): void {
    const { toolUse: _tool, toolResult: _result, ...other } = raw;
    if (toolUse !== undefined) {
      this.#tool = toolUse.raw;
      if (this.#isServerTool) this.#show();
      else this.#builder.toolCall(this.#index, { id: toolUse.toolUseId, name: toolUse.name });
    } else if (toolResult !== undefined) {
      this.#results = { fields: toolResult, content: [] };
    } else if (Object.keys(other).length > 0) {
      this.#other = other;
    }
  }

  get #isServerTool(): boolean {
    return this.#tool?.['type'] === 'server_tool_use';
  }

  add(delta: Mapping): void {
    for (const [kind, value] of Object.entries(delta)) {
      if (kind === 'text' && typeof value === 'string') this.#addText(value);
      else if (kind === 'citation') {
        this.#citations = [...(this.#citations ?? []), value];
        this.#show();
      } else if (kind === 'toolResult' && Array.isArray(value)) {
        this.#results ??= { fields: {}, content: [] };
        this.#results.content.push(...(value as unknown[]));
      } else this.#addTo(kind, value);
    }
  }

  #addTo(kind: string, value: unknown): void {
    const reasoning = kind === 'reasoningContent' ? readReasoning(value) : undefined;
    const tool = kind === 'toolUse' ? readToolUse(value) : undefined;
    const more = readNamed(value);
    if (reasoning !== undefined) this.#think(reasoning);
    else if (tool !== undefined) this.#addInput(tool.input);
    else if (more !== undefined) {
      this.#other = { ...this.#other, [kind]: { ...readNamed(this.#other?.[kind]), ...more } };
    }
  }

  #addText(more: string): void {
    this.#text = (this.#text ?? '') + more;
    if (more !== '') this.#builder.text(this.#index, more);
  }

  #addInput(more: unknown): void {
    if (typeof more !== 'string' || more === '') return;
    this.#input.push(more);
    if (!this.#isServerTool) this.#builder.toolCall(this.#index, { arguments: more });
  }

  #think({ text, signature, redactedContent }: BlockReasoning): void {
    if (text !== undefined) {
      this.#thinking = (this.#thinking ?? '') + text;
      this.#builder.thinking(this.#index, text);
    }
    if (signature !== undefined) {
      this.#signature = (this.#signature ?? '') + signature;
      this.#thinking ??= '';
      this.#show();
    }
    if (typeof redactedContent === 'string') {
      this.#redacted = (this.#redacted ?? '') + redactedContent;
      this.#show();
    }
  }

  #show(): void {
    const block = readBlock(this.whole());
    if (block !== undefined) addConverseBlock(this.#builder, this.#index, block);
  }

  stop(): void {
    if (this.#tool === undefined || this.#isServerTool) this.#show();
    else if (this.#input.length === 0) this.#builder.toolArguments(this.#index, '{}');
  }

  /** As it would stand in a whole answer. An argument that was cut off is left out, as `{}`. */
  whole(): Mapping {
    if (this.#tool !== undefined) {
      const input = parseInput(this.#input.join('')) ?? {};
      return { toolUse: { ...this.#tool, input } };
    }
    if (this.#results !== undefined) {
      const { fields, content } = this.#results;
      return { toolResult: { ...fields, content: [...content] } };
    }
    if (this.#redacted !== undefined) {
      return { reasoningContent: { redactedContent: this.#redacted } };
    }
    if (this.#thinking !== undefined) {
      const signature = this.#signature;
      const reasoningText = { text: this.#thinking, ...(signature !== undefined && { signature }) };
      return { reasoningContent: { reasoningText } };
    }
    if (this.#citations !== undefined) {
      const content = this.#text === undefined ? [] : [{ text: this.#text }];
      return { citationsContent: { content, citations: [...this.#citations] } };
    }
    return this.#other ?? { text: this.#text ?? '' };
  }
}

/** Streams of Bedrock's Converse API. */
export class ConverseAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #blocks = new Map<number, Block>();
  readonly #builder = new ReplyBuilder();
  readonly #top: Fields = {};
  #role: unknown = 'assistant';
  #isStopped = false;

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    return this.#isStopped;
  }

  add({ name, data }: ProviderEvent): void {
    const event = readEvent(data);
    if (event === undefined) return;
    const { type, fields } = event;
    if (name !== 'event') throw streamError(this.#provider, { error: { ...fields.raw, type } });
    const { start, delta } = fields;
    if (type === 'messageStart') this.#role = fields.role ?? this.#role;
    else if (type === 'contentBlockStart') {
      if (start !== undefined) this.#blockAt(fields).start(start);
    } else if (type === 'contentBlockDelta') {
      if (delta !== undefined) this.#blockAt(fields).add(delta);
    } else if (type === 'contentBlockStop') this.#blockAt(fields).stop();
    else if (type === 'messageStop') this.#stop(fields.raw);
    else if (type === 'metadata') this.#keep(fields.raw);
  }

  #blockAt({ contentBlockIndex: index = 0 }: ConverseFields): Block {
    let block = this.#blocks.get(index);
    if (block === undefined) {
      block = new Block(index, this.#builder);
      this.#blocks.set(index, block);
    }
    return block;
  }

  #stop(fields: Mapping): void {
    this.#isStopped = true;
    this.#keep(fields);
  }

  #keep(fields: Mapping): void {
    Object.assign(this.#top, fields);
  }

  reply(): Reply {
    return this.#builder.reply();
  }

  response(): unknown {
    const content = [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => block.whole());
    return { output: { message: { role: this.#role, content } }, ...this.#top };
  }
}
