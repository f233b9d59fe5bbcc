import type { GridLayout } from '../../../protocol/grid-sheet.ts';
import type { GridSelection } from '../../../protocol/grid-cells.ts';
import { pageSize } from '../../../protocol/grid-cells.ts';
import { rowsIn, settleRanges } from './positions.ts';
import type { SheetState } from './sheet-state.ts';

/** What is on screen, or selected there, as other features name it. */
export interface ShownPart {
  readonly columnIds: readonly string[];
  /** Absent: all rows. */
  readonly rowIndices?: readonly number[];
  /** Absent: all rows are on screen. */
  readonly shownRows?: readonly number[];
}

/** The columns on screen, in the grid's order: pinned ones first, hidden ones left out. */
export function shownColumns(
  columns: readonly { readonly id: string }[],
  { hidden, pinned, order }: GridLayout,
): ShownPart {
  const ids = columns.map(({ id }) => id);
  const known = new Set(ids);
  const placed = new Set(order);
  const inOrder = [...order.filter((id) => known.has(id)), ...ids.filter((id) => !placed.has(id))];
  const visible = inOrder.filter((id) => !hidden.includes(id));
  const isPinned = (id: string): boolean => pinned.includes(id);
  return {
    columnIds: [...visible.filter(isPinned), ...visible.filter((id) => !isPinned(id))],
  };
}

/** The rows that a filter or a sort shows, by their row indices; undefined: all rows are shown. */
export async function filteredRows(
  { shown, rowCount }: SheetState,
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  const { view, count = 0 } = shown;
  if (view === undefined || count === rowCount) return undefined;
  return count === 0 ? [] : shown.rowIndices([{ from: 0, to: count - 1 }], signal);
}

/** A selection by the row indices that it has now. */
export async function selectedPart(
  state: SheetState,
  { rows, columnIds }: GridSelection,
  signal: AbortSignal,
): Promise<ShownPart> {
  const ranges = settleRanges(rows, state.rowCount);
  if (rowsIn(ranges) === state.rowCount) return { columnIds };
  return { columnIds, rowIndices: await state.shown.rowIndices(ranges, signal) };
}

/**
 * The position of a row, found page by page from where it would be if no row were missing: indices
 * have gaps, so it is never further down than that.
 */
export async function positionOf(
  state: SheetState,
  rowIndex: number,
  signal: AbortSignal,
): Promise<number> {
  const count = state.rowCount ?? 0;
  const isRising = state.order === 'asc';
  const guess = isRising ? Math.min(rowIndex, count - 1) : Math.max(0, count - 1 - rowIndex);
  let page = Math.max(0, Math.floor(guess / pageSize));
  for (let step = 0; ;) {
    const { rowIndices } = (await state.pages.get(page, signal)).grid;
    const [first = rowIndex] = rowIndices;
    const last = rowIndices.at(-1) ?? rowIndex;
    const isBefore = isRising ? rowIndex < first : rowIndex > first;
    const isAfter = isRising ? rowIndex > last : rowIndex < last;
    const way = isBefore ? -1 : isAfter ? 1 : 0;
    const next = page + way;
    const isThere = way === 0 || way === -step || next < 0 || next * pageSize >= count;
    if (!isThere) {
      step = way;
      page = next;
      continue;
    }
    const place = rowIndices.findIndex((index) =>
      isRising ? index >= rowIndex : index <= rowIndex,
    );
    return page * pageSize + (place < 0 ? Math.max(0, rowIndices.length - 1) : place);
  }
}
