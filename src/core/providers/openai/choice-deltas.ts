import type { Mapping } from '../../mapping.ts';
import type { ChatChoiceChunk, ChatMessage } from './chat-schema.ts';
import { readMessage } from './chat-schema.ts';

/** A whole message as a delta: its calls get the number of their place. */
export function numbered({ raw, tool_calls: calls }: ChatMessage): Mapping {
  return calls === undefined
    ? raw
    : { ...raw, tool_calls: calls.map((call, index) => ({ ...call.raw, index })) };
}

const saysNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether a delta adds something to the message, more than who speaks. */
const isSaying = (delta: Mapping): boolean =>
  Object.entries(delta).some(([name, value]) => name !== 'role' && !saysNothing(value));

/**
 * What each chunk adds to a choice. Some servers send the message so far beside the delta, in every
 * chunk or in the last: it is the same text again, and counts only where no delta has said anything.
 */
export class ChoiceDeltas {
  #hasDelta = false;
  readonly #before = new Map<string, string>();
  #hasCalls = false;

  of({ delta, message }: ChatChoiceChunk): ChatMessage | undefined {
    if (delta !== undefined && isSaying(delta.raw)) {
      this.#hasDelta = true;
      return delta;
    }
    return message === undefined || this.#hasDelta ? delta : readMessage(this.#news(message));
  }

  /** What a message has more than the one before: where texts begin like those before, their rest. */
  #news(message: ChatMessage): Mapping {
    const { tool_calls: calls, ...rest } = numbered(message);
    const more: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(rest)) {
      const before = this.#before.get(name) ?? '';
      if (typeof value !== 'string' || name === 'role') more[name] = value;
      else {
        const isWhole = value.startsWith(before);
        more[name] = isWhole ? value.slice(before.length) : value;
        this.#before.set(name, isWhole ? value : before + value);
      }
    }
    if (calls !== undefined && !this.#hasCalls) {
      more['tool_calls'] = calls;
      this.#hasCalls = (message.tool_calls ?? []).length > 0;
    }
    return more;
  }
}
