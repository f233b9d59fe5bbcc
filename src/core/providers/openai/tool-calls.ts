import type { Mapping } from '../../mapping.ts';
import type { ChatToolCall } from './chat-schema.ts';
import type { Fields } from './fields.ts';
import { textOf } from './fields.ts';
import { JsonEnd } from '../json-end.ts';
import { givenTo } from '../tool-arguments.ts';

/** The id of a call, if it has one. Some servers write the word "null" for none. */
export const idOf = ({ id }: ChatToolCall): string | undefined =>
  id === '' || id === 'null' ? undefined : id;

/** Some servers write the number of a call as text. */
const indexOf = ({ index, raw }: ChatToolCall): number | undefined => {
  const written = raw['index'];
  return index ?? (typeof written === 'string' && /^\d+$/.test(written) ? +written : undefined);
};

interface Slot {
  /** The number of the call, as they came. */
  readonly at: number;
  id: string | undefined;
  /** As far as it has come. */
  name: string | undefined;
  readonly end: JsonEnd;
  hasArguments: boolean;
}

interface Piece {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly more: string;
}

function pieceOf(call: ChatToolCall): Piece {
  const part = call.function ?? call.custom;
  return {
    id: idOf(call),
    name: part?.name === '' ? undefined : part?.name,
    more: givenTo(part) ?? '',
  };
}

/** A name may come in pieces, before its arguments, or again and again as a whole. */
function grownName({ name: before, hasArguments }: Slot, { name }: Piece): string | undefined {
  if (before === undefined || name === undefined) return before ?? name;
  if (hasArguments || before.startsWith(name)) return before;
  return name.startsWith(before) ? name : before + name;
}

/**
 * Tells the pieces of the calls of one message apart. By `index`; where a server has none, each
 * call begins with an id. Some give every call the index 0: another id and a name there are another
 * call. An id alone is not: some make up a new one for every piece. Some give neither: a name begins
 * another call when the one before is complete, or stands in the same delta; a name that is only
 * repeated, while the arguments still come, does not.
 */
export class CallOrder {
  readonly #byIndex = new Map<number, Slot>();
  readonly #byId = new Map<string, Slot>();
  /** Those of the delta that is being read. */
  readonly #ofDelta = new Set<Slot>();
  #last: Slot | undefined;
  #count = 0;

  /** A delta begins: what it lists without an index are different calls. */
  begin(): void {
    this.#ofDelta.clear();
  }

  /** The call that a piece belongs to. */
  take(call: ChatToolCall): Readonly<Slot> {
    const index = indexOf(call);
    const piece = pieceOf(call);
    const known = index === undefined ? this.#withoutIndex(piece) : this.#byIndex.get(index);
    const slot =
      known !== undefined && !this.#isNext(known, piece, index) ? known : this.#open(index, piece);
    slot.id ??= piece.id;
    if (slot.id !== undefined) this.#byId.set(slot.id, slot);
    slot.name = grownName(slot, piece);
    slot.end.add(piece.more);
    slot.hasArguments ||= piece.more !== '';
    this.#ofDelta.add(slot);
    this.#last = slot;
    return slot;
  }

  /** A call that is known by its id goes on with it, whatever came between. */
  #withoutIndex({ id, name }: Piece): Slot | undefined {
    const known = id === undefined || name !== undefined ? undefined : this.#byId.get(id);
    return known ?? this.#last;
  }

  #isNext(known: Slot, { id, name, more }: Piece, index: number | undefined): boolean {
    if (name === undefined) return false;
    if (id !== undefined && known.id !== undefined) return known.id !== id;
    if (known.name === undefined) return false;
    if (this.#ofDelta.has(known)) return true;
    if (index === undefined && name !== known.name && !known.hasArguments) return true;
    return known.end.isComplete && (more !== '' || name !== known.name);
  }

  #open(index: number | undefined, { id }: Piece): Slot {
    const slot = {
      ...{ at: this.#count, id, name: undefined },
      ...{ end: new JsonEnd(), hasArguments: false },
    };
    this.#count += 1;
    if (index !== undefined) this.#byIndex.set(index, slot);
    return slot;
  }
}

interface CallSoFar {
  readonly index: number | undefined;
  readonly fields: Fields;
  /** `function`, or `custom` for a tool without a schema. */
  readonly parts: Map<string, Fields>;
}

const kinds = { function: 'arguments', custom: 'input' } as const;

/** The tool calls of one streamed message. */
export class ToolCalls {
  readonly #order = new CallOrder();
  readonly #calls = new Map<number, CallSoFar>();
  readonly #keepsIndex: boolean;

  constructor({ keepsIndex }: { readonly keepsIndex: boolean }) {
    this.#keepsIndex = keepsIndex;
  }

  /** Takes in the calls that one delta lists. */
  add(calls: readonly ChatToolCall[]): void {
    this.#order.begin();
    for (const call of calls) this.#add(call);
  }

  #add(call: ChatToolCall): void {
    const { at, name: called } = this.#order.take(call);
    let known = this.#calls.get(at);
    if (known === undefined) {
      known = { index: indexOf(call), fields: {}, parts: new Map() };
      this.#calls.set(at, known);
    }
    for (const [name, value] of Object.entries(call.raw)) {
      const kind = name === 'function' || name === 'custom' ? name : undefined;
      const more = kind && call[kind];
      if (kind !== undefined && more !== undefined) {
        const before = known.parts.get(name) ?? {};
        known.parts.set(name, withMore(before, more.raw, kinds[kind], called));
      } else if (value !== null && value !== '' && (name !== 'index' || this.#keepsIndex)) {
        if (name === 'id') known.fields['id'] ??= value;
        else known.fields[name] = value;
      }
    }
  }

  whole(): Fields[] {
    return [...this.#calls.values()]
      .sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
      .map(({ fields, parts }) => ({ ...fields, ...Object.fromEntries(parts) }));
  }
}

function withMore(
  before: Fields,
  more: Mapping,
  growing: string,
  name: string | undefined,
): Fields {
  const grown = before[growing];
  const piece = [more[growing], more['parameters']].find(isGiven);
  const after: Fields = { ...before, ...more };
  if (name === undefined) delete after['name'];
  else after['name'] = name;
  after[growing] =
    typeof piece === 'string' ? `${textOf(grown) ?? ''}${piece}` : (piece ?? grown ?? '');
  return after;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
