import type { Comparable } from '../../../core/comparison.ts';
import { parseJson } from '../../../core/http/json.ts';
import type { Numeral } from '../../../core/numeral.ts';
import { compareNumerals, numeralIn } from '../../../core/numeral.ts';
import type { CellKind } from '../../../protocol/grid-cells.ts';

const collator = new Intl.Collator(undefined, { numeric: true });

export const hasValue = (kind: CellKind): boolean =>
  kind === 'text' || kind === 'number' || kind === 'boolean' || kind === 'json';

/** What a cell holds, from its text; a JSON text that is cut short counts as the text that it is. */
export function comparableOf(kind: CellKind, text: string): Comparable {
  if (!hasValue(kind)) return null;
  if (kind === 'boolean') return text === 'true';
  if (kind !== 'json') return text;
  try {
    return parseJson(text) as Comparable;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}

/** What a cell is sorted by; undefined: it has no value. */
export type OrderKey = Numeral | string | undefined;

export const orderKey = (kind: CellKind, text: string): OrderKey =>
  hasValue(kind) ? (numeralIn(text) ?? text) : undefined;

/** Numbers by size, then texts as people sort them. Cells without a value come last either way. */
export function compareKeys(one: OrderKey, other: OrderKey, direction: 1 | -1): number {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  if (typeof one === 'string' && typeof other === 'string') {
    return collator.compare(one, other) * direction;
  }
  if (typeof one === 'string') return direction;
  if (typeof other === 'string') return -direction;
  return compareNumerals(one, other) * direction;
}
