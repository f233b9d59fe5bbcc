import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { mappingsOf } from './fields.ts';

/** A whole message as a delta: its calls get the number of their place. */
export function numbered(message: Mapping): Mapping {
  const calls = message['tool_calls'];
  return Array.isArray(calls)
    ? { ...message, tool_calls: mappingsOf(calls).map((call, index) => ({ ...call, index })) }
    : message;
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

  of({ delta, message }: Mapping): Mapping | undefined {
    const own = isMapping(delta) ? delta : undefined;
    if (own !== undefined && isSaying(own)) {
      this.#hasDelta = true;
      return own;
    }
    return isMapping(message) && !this.#hasDelta ? this.#news(message) : own;
  }

  /** What a message has more than the one before: where texts begin like those before, their rest. */
  #news(message: Mapping): Mapping {
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
      this.#hasCalls = mappingsOf(calls).length > 0;
    }
    return more;
  }
}
