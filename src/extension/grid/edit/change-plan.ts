import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import type { GridSelection } from '../../../protocol/grid-cells.ts';
import { pageSize } from '../../../protocol/grid-cells.ts';
import type { CellsChange } from '../../../protocol/grid-work.ts';
import { blockWidth, fillsSelection } from '../../../protocol/grid-work.ts';
import { shownText } from '../cells/cell-presentation.ts';
import { rowsIn, settleRanges } from '../rows/positions.ts';
import type { SheetState } from '../rows/sheet-state.ts';

/** What is to be in a cell, by places on screen. */
type Wanted = (row: number, column: GridColumn) => string | null | undefined;

export interface ChangePlan {
  /** Shown rows that are touched, both ends included. */
  readonly rows: readonly { readonly from: number; readonly to: number }[];
  readonly columns: readonly GridColumn[];
  readonly wanted: Wanted;
  readonly rowsAdded: number;
  readonly skipped: readonly GridColumn[];
}

export function columnsOf(state: SheetState, ids: readonly string[]): readonly GridColumn[] {
  return ids.map((id) => state.columnOf(id));
}

const split = (
  columns: readonly GridColumn[],
): { readonly editable: readonly GridColumn[]; readonly skipped: readonly GridColumn[] } => ({
  editable: columns.filter(({ editable }) => editable),
  skipped: columns.filter(({ editable }) => !editable),
});

function planClear(
  state: SheetState,
  { selection, to }: CellsChange & { readonly kind: 'clear' },
): ChangePlan {
  const { editable, skipped } = split(columnsOf(state, selection.columnIds));
  const wanted = (): string | null => (to === 'null' ? null : '');
  return { rows: selection.rows, columns: editable, wanted, rowsAdded: 0, skipped };
}

async function planFill(
  state: SheetState,
  selection: GridSelection,
  signal: AbortSignal,
): Promise<ChangePlan> {
  const { editable, skipped } = split(columnsOf(state, selection.columnIds));
  const [first] = settleRanges(selection.rows, state.shown.count);
  const source = first?.from ?? 0;
  const row = (await state.shown.rows(Math.floor(source / pageSize), signal))[source % pageSize];
  const texts = new Map(
    editable.map((column) => [
      column.id,
      row === undefined ? null : shownText(row.cells[column.id]),
    ]),
  );
  return {
    rows: selection.rows,
    columns: editable,
    wanted: (at, { id }) => (at === source ? undefined : texts.get(id)),
    rowsAdded: 0,
    skipped,
  };
}

function planPaste(
  state: SheetState,
  { position, columnIds, block, selection }: CellsChange & { readonly kind: 'paste' },
): ChangePlan {
  const [[only, ...more] = [], ...others] = block;
  if (only !== undefined && more.length === 0 && others.length === 0) {
    const { editable, skipped } = split(columnsOf(state, selection.columnIds));
    const wanted = (): string | null => only;
    return { rows: selection.rows, columns: editable, wanted, rowsAdded: 0, skipped };
  }
  const [height, width] = [block.length, blockWidth(block)];
  const fills = fillsSelection(block, selection.rows, selection.columnIds.length);
  const targets = columnsOf(state, fills ? selection.columnIds : columnIds.slice(0, width));
  const { editable, skipped } = split(targets);
  const places = new Map(targets.map(({ id }, index) => [id, index % width]));
  const wanted: Wanted = (at, { id }) => block[(at - position) % height]?.[places.get(id) ?? -1];
  if (fills) return { rows: selection.rows, columns: editable, wanted, rowsAdded: 0, skipped };
  // New rows go to the end of the sheet: where the end is not on screen there is no room for them.
  const canGrow = state.shown.view === undefined && state.order === 'asc';
  const count = state.shown.count ?? 0;
  const beyond = Math.max(0, position + height - count);
  return {
    rows: [{ from: position, to: position + height - 1 }],
    columns: editable,
    wanted,
    rowsAdded: canGrow ? beyond : 0,
    skipped,
  };
}

export async function planChange(
  change: CellsChange,
  state: SheetState,
  signal: AbortSignal,
): Promise<ChangePlan> {
  switch (change.kind) {
    case 'clear':
      return planClear(state, change);
    case 'fill':
      return planFill(state, change.selection, signal);
    case 'paste':
      return planPaste(state, change);
  }
}

export const cellsOf = ({ rows, columns, rowsAdded }: ChangePlan, { shown }: SheetState): number =>
  rowsIn(settleRanges(rows, (shown.count ?? 0) + rowsAdded)) * columns.length;
