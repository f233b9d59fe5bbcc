import type { RowRange } from '../../../protocol/grid-cells.ts';

/** A place on screen: row position (-1: the header) and place among the shown columns. */
export interface Spot {
  readonly row: number;
  readonly column: number;
}

export interface Extent {
  readonly rows: number;
  readonly columns: number;
}

/** What is selected: every combination of `rows` and `columns` (both ends included). */
export interface Selection {
  /** Where extending began. */
  readonly anchor: Spot;
  /** The moving corner; also the cursor unless whole rows or columns are selected. */
  readonly head: Spot;
  readonly cursor: Spot;
  readonly rows: readonly RowRange[];
  readonly columns: readonly RowRange[];
}

export const headerRow = -1;

const between = (a: number, b: number): RowRange => ({ from: Math.min(a, b), to: Math.max(a, b) });
const clamp = (value: number, last: number): number => Math.max(0, Math.min(last, value));

export function atSpot(spot: Spot): Selection {
  const cells = spot.row === headerRow ? [] : [{ from: spot.row, to: spot.row }];
  return {
    anchor: spot,
    head: spot,
    cursor: spot,
    rows: cells,
    columns: [{ from: spot.column, to: spot.column }],
  };
}

/** From the anchor to `head`. The cursor stays where it is. */
export function extendTo(selection: Selection, head: Spot): Selection {
  const { anchor } = selection;
  if (anchor.row === headerRow || head.row === headerRow) return atSpot(head);
  return {
    ...selection,
    head,
    cursor: anchor,
    rows: [between(anchor.row, head.row)],
    columns: [between(anchor.column, head.column)],
  };
}

/** Sorted, overlaps and neighbours joined. */
export function joinRanges(ranges: readonly RowRange[]): readonly RowRange[] {
  const sorted = [...ranges].sort((a, b) => a.from - b.from);
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

const everything = (count: number): readonly RowRange[] =>
  count > 0 ? [{ from: 0, to: count - 1 }] : [];

/** Whole rows. `add`: beside those selected already; `extend`: from the anchor on. */
export function selectRows(
  selection: Selection,
  row: number,
  extent: Extent,
  how: { readonly add?: boolean; readonly extend?: boolean } = {},
): Selection {
  const isWhole = covers(selection.columns, extent.columns);
  const anchor = how.extend ? { ...selection.anchor } : { row, column: selection.cursor.column };
  const range = between(Math.max(0, anchor.row), row);
  return {
    anchor,
    head: { row, column: extent.columns - 1 },
    cursor: how.extend ? selection.cursor : { row, column: selection.cursor.column },
    rows: how.add && isWhole ? joinRanges([...selection.rows, range]) : [range],
    columns: everything(extent.columns),
  };
}

export function selectColumns(
  selection: Selection,
  column: number,
  extent: Extent,
  how: { readonly add?: boolean; readonly extend?: boolean } = {},
): Selection {
  const isWhole = covers(selection.rows, extent.rows);
  const anchor = how.extend ? selection.anchor : { row: selection.cursor.row, column };
  const range = between(anchor.column, column);
  return {
    anchor,
    head: { row: extent.rows - 1, column },
    cursor: how.extend ? selection.cursor : { row: selection.cursor.row, column },
    rows: everything(extent.rows),
    columns: how.add && isWhole ? joinRanges([...selection.columns, range]) : [range],
  };
}

export function selectAll(selection: Selection, extent: Extent): Selection {
  return { ...selection, rows: everything(extent.rows), columns: everything(extent.columns) };
}

const countIn = (ranges: readonly RowRange[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);

const covers = (ranges: readonly RowRange[], count: number): boolean =>
  count > 0 && countIn(ranges) >= count;

export function sizeOf(selection: Selection): { readonly rows: number; readonly columns: number } {
  return { rows: countIn(selection.rows), columns: countIn(selection.columns) };
}

export function isSingle(selection: Selection): boolean {
  const { rows, columns } = sizeOf(selection);
  return rows <= 1 && columns <= 1;
}

export function includes(ranges: readonly RowRange[], index: number): boolean {
  return ranges.some(({ from, to }) => index >= from && index <= to);
}

/** Keeps a selection within a sheet that has changed its size. */
export function clip(selection: Selection, extent: Extent): Selection {
  const fit = ({ row, column }: Spot): Spot => ({
    row: row === headerRow ? row : clamp(row, extent.rows - 1),
    column: column < 0 ? column : clamp(column, extent.columns - 1),
  });
  const cut = (ranges: readonly RowRange[], count: number): readonly RowRange[] =>
    ranges
      .filter(({ from }) => from < count)
      .map(({ from, to }) => ({ from, to: Math.min(to, count - 1) }));
  return {
    anchor: fit(selection.anchor),
    head: fit(selection.head),
    cursor: fit(selection.cursor),
    rows: cut(selection.rows, extent.rows),
    columns: cut(selection.columns, extent.columns),
  };
}
