import type { Mapping } from '../mapping.ts';
import { deepFreeze } from '../mapping.ts';

export interface ToolCall extends Mapping {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON text, as far as it has come. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What a model said, in the words of the prompt blueprint. */
export interface Reply {
  /** Parts such as `{ type: 'text', text }` and `{ type: 'thinking', thinking, signature }`. */
  readonly content: readonly Mapping[];
  readonly tool_calls: readonly ToolCall[];
}

export const emptyReply: Reply = Object.freeze({
  content: Object.freeze([]),
  tool_calls: Object.freeze([]),
});

type Key = string | number;

/**
 * A list that grows: its items are replaced, never changed, and the list is copied only when it is
 * asked for and something is new.
 */
class Slots<Item> {
  readonly #at = new Map<Key, number>();
  readonly #items: Item[] = [];
  #list: readonly Item[] = Object.freeze([]);
  #isNew = false;

  get(key: Key): Item | undefined {
    const at = this.#at.get(key);
    return at === undefined ? undefined : this.#items[at];
  }

  set(key: Key, item: Item): void {
    const at = this.#at.get(key);
    if (at === undefined) {
      this.#at.set(key, this.#items.length);
      this.#items.push(item);
    } else {
      this.#items[at] = item;
    }
    this.#isNew = true;
  }

  list(): readonly Item[] {
    if (this.#isNew) {
      this.#list = Object.freeze([...this.#items]);
      this.#isNew = false;
    }
    return this.#list;
  }
}

/**
 * Builds a reply out of pieces as they come. Keys that the caller chooses distinguish the parts
 * (an index, an item id) and stand in the order in which they first came.
 */
export class ReplyBuilder {
  readonly #content = new Slots<Mapping>();
  readonly #toolCalls = new Slots<ToolCall>();
  #reply: Reply = emptyReply;

  /** Appends to the field `field` of a part, which begins as `start`. */
  append(key: Key, start: Mapping, field: string, more: string): void {
    const part = this.#content.get(key) ?? start;
    const before = part[field];
    const text = typeof before === 'string' ? before + more : more;
    this.#content.set(key, deepFreeze({ ...part, [field]: text }));
  }

  text(key: Key, more: string, extra: Mapping = {}): void {
    this.append(key, { type: 'text', text: '', ...extra }, 'text', more);
  }

  thinking(key: Key, more: string, extra: Mapping = {}): void {
    this.append(key, { type: 'thinking', thinking: '', ...extra }, 'thinking', more);
  }

  /** Puts a whole part there, or changes some fields of the one that is there. */
  part(key: Key, fields: Mapping): void {
    this.#content.set(key, deepFreeze({ ...this.#content.get(key), ...fields }));
  }

  has(key: Key): boolean {
    return this.#content.get(key) !== undefined;
  }

  /** A piece of a tool call: `arguments` is appended, everything else replaces. */
  toolCall(
    key: Key,
    {
      id,
      name,
      arguments: more = '',
      ...extra
    }: {
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly arguments?: string | undefined;
      readonly [other: string]: unknown;
    },
  ): void {
    const before = this.#toolCalls.get(key);
    this.#toolCalls.set(
      key,
      deepFreeze({
        ...before,
        ...extra,
        id: id ?? before?.id ?? '',
        type: 'function',
        function: {
          name: name ?? before?.function.name ?? '',
          arguments: (before?.function.arguments ?? '') + more,
        },
      }),
    );
  }

  /** The whole arguments are known now. */
  toolArguments(key: Key, whole: string): void {
    const before = this.#toolCalls.get(key);
    if (before === undefined) return;
    this.#toolCalls.set(
      key,
      Object.freeze({
        ...before,
        function: Object.freeze({ ...before.function, arguments: whole }),
      }),
    );
  }

  reply(): Reply {
    const content = this.#content.list();
    const toolCalls = this.#toolCalls.list();
    if (content !== this.#reply.content || toolCalls !== this.#reply.tool_calls) {
      this.#reply = Object.freeze({ content, tool_calls: toolCalls });
    }
    return this.#reply;
  }
}
