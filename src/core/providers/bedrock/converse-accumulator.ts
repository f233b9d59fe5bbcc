import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { addConverseBlock } from './converse-reply.ts';

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

  start({ toolUse, toolResult, ...other }: Mapping): void {
    if (isMapping(toolUse)) {
      this.#tool = toolUse;
      if (this.#isServerTool) this.#show();
      else {
        const { toolUseId: id, name } = toolUse as Readonly<Record<string, string>>;
        this.#builder.toolCall(this.#index, { id, name });
      }
    } else if (isMapping(toolResult)) {
      this.#results = { fields: toolResult, content: [] };
    } else if (Object.keys(other).length > 0) {
      this.#other = { ...other };
    }
  }

  get #isServerTool(): boolean {
    return this.#tool?.['type'] === 'server_tool_use';
  }

  add(delta: Mapping): void {
    for (const [kind, value] of Object.entries(delta)) {
      if (kind === 'text' && typeof value === 'string') this.#addText(value);
      else if (kind === 'toolUse' && isMapping(value)) this.#addInput(value['input']);
      else if (kind === 'reasoningContent' && isMapping(value)) this.#think(value);
      else if (kind === 'citation') {
        this.#citations = [...(this.#citations ?? []), value];
        this.#show();
      } else if (kind === 'toolResult' && Array.isArray(value)) {
        this.#results ??= { fields: {}, content: [] };
        this.#results.content.push(...(value as unknown[]));
      } else if (isMapping(value)) {
        const before = this.#other?.[kind];
        this.#other = { ...this.#other, [kind]: { ...(isMapping(before) && before), ...value } };
      }
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

  #think({ text, signature, redactedContent }: Mapping): void {
    if (typeof text === 'string') {
      this.#thinking = (this.#thinking ?? '') + text;
      this.#builder.thinking(this.#index, text);
    }
    if (typeof signature === 'string') {
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
    addConverseBlock(this.#builder, this.#index, this.whole());
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
    const [entry] = Object.entries(isMapping(data) ? data : {});
    if (entry === undefined) return;
    const [type, value] = entry;
    const fields = isMapping(value) ? value : {};
    if (name !== 'event') throw streamError(this.#provider, { error: { ...fields, type } });
    if (type === 'messageStart') this.#role = fields['role'] ?? this.#role;
    else if (type === 'contentBlockStart') this.#start(fields);
    else if (type === 'contentBlockDelta') this.#delta(fields);
    else if (type === 'contentBlockStop') this.#blockAt(fields).stop();
    else if (type === 'messageStop') this.#stop(fields);
    else if (type === 'metadata') this.#keep(fields);
  }

  #blockAt({ contentBlockIndex }: Mapping): Block {
    const index = typeof contentBlockIndex === 'number' ? contentBlockIndex : 0;
    let block = this.#blocks.get(index);
    if (block === undefined) {
      block = new Block(index, this.#builder);
      this.#blocks.set(index, block);
    }
    return block;
  }

  #start(fields: Mapping): void {
    const { start } = fields;
    if (isMapping(start)) this.#blockAt(fields).start(start);
  }

  #delta(fields: Mapping): void {
    const { delta } = fields;
    if (isMapping(delta)) this.#blockAt(fields).add(delta);
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
