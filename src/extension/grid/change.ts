import { unguardFormula } from '../../core/exports/formula-guard.ts';
import type { Row } from '../../api/row.ts';
import type { GridColumn, GridSelection } from '../../protocol/grid.ts';
import { pageSize } from '../../protocol/grid.ts';
import type { CellsChange, ChangeOutcome } from '../../protocol/grid-work.ts';
import { isCancellation } from '../../core/errors.ts';
import { randomUUID } from 'node:crypto';
import type { Progress } from '../progress.ts';
import { shownText } from './cell-face.ts';
import { enteredText, inputFault } from './cell-input.ts';
import type { Desk } from './desk.ts';
import type { CellChange, Edits } from './edits.ts';
import type { Journal, JournalWork, WorkAdvance } from './journal.ts';
import { persistently } from './persistently.ts';
import type { AddProgress, RowsToAdd } from './row-adds.ts';
import type { Tasks } from './tasks.ts';
import type { EditStep } from './undo-stack.ts';
import { rowsIn, settleRanges } from './positions.ts';
import type { SheetState } from './sheet-state.ts';

export interface ChangeContext {
  readonly state: SheetState;
  readonly desk: Desk;
  readonly edits: Edits;
  readonly journal: Journal;
  readonly journalFault: (error: unknown) => void;
  readonly tasks: Tasks;
  /** The service takes many cells with one request. */
  readonly takesMany: boolean;
  /** The window closes: what is begun stays in the journal. */
  readonly closing: AbortSignal;
  /** Appends rows to the sheet and shows them. Answers their row indices. */
  readonly addRows: (rows: RowsToAdd, progress: AddProgress) => Promise<readonly number[]>;
}

export type ChangeWork = JournalWork & { readonly kind: 'change' };

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

/** What copying has put in front of the texts of a block is no part of them. */
function withoutGuard(desk: ChangeContext['desk']) {
  const { formulaGuard } = desk.copySettings();
  return <Text extends string | null | undefined>(text: Text): Text | string =>
    typeof text === 'string' && formulaGuard ? unguardFormula(text) : text;
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
  const own = withoutGuard(desk);
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

/** More are asked about first. */
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
    notes.push(t('Up to {0} cells are changed.', most));
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

interface Decided {
  readonly changes: readonly CellChange[];
  readonly faults: readonly string[];
}

/** The changes that differ from what the service holds now; texts that do not fit are counted. */
async function changesOf(
  plan: Plan,
  context: ChangeContext,
  looked: (rows: number, of: number) => void,
  signal: AbortSignal,
): Promise<Decided> {
  const { state, desk } = context;
  const changes: CellChange[] = [];
  const faults: string[] = [];
  const ranges = settleRanges(plan.rows, state.shown.count);
  const all = rowsIn(ranges);
  let read:
    { readonly page: number; readonly rows: readonly Row[]; readonly seenAt: number } | undefined;
  let count = 0;
  for (const { from, to } of ranges) {
    for (let at = from; at <= to; at += 1) {
      const page = Math.floor(at / pageSize);
      if (read?.page !== page) {
        const rows = await state.shown.rows(page, signal);
        // Whole: a fraction would be an object of its own in each of very many changes.
        read = { page, rows, seenAt: Math.round(performance.now()) };
        looked(count, all);
      }
      count += 1;
      const row = read.rows[at % pageSize];
      if (row === undefined) continue;
      for (const column of plan.columns) {
        const given = plan.wanted(at, column);
        if (given === undefined) continue;
        const text = enteredText(column, given);
        const base = shownText(row.cells[column.id]);
        if (text === base) continue;
        const fault = inputFault(column, text, desk.t);
        // Of use only where each cell is written by itself.
        const cellId = context.takesMany ? undefined : row.cells[column.id]?.id;
        const id = cellId === undefined ? {} : { cellId };
        const address = { columnId: column.id, rowIndex: row.row_index };
        if (fault === undefined)
          changes.push({ ...address, text, base, seenAt: read.seenAt, ...id });
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

/** Why nothing of it can be done. */
function hindrance(plan: Plan, change: CellsChange, { state, desk: { t } }: ChangeContext) {
  if (change.kind === 'fill' && rowsIn(change.selection.rows) < 2) {
    return t('Select the cell to copy and the cells below it first.');
  }
  if (plan.columns.length === 0) {
    return t('These columns are computed: nothing can be typed into them.');
  }
  return cellsOf(plan, state) > mostCells
    ? t('At most {0} cells can be changed at once. Select fewer.', mostCells)
    : undefined;
}

/** Changes many cells: one step to undo. From the answer on it is in the journal until it is done. */
export async function changeCells(
  change: CellsChange,
  context: ChangeContext,
  signal: AbortSignal,
): Promise<ChangeOutcome> {
  const { state, journal } = context;
  const plan = await planOf(change, context, signal);
  const message = hindrance(plan, change, context);
  if (message !== undefined) return { outcome: 'nothing', message };
  if (!(await isAgreed(plan, change, context))) return { outcome: 'declined' };
  const anchor = await anchorOf(change, state);
  const work: ChangeWork = {
    ...{ id: randomUUID(), since: new Date().toISOString(), kind: 'change', change },
    ...(anchor !== undefined && { anchor }),
    isPlain: state.shown.view === undefined && state.order === 'asc',
    rowsToAdd: plan.rowsAdded,
  };
  await journal.begin(work).catch((error: unknown) => context.journalFault(error));
  return carryOutChange(work, undefined, context);
}

/** Also takes up one that an earlier window has begun. */
export async function carryOutChange(
  work: ChangeWork,
  advance: WorkAdvance | undefined,
  context: ChangeContext,
): Promise<ChangeOutcome> {
  const { desk, journal, tasks } = context;
  const { t } = desk;
  return tasks.run(t('Changing cells'), async (stop, progress) => {
    const waits = (reason: string): void =>
      progress.report({ message: t('Waiting for the service: {0}', reason) });
    try {
      return await carryOut(work, advance, context, { stop, progress, waits });
    } catch (error) {
      // A window that closes leaves it to the next one.
      if (!context.closing.aborted) await journal.end(work.id).catch(context.journalFault);
      if (!isCancellation(error) || context.closing.aborted) throw error;
      return { outcome: 'stopped' };
    }
  });
}

interface Doing {
  readonly stop: AbortSignal;
  readonly progress: Progress;
  readonly waits: (reason: string) => void;
}

async function carryOut(
  work: ChangeWork,
  advance: WorkAdvance | undefined,
  context: ChangeContext,
  { stop, progress, waits }: Doing,
): Promise<ChangeOutcome> {
  const { desk, edits, journal } = context;
  const { t } = desk;
  const { change, rowsToAdd } = work;
  const appended = await appendRows(work, advance, context, { stop, progress, waits });
  const decide = async (): Promise<Decided> => {
    const plan = await planOf(change, context, stop);
    const looked = (rows: number, of: number): void =>
      progress.report({ message: t('Looking at {0} of {1} rows', rows, of) });
    return changesOf(withoutAppended(plan, work, context), context, looked, stop);
  };
  const { changes, faults } = await persistently(decide, stop, waits);
  const [fault] = faults;
  if (fault !== undefined && changes.length + appended.length === 0) {
    await journal.end(work.id);
    return { outcome: 'nothing', message: fault };
  }
  const { saved, open, dropped } = await edits.editMany(changes, {
    stop,
    alsoDone: appended,
    onKept: () => journal.end(work.id).catch(context.journalFault),
    onProgress: (done) =>
      progress.report({
        message: t('{0} of {1} cells', done, changes.length),
        percent: (done / changes.length) * 100,
      }),
  });
  return {
    outcome: 'done',
    cells: saved + appended.length,
    rowsAdded: rowsToAdd,
    open: open + faults.length,
    dropped,
    ...(fault !== undefined && { fault }),
  };
}

/** Rows beyond the end, with what is pasted into their TEXT columns. Answers those cells. */
async function appendRows(
  { id, change, rowsToAdd }: ChangeWork,
  advance: WorkAdvance | undefined,
  context: ChangeContext,
  { stop, progress, waits }: Doing,
): Promise<readonly EditStep[]> {
  if (rowsToAdd === 0 || change.kind !== 'paste') return [];
  const { desk, state } = context;
  const { block } = change;
  const first = block.length - rowsToAdd;
  const columns = columnsOf(state, change.columnIds);
  const own = withoutGuard(desk);
  const values = block.slice(first).map((cells) => {
    const texts = cells.flatMap((text, at) => {
      const column = columns[at];
      const isTaken = column?.editable === true && column.input === undefined && text !== null;
      return isTaken ? [[column.id, own(text)] as const] : [];
    });
    return Object.fromEntries(texts);
  });
  const added = (count: number): void =>
    progress.report({
      message: desk.t('{0} of {1} rows added', count, rowsToAdd),
      percent: (count / rowsToAdd) * 100,
    });
  const adding = { id, count: rowsToAdd, values, advance };
  const rowIndices = await context.addRows(adding, { stop, added, waits });
  return values.flatMap((row, at) =>
    Object.entries(row).map(([columnId, after]) => ({
      ...{ columnId, rowIndex: rowIndices[at] ?? -1 },
      ...{ before: null, after },
    })),
  );
}

/** Rows that were added hold what is pasted, but for answers of people. */
function withoutAppended(
  plan: Plan,
  { change, rowsToAdd }: ChangeWork,
  { state }: ChangeContext,
): Plan {
  if (rowsToAdd === 0 || change.kind !== 'paste') return plan;
  const hasAnswers = plan.columns.some(({ input }) => input !== undefined);
  if (hasAnswers) return plan;
  const end = change.position + change.block.length - rowsToAdd - 1;
  return { ...plan, rows: settleRanges(plan.rows, Math.min(end + 1, state.shown.count ?? 0)) };
}

/** The row at the place where the change begins: whether that is still so tells if rows have moved. */
async function anchorOf(change: CellsChange, state: SheetState): Promise<ChangeWork['anchor']> {
  const position = placeOf(change);
  const page = await state.shown.atHand(Math.floor(position / pageSize));
  const rowIndex = page?.rowIndices[position % pageSize];
  return rowIndex === undefined ? undefined : { position, rowIndex };
}

const placeOf = (change: CellsChange): number => {
  const isBlock =
    change.kind === 'paste' && (change.block.length > 1 || (change.block[0]?.length ?? 0) > 1);
  return isBlock ? change.position : (change.selection.rows[0]?.from ?? 0);
};
