import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { failureIn } from '../refusal.ts';
import type { Fields } from '../openai/fields.ts';
import { streamError } from '../provider-error.ts';
import type { Accumulator, ProviderEvent } from '../provider.ts';
import type { Reply } from '../reply.ts';
import { CohereReply } from './cohere-reply.ts';
import type { CohereDelta, CohereEvent } from './schema.ts';
import { readDelta, readEvent, readPart, readStart, readToolCall } from './schema.ts';

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
  #ending: CohereDelta | undefined;
  #isOver = false;
  #whole: Mapping | undefined;

  constructor(provider: string) {
    this.#provider = provider;
  }

  get isWhole(): boolean {
    return this.#isOver || this.#whole !== undefined;
  }

  add({ name, data }: ProviderEvent): void {
    if (this.#isOver) return;
    const refusal = failureIn({ name, data });
    if (refusal !== undefined) throw streamError(this.#provider, refusal);
    const event = readEvent(data);
    if (event === undefined) return;
    const type = event.type ?? name;
    if (type === undefined && event.message !== undefined) {
      // A server without streams: the whole answer at once.
      this.#whole = event.raw;
      this.#reply.message(event.message);
    } else if (type === 'message-start') {
      this.#id = event.id;
      this.#role = readStart(event.delta)?.message?.role ?? this.#role;
    } else if (type === 'message-end') this.#end(event);
    else this.#message(event);
  }

  #message({ index = 0, delta, logprobs }: CohereEvent): void {
    const {
      content,
      tool_plan: plan,
      tool_calls: call,
      citations: citation,
    } = readDelta(delta)?.message ?? {};
    const { error } = readDelta(delta) ?? {};
    if (error) throw streamError(this.#provider, { error });
    if (content !== undefined) {
      const part = joined(this.#content.get(index) ?? {}, content);
      const typed = { type: part['thinking'] === undefined ? 'text' : 'thinking', ...part };
      this.#content.set(index, typed);
      this.#reply.part(index, readPart(typed));
    }
    if (plan !== undefined) {
      this.#toolPlan = (this.#toolPlan ?? '') + plan;
      this.#reply.plan(this.#toolPlan);
    }
    if (call !== undefined) {
      const whole = joined(this.#toolCalls.get(index) ?? {}, call);
      this.#toolCalls.set(index, whole);
      this.#reply.toolCall(index, readToolCall(whole));
    }
    if (citation !== undefined) {
      this.#citations.set(index, citation.raw);
      this.#reply.citation(citation);
    }
    if (logprobs !== undefined) this.#logprobs.push(logprobs);
  }

  #end(event: CohereEvent): void {
    const delta = readDelta(event.delta);
    this.#id ??= event.id;
    const { error, finish_reason: reason } = delta ?? {};
    this.#isOver = true;
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
    const { finish_reason = null, usage, error: _, ...rest } = this.#ending?.raw ?? {};
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
