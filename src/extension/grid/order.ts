import type { CellKind } from '../../protocol/grid.ts';

const collator = new Intl.Collator(undefined, { numeric: true });
const isNumeral = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i;

export const hasValue = (kind: CellKind): boolean =>
  kind === 'text' || kind === 'number' || kind === 'boolean' || kind === 'json';

/** The number that a text spells. */
export const numberIn = (text: string): number | undefined =>
  isNumeral.test(text) ? Number(text) : undefined;

/** What a cell is sorted by; undefined: it has no value. */
export type OrderKey = number | string | undefined;

export const orderKey = (kind: CellKind, text: string): OrderKey =>
  hasValue(kind) ? (numberIn(text) ?? text) : undefined;

/** Numbers by size, then texts as people sort them. Cells without a value come last either way. */
export function compareKeys(one: OrderKey, other: OrderKey, direction: 1 | -1): number {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  if (typeof one === 'number' && typeof other === 'number') return (one - other) * direction;
  if (typeof one === 'number' || typeof other === 'number') {
    return (typeof one === 'number' ? -1 : 1) * direction;
  }
  return collator.compare(one, other) * direction;
}
