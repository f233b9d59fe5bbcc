import type { Row } from '../../../api/row.ts';
import { pageSize } from '../../../protocol/grid-cells.ts';
import type { CellsChange, ChangeOutcome } from '../../../protocol/grid-work.ts';
import { isCancellation } from '../../../core/errors.ts';
import { randomUUID } from 'node:crypto';
import type { Progress } from '../../shell/progress.ts';
import { shownText } from '../cells/cell-presentation.ts';
import { cellsOf, columnsOf, planChange, type ChangePlan } from './change-plan.ts';
import { isAgreed } from './change-question.ts';
import { enteredText, inputFault } from '../cells/cell-input.ts';
import type { EditorHost } from '../editor-host.ts';
import type { CellChange, Edits } from './edits.ts';
import type { Journal, JournalWork, WorkAdvance } from './journal.ts';
import { persistently } from './persistently.ts';
import type { AddProgress, RowsToAdd } from './row-adds.ts';
import type { Tasks } from '../tasks.ts';
import type { EditStep } from './undo-stack.ts';
import { rowsIn, settleRanges } from '../rows/positions.ts';
import type { SheetState } from '../rows/sheet-state.ts';

export interface ChangeContext {
  readonly state: SheetState;
  readonly editorHost: EditorHost;
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

interface Decided {
  readonly changes: readonly CellChange[];
  readonly faults: readonly string[];
}

/** The changes that differ from what the service holds now; texts that do not fit are counted. */
async function changesOf(
  plan: ChangePlan,
  context: ChangeContext,
  looked: (rows: number, of: number) => void,
  signal: AbortSignal,
): Promise<Decided> {
  const { state, editorHost } = context;
  const changes: CellChange[] = [];
  const faults: string[] = [];
  const since = new Date().toISOString();
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
        const fault = inputFault(column, text, editorHost.t);
        const change = { columnId: column.id, rowIndex: row.row_index, text, base, since };
        // Of use only where each cell is written by itself.
        const cellId = context.takesMany ? undefined : row.cells[column.id]?.id;
        if (fault !== undefined) faults.push(fault);
        else
          changes.push(cellId === undefined ? change : { ...change, cellId, seenAt: read.seenAt });
      }
    }
  }
  return { changes, faults };
}

const mostCells = 100_000;

/** Why nothing of it can be done. */
function hindrance(
  plan: ChangePlan,
  change: CellsChange,
  { state, editorHost: { t } }: ChangeContext,
) {
  if (change.kind === 'fill' && rowsIn(change.selection.rows) < 2) {
    return t('Select the cell to copy and the cells below it first.');
  }
  if (plan.columns.length === 0) {
    return t("These columns are computed and can't be edited.");
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
  const plan = await planChange(change, state, signal);
  const message = hindrance(plan, change, context);
  if (message !== undefined) return { outcome: 'nothing', message };
  if (!(await isAgreed(plan, change, context, signal))) return { outcome: 'declined' };
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
  const { editorHost, journal, tasks } = context;
  const { t } = editorHost;
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
  const { editorHost, edits, journal } = context;
  const { t } = editorHost;
  const { change, rowsToAdd } = work;
  const appended = await appendRows(work, advance, context, { stop, progress, waits });
  const decide = async (): Promise<Decided> => {
    const plan = await planChange(change, context.state, stop);
    const looked = (rows: number, of: number): void =>
      progress.report({ message: t('Reading {0} of {1} rows', rows, of) });
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
  const { editorHost, state } = context;
  const { block } = change;
  const first = block.length - rowsToAdd;
  const columns = columnsOf(state, change.columnIds);
  const values = block.slice(first).map((cells) => {
    const texts = cells.flatMap((text, at) => {
      const column = columns[at];
      const isTaken = column?.editable === true && column.input === undefined && text !== null;
      return isTaken ? [[column.id, text] as const] : [];
    });
    return Object.fromEntries(texts);
  });
  const added = (count: number): void =>
    progress.report({
      message: editorHost.t('{0} of {1} rows added', count, rowsToAdd),
      percent: (count / rowsToAdd) * 100,
    });
  const adding = { id, count: rowsToAdd, values, advance };
  const rowIndices = await context.addRows(adding, { stop, added, waits });
  return values.flatMap((row, at) =>
    Object.entries(row).map(([columnId, text]) => ({
      ...{ columnId, rowIndex: rowIndices[at] ?? -1 },
      ...{ base: null, text },
    })),
  );
}

/** Rows that were added hold what is pasted, but for answers of people. */
function withoutAppended(
  plan: ChangePlan,
  { change, rowsToAdd }: ChangeWork,
  { state }: ChangeContext,
): ChangePlan {
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
