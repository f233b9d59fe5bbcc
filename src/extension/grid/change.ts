import { unguardFormula } from '../../core/exports/formula-guard.ts';
import type { Row } from '../../api/row.ts';
import type { GridColumn, GridSelection } from '../../protocol/grid.ts';
import { pageSize } from '../../protocol/grid.ts';
import type { CellsChange, ChangeOutcome } from '../../protocol/grid-work.ts';
import { isCancellation } from '../../core/errors.ts';
import { faceOf } from './cell-face.ts';
import { enteredText, inputFault } from './cell-input.ts';
import type { Desk } from './desk.ts';
import type { CellChange, Edits } from './edits.ts';
import { rowsIn, settleRanges } from './positions.ts';
import type { SheetState } from './sheet-state.ts';

export interface ChangeContext {
  readonly state: SheetState;
  readonly desk: Desk;
  readonly edits: Edits;
  /** Appends rows to the sheet and shows them. */
  readonly addRows: (count: number, signal: AbortSignal) => Promise<unknown>;
}

/** What is to be in a cell, by places on screen. */
type Wanted = (row: number, column: GridColumn) => string | null | undefined;

interface Plan {
  /** Shown rows that are touched, both ends included. */
  readonly rows: readonly { readonly from: number; readonly to: number }[];
  readonly columns: readonly GridColumn[];
  readonly wanted: Wanted;
  readonly rowsAdded: number;
  readonly skipped: readonly GridColumn[];
}

const shownText = (row: Row, column: GridColumn): string | null => {
  const { kind, text } = faceOf(row.cells[column.id], { computed: false, system: false }, Infinity);
  return kind === 'null' || kind === 'missing' ? null : text;
};

function columnsOf(state: SheetState, ids: readonly string[]): readonly GridColumn[] {
  return ids.map((id) => state.columnOf(id));
}

const split = (
  columns: readonly GridColumn[],
): { readonly editable: readonly GridColumn[]; readonly skipped: readonly GridColumn[] } => ({
  editable: columns.filter(({ editable }) => editable),
  skipped: columns.filter(({ editable }) => !editable),
});

function planClear(
  { state }: ChangeContext,
  { selection, to }: CellsChange & { readonly kind: 'clear' },
): Plan {
  const { editable, skipped } = split(columnsOf(state, selection.columnIds));
  const wanted = (): string | null => (to === 'null' ? null : '');
  return { rows: selection.rows, columns: editable, wanted, rowsAdded: 0, skipped };
}

async function planFill(
  { state }: ChangeContext,
  selection: GridSelection,
  signal: AbortSignal,
): Promise<Plan> {
  const { editable, skipped } = split(columnsOf(state, selection.columnIds));
  const [first] = settleRanges(selection.rows, state.shown.count);
  const source = first?.from ?? 0;
  const row = (await state.shown.rows(Math.floor(source / pageSize), signal))[source % pageSize];
  const texts = new Map(
    editable.map((column) => [column.id, row === undefined ? null : shownText(row, column)]),
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
  { state, desk }: ChangeContext,
  { position, columnIds, block, selection }: CellsChange & { readonly kind: 'paste' },
): Plan {
  const [[only, ...more] = [], ...others] = block;
  if (only !== undefined && more.length === 0 && others.length === 0) {
    const { editable, skipped } = split(columnsOf(state, selection.columnIds));
    const wanted = (): string | null => only;
    return { rows: selection.rows, columns: editable, wanted, rowsAdded: 0, skipped };
  }
  // What copying has put in front of texts is no part of them.
  const { formulaGuard } = desk.copySettings();
  const own = (text: string | null | undefined): string | null | undefined =>
    typeof text === 'string' && formulaGuard ? unguardFormula(text) : text;
  const width = Math.max(0, ...block.map((cells) => cells.length));
  const targets = columnsOf(state, columnIds).slice(0, width);
  const { editable, skipped } = split(targets);
  const places = new Map(targets.map(({ id }, index) => [id, index]));
  // New rows go to the end of the sheet: where the end is not on screen there is no room for them.
  const canGrow = state.shown.view === undefined && state.order === 'asc';
  const count = state.shown.count ?? 0;
  const beyond = Math.max(0, position + block.length - count);
  return {
    rows: [{ from: position, to: position + block.length - 1 }],
    columns: editable,
    wanted: (at, { id }) => own(block[at - position]?.[places.get(id) ?? -1]),
    rowsAdded: canGrow ? beyond : 0,
    skipped,
  };
}

/** More are asked about first: each is a request of its own. */
const quietCells = 2000;
const mostCells = 100_000;

const cellsOf = ({ rows, columns, rowsAdded }: Plan, { shown }: SheetState): number =>
  rowsIn(settleRanges(rows, (shown.count ?? 0) + rowsAdded)) * columns.length;

/** Asks once, before anything is changed, when it does more than its user can see. */
async function isAgreed(plan: Plan, change: CellsChange, { desk, state }: ChangeContext) {
  const { t } = desk;
  const notes: string[] = [];
  const most = cellsOf(plan, state);
  if (most > quietCells) {
    notes.push(t('Up to {0} cells are changed, with a request for each.', most));
  }
  if (plan.rowsAdded > 0) notes.push(t('{0} rows are added at the end.', plan.rowsAdded));
  if (change.kind === 'paste') {
    const width = Math.max(0, ...change.block.map((cells) => cells.length));
    const lost = width - change.columnIds.length;
    if (lost > 0) notes.push(t('{0} columns of the block have no column here.', lost));
    const beyond = change.position + change.block.length - (state.shown.count ?? 0);
    if (beyond > plan.rowsAdded && change.block.length > 1) {
      const hidden = beyond - plan.rowsAdded;
      notes.push(
        t(
          '{0} rows of the block have no row here: rows are added only while all rows are shown, first rows first.',
          hidden,
        ),
      );
    }
    if (plan.skipped.length > 0) {
      const titles = plan.skipped.map(({ title }) => title).join(', ');
      notes.push(t('Skipped, because they are computed: {0}.', titles));
    }
  }
  return notes.length === 0 || desk.confirmChange(notes);
}

/** The changes that differ from what the service holds now; texts that do not fit are counted. */
async function changesOf(
  plan: Plan,
  { state, desk }: ChangeContext,
  signal: AbortSignal,
): Promise<{ readonly changes: readonly CellChange[]; readonly faults: readonly string[] }> {
  const changes: CellChange[] = [];
  const faults: string[] = [];
  const ranges = settleRanges(plan.rows, state.shown.count);
  let read: { readonly page: number; readonly rows: readonly Row[] } | undefined;
  for (const { from, to } of ranges) {
    for (let at = from; at <= to; at += 1) {
      const page = Math.floor(at / pageSize);
      if (read?.page !== page) read = { page, rows: await state.shown.rows(page, signal) };
      const row = read.rows[at % pageSize];
      if (row === undefined) continue;
      for (const column of plan.columns) {
        const given = plan.wanted(at, column);
        if (given === undefined) continue;
        const text = enteredText(column, given);
        const base = shownText(row, column);
        if (text === base) continue;
        const fault = inputFault(column, text, desk.t);
        const cellId = row.cells[column.id]?.id;
        const id = cellId === undefined ? {} : { cellId };
        const address = { columnId: column.id, rowIndex: row.row_index };
        if (fault === undefined) changes.push({ ...address, text, base, ...id });
        else faults.push(fault);
      }
    }
  }
  return { changes, faults };
}

const planOf = async (
  change: CellsChange,
  context: ChangeContext,
  signal: AbortSignal,
): Promise<Plan> => {
  switch (change.kind) {
    case 'clear':
      return planClear(context, change);
    case 'fill':
      return planFill(context, change.selection, signal);
    case 'paste':
      return planPaste(context, change);
  }
};

/** Changes many cells through the journal: one step to undo, with progress and a way to stop. */
export async function changeCells(
  change: CellsChange,
  context: ChangeContext,
  signal: AbortSignal,
): Promise<ChangeOutcome> {
  const { desk, edits } = context;
  const { t } = desk;
  const plan = await planOf(change, context, signal);
  const isFill = change.kind === 'fill' && rowsIn(change.selection.rows) < 2;
  if (isFill) {
    const message = t('Select the cell to copy and the cells below it first.');
    return { outcome: 'nothing', message };
  }
  if (plan.columns.length === 0) {
    const message = t('These columns are computed: nothing can be typed into them.');
    return { outcome: 'nothing', message };
  }
  if (cellsOf(plan, context.state) > mostCells) {
    const message = t('At most {0} cells can be changed at once. Select fewer.', mostCells);
    return { outcome: 'nothing', message };
  }
  if (!(await isAgreed(plan, change, context))) return { outcome: 'declined' };
  return desk.withProgress(t('Changing cells'), signal, async (stop, progress) => {
    if (plan.rowsAdded > 0) {
      await context.addRows(plan.rowsAdded, stop);
    }
    const { changes, faults } = await changesOf(plan, context, stop);
    const [fault] = faults;
    if (fault !== undefined && changes.length === 0) return { outcome: 'nothing', message: fault };
    const report = (done: number): void =>
      progress.report({
        message: t('{0} of {1} cells', done, changes.length),
        percent: (done / changes.length) * 100,
      });
    try {
      const { saved, open, dropped } = await edits.editMany(changes, stop, report);
      return {
        outcome: 'done',
        cells: saved,
        rowsAdded: plan.rowsAdded,
        open: open + faults.length,
        ...(fault !== undefined && { fault }),
        wasCancelled: dropped > 0,
      };
    } catch (error) {
      if (!isCancellation(error)) throw error;
      return { outcome: 'declined' };
    }
  });
}
