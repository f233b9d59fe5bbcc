import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { refusalIn } from '../refusal.ts';
import type { Fields } from '../openai/fields.ts';
import { numberOf, textOf } from '../openai/fields.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { CohereReply } from './cohere-reply.ts';

/** Fields of a part, a tool call's function or a plan that continue what came before. */
function joined(before: Mapping, more: Mapping): Mapping {
  const after: Fields = { ...before };
  for (const [name, value] of Object.entries(more)) {
    const known = before[name];
    after[name] =
      typeof known === 'string' && typeof value === 'string' && name !== 'type' && name !== 'id'
        ? known + value
        : isMapping(known) && isMapping(value)
          ? joined(known, value)
          : value;
  }
  return after;
}

const inOrder = (items: ReadonlyMap<number, Mapping>): Mapping[] =>
  [...items].sort(([a], [b]) => a - b).map(([, item]) => item);

/** Streams of Cohere's chat. Parts, tool calls and citations each count from zero. */
export class CohereAccumulator implements Accumulator {
  readonly #provider: string;
  readonly #content = new Map<number, Mapping>();
  readonly #toolCalls = new Map<number, Mapping>();
  readonly #citations = new Map<number, Mapping>();
  readonly #logprobs: unknown[] = [];
  readonly #reply = new CohereReply();
  #id: unknown;
  #role: unknown = 'assistant';
  #toolPlan: string | undefined;
  #ending: Mapping | undefined;
  #whole: Mapping | undefined;

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    return this.#ending !== undefined || this.#whole !== undefined;
  }

  add({ name, data }: ProviderEvent): void {
    const refusal = name === 'error' ? data : refusalIn(data);
    if (refusal !== undefined) throw streamError(this.#provider, refusal);
    if (!isMapping(data)) return;
    const type = textOf(data['type']) ?? name;
    if (type === undefined && isMapping(data['message'])) {
      // A server without streams: the whole answer at once.
      this.#whole = data;
      this.#reply.message(data['message']);
      return;
    }
    const delta = isMapping(data['delta']) ? data['delta'] : {};
    const message = isMapping(delta['message']) ? delta['message'] : {};
    if (type === 'message-start') {
      this.#id = data['id'];
      this.#role = message['role'] ?? this.#role;
    } else if (type === 'message-end') this.#end(data, delta);
    else this.#message(numberOf(data['index']) ?? 0, message, data['logprobs']);
  }

  #message(index: number, message: Mapping, logprobs: unknown): void {
    const { content, tool_plan: plan, tool_calls: call, citations: citation } = message;
    if (isMapping(content)) {
      const part = joined(this.#content.get(index) ?? {}, content);
      const typed = { type: part['thinking'] === undefined ? 'text' : 'thinking', ...part };
      this.#content.set(index, typed);
      this.#reply.part(index, typed);
    }
    if (typeof plan === 'string') {
      this.#toolPlan = (this.#toolPlan ?? '') + plan;
      this.#reply.plan(this.#toolPlan);
    }
    if (isMapping(call)) {
      const whole = joined(this.#toolCalls.get(index) ?? {}, call);
      this.#toolCalls.set(index, whole);
      this.#reply.toolCall(index, whole);
    }
    if (isMapping(citation)) {
      this.#citations.set(index, citation);
      this.#reply.citation(citation);
    }
    if (isMapping(logprobs)) this.#logprobs.push(logprobs);
  }

  #end(data: Mapping, delta: Mapping): void {
    this.#id ??= data['id'];
    const { error, finish_reason: reason } = delta;
    this.#ending = delta;
    if (error !== undefined && error !== null) throw streamError(this.#provider, { error });
    if (reason === 'ERROR') {
      throw streamError(this.#provider, { error: 'its model failed', code: reason });
    }
  }

  reply(): Reply {
    return this.#reply.reply();
  }

  response(): unknown {
    if (this.#whole !== undefined) return this.#whole;
    const { finish_reason = null, usage, error: _, ...rest } = this.#ending ?? {};
    return {
      id: this.#id,
      ...rest,
      finish_reason,
      message: {
        role: this.#role,
        ...(this.#content.size > 0 && { content: inOrder(this.#content) }),
        ...(this.#toolPlan !== undefined && { tool_plan: this.#toolPlan }),
        ...(this.#toolCalls.size > 0 && { tool_calls: inOrder(this.#toolCalls) }),
        ...(this.#citations.size > 0 && { citations: inOrder(this.#citations) }),
      },
      ...(usage !== undefined && { usage }),
      ...(this.#logprobs.length > 0 && { logprobs: this.#logprobs }),
    };
  }
}
