/** The same made-up values for every contender, kept by page as a grid's feed would keep them. */
import { previewLength } from '../../../src/protocol/grid-cells.ts';
import { cellOf, makeColumns, type MadeCell } from '../../browser/support/grid-data.ts';
import { columnCount } from './contender.ts';

const pageSize = 100;
const pages = new Map<number, readonly (readonly MadeCell[])[]>();
const changed = new Map<number, string>();
export const columns = makeColumns(columnCount);

function page(number: number): readonly (readonly MadeCell[])[] {
  const known = pages.get(number);
  if (known !== undefined) return known;
  const rows = Array.from({ length: pageSize }, (_, place) =>
    columns.map((column) => cellOf(column, number * pageSize + place)),
  );
  pages.set(number, rows);
  const oldest = pages.keys().next().value;
  if (pages.size > 60 && oldest !== undefined) pages.delete(oldest);
  return rows;
}

export function textAt(row: number, column: number): string {
  const now = changed.get(row * 64 + column);
  if (now !== undefined) return now;
  const text = page(Math.floor(row / pageSize))[row % pageSize]?.[column]?.text ?? '';
  return text.length > previewLength ? text.slice(0, previewLength) : text;
}

export function change(row: number, column: number, text: string): void {
  changed.set(row * 64 + column, text);
}
