import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import type { Fields } from './fields.ts';
import { numberOf, textOf } from './fields.ts';
import { ownValue } from '../../../api/own-value.ts';

/** The id of a call, if it has one. */
export const idOf = ({ id }: Mapping): string | undefined =>
  typeof id === 'string' && id !== '' ? id : undefined;

interface Slot {
  readonly at: number;
  id: string | undefined;
}

/** Whether a piece begins a call: only then has it a name. */
function hasName({ function: given, custom }: Mapping): boolean {
  const part = isMapping(given) ? given : custom;
  return isMapping(part) && typeof part['name'] === 'string' && part['name'] !== '';
}

/**
 * Tells the pieces of the calls of one message apart. By `index`; where a server has none, each
 * call begins with an id. Some give every call the index 0: another id and a name there are another
 * call. An id alone is not: some make up a new one for every piece.
 */
export class CallOrder {
  readonly #byIndex = new Map<number, Slot>();
  #last: Slot | undefined;
  #count = 0;

  /** The number of the call, as they came. */
  indexOf(call: Mapping): number {
    const { index } = call;
    const id = idOf(call);
    const known = typeof index === 'number' ? this.#byIndex.get(index) : this.#last;
    const isSame = id === undefined || known?.id === undefined || known.id === id;
    if (known !== undefined && (isSame || !hasName(call))) {
      known.id ??= id;
      this.#last = known;
      return known.at;
    }
    const slot = { at: this.#count, id };
    this.#count += 1;
    if (typeof index === 'number') this.#byIndex.set(index, slot);
    this.#last = slot;
    return slot.at;
  }
}

/** The text of arguments that came as text, or, from servers that send whole calls, as an object. */
export function argumentsOf(given: unknown): string | undefined {
  return isMapping(given) ? JSON.stringify(given) : textOf(given);
}

interface CallSoFar {
  readonly index: number | undefined;
  readonly fields: Fields;
  /** `function`, or `custom` for a tool without a schema. */
  readonly parts: Map<string, Fields>;
}

const kinds: Readonly<Record<string, string>> = { function: 'arguments', custom: 'input' };

/** The tool calls of one streamed message. */
export class ToolCalls {
  readonly #order = new CallOrder();
  readonly #calls = new Map<number, CallSoFar>();
  readonly #keepsIndex: boolean;

  constructor({ keepsIndex }: { readonly keepsIndex: boolean }) {
    this.#keepsIndex = keepsIndex;
  }

  add(call: Mapping): void {
    const at = this.#order.indexOf(call);
    let known = this.#calls.get(at);
    if (known === undefined) {
      known = { index: numberOf(call['index']), fields: {}, parts: new Map() };
      this.#calls.set(at, known);
    }
    for (const [name, value] of Object.entries(call)) {
      const growing = ownValue(kinds, name);
      if (growing !== undefined && isMapping(value)) {
        known.parts.set(name, withMore(known.parts.get(name) ?? {}, value, growing));
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

function withMore(before: Fields, more: Mapping, growing: string): Fields {
  const grown = before[growing];
  const piece = more[growing];
  const after: Fields = { ...before, ...more };
  if (typeof more['name'] !== 'string' || more['name'] === '') {
    if (before['name'] === undefined) delete after['name'];
    else after['name'] = before['name'];
  }
  after[growing] =
    typeof piece === 'string' ? `${textOf(grown) ?? ''}${piece}` : (piece ?? grown ?? '');
  return after;
}
