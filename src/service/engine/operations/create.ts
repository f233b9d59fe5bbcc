import { randomUUID } from 'node:crypto';
import type { Database, Session } from '../../store/database.ts';
import { raiseVersion } from '../../store/scope.ts';
import { isComputed, isManual } from '../columns/registry.ts';
import { EngineProblem } from '../problem.ts';
import { loadColumns, type SheetColumn } from '../sheet-columns.ts';
import { WORK_CHANNEL } from './channels.ts';
import { confirmationToken, isConfirmed } from './confirmation.ts';
import { rowsOfRanges, type RowRange } from '../worker/task-ranges.ts';
import { lockSheet } from './lock-sheet.ts';
import { countSelected, createTasks, queueSelected, type CellSelection } from './plan.ts';
import { ownValue } from '../../../api/own-value.ts';

export interface SheetName {
  readonly key: number;
  readonly id: string;
}

/** As sent: absent or null statuses mean stale ones, an empty list means all. */
export interface Selection {
  readonly columnIds?: readonly string[] | null | undefined;
  readonly rowIndices?: readonly number[] | null | undefined;
  readonly statuses?: readonly string[] | null | undefined;
  readonly confirmationToken?: string | null | undefined;
}

/** On which terms the cells of an operation are computed. */
export interface WorkTerms {
  /** USD that the operation's requests to models may cost. */
  readonly costCeiling?: number | undefined;
  /** Begun by a window in Restricted Mode. */
  readonly isRestricted?: boolean;
}

export interface EngineSettings extends WorkTerms {
  /** More cells than this are queued only after a confirmation. */
  readonly confirmationThreshold?: number;
  readonly confirmationSecret: string;
}

export interface CellPlace {
  readonly rowIndex: number;
  readonly columnKey: number;
}

export type CreateOutcome =
  | {
      readonly kind: 'queued';
      readonly operationId: string;
      readonly executionId: string;
      readonly cellCount: number;
      /** Of them, how many had no record before. */
      readonly virtualCellCount: number;
      readonly version: number;
      /** The first ones, at most `CELLS_SHOWN`. */
      readonly cells: readonly CellPlace[];
    }
  | { readonly kind: 'nothing'; readonly virtualCellCount: 0 }
  | {
      readonly kind: 'confirmation';
      readonly token: string;
      readonly affectedCellCount: number;
      readonly message: string;
    };

const DEFAULT_THRESHOLD = 1000;
const CELLS_SHOWN = 100;
/** Finished operations stay readable until so many newer ones exist in the sheet. */
const OPERATIONS_KEPT = 500;
const ALL = ['stale', 'completed', 'error', 'cancelled'] as const;
const STATUS_WORDS: Readonly<Record<string, readonly string[]>> = {
  STALE: ['stale', 'cancelled'],
  COMPLETED: ['completed'],
  FAILED: ['error'],
  ERROR: ['error'],
  CANCELLED: ['cancelled'],
  // These belong to an operation already, so selecting them selects nothing.
  QUEUED: [],
  DISPATCHED: [],
  RUNNING: [],
};

/** Recalculates cells of a sheet by column, row and status. */
export async function createOperation(
  database: Database,
  sheet: SheetName,
  selection: Selection,
  settings: EngineSettings,
): Promise<CreateOutcome> {
  const columns = await loadColumns(database, sheet.key);
  const wanted: CellSelection = {
    sheetKey: sheet.key,
    columnKeys: selectColumns(columns, selection.columnIds).map(({ key }) => key),
    rowIndices: selection.rowIndices ?? undefined,
    statuses: selectStatuses(selection.statuses),
  };
  const counts = await countSelected(database, database, wanted);
  const threshold = settings.confirmationThreshold ?? DEFAULT_THRESHOLD;
  const confirmed = {
    sheetId: sheet.id,
    columnIds: selection.columnIds?.map((id) => id.toLowerCase()),
    rowIndices: selection.rowIndices ?? undefined,
    statuses: wanted.statuses,
  };
  const token = selection.confirmationToken;
  const now = Date.now();
  const isKnown = token ? isConfirmed(token, confirmed, settings.confirmationSecret, now) : false;
  if (counts.cellCount > threshold && !isKnown) {
    const again = token ? 'The confirmation belongs to another selection or is too old. ' : '';
    return {
      kind: 'confirmation',
      token: confirmationToken(confirmed, settings.confirmationSecret, now),
      affectedCellCount: counts.cellCount,
      message: `${again}${String(counts.cellCount)} cells would be recalculated. Send the request again with the confirmation token to start.`,
    };
  }
  return start(database, sheet, [wanted], counts.virtualCount, settings);
}

/** Recalculates exactly these cells, whatever their status; queued and running ones are left out. */
export async function recalculateCells(
  database: Database,
  sheet: SheetName,
  cells: readonly CellPlace[],
  terms: WorkTerms = {},
): Promise<Exclude<CreateOutcome, { kind: 'confirmation' }>> {
  const columns = new Map((await loadColumns(database, sheet.key)).map((item) => [item.key, item]));
  const byColumn = new Map<number, number[]>();
  for (const { rowIndex, columnKey } of cells) {
    const column = columns.get(columnKey);
    // Typed-in cells, and those that a person fills in, have nothing to compute: the answer counts what was selected and what runs.
    if (!column || !isComputed(column.type) || isManual(column.type)) continue;
    const rows = byColumn.get(columnKey);
    if (rows) rows.push(rowIndex);
    else byColumn.set(columnKey, [rowIndex]);
  }
  const selections = [...byColumn].map(([columnKey, rowIndices]) => ({
    sheetKey: sheet.key,
    columnKeys: [columnKey],
    rowIndices,
    statuses: ALL,
  }));
  const counts = await Promise.all(
    selections.map((selection) => countSelected(database, database, selection)),
  );
  return start(
    database,
    sheet,
    selections,
    counts.reduce((sum, { virtualCount }) => sum + virtualCount, 0),
    terms,
  );
}

async function start(
  database: Database,
  sheet: SheetName,
  selections: readonly CellSelection[],
  virtualCellCount: number,
  terms: WorkTerms,
): Promise<Exclude<CreateOutcome, { kind: 'confirmation' }>> {
  const operationId = randomUUID();
  const outcome = await database.transaction(async (session) => {
    if ((await lockSheet(database, session, sheet.key)) === undefined) return undefined;
    const key = await nextOperationKey(session, sheet.key);
    let cellCount = 0;
    for (const selection of selections) {
      cellCount += await queueSelected(database, session, selection, key);
    }
    if (cellCount === 0) return undefined;
    const columnKeys = [...new Set(selections.flatMap((selection) => selection.columnKeys))];
    await createTasks(database, session, { sheetKey: sheet.key, columnKeys }, key);
    await insertOperation(session, sheet.key, { ...terms, key, id: operationId, cellCount });
    const cells = await firstCells(database, session, sheet.key, key);
    return { cellCount, cells, version: await raiseVersion(session, sheet.key) };
  });
  if (!outcome) return { kind: 'nothing', virtualCellCount: 0 };
  await database.notify(WORK_CHANNEL);
  return {
    kind: 'queued',
    operationId,
    executionId: operationId,
    virtualCellCount: Math.min(virtualCellCount, outcome.cellCount),
    ...outcome,
  };
}

async function nextOperationKey(session: Session, sheetKey: number): Promise<number> {
  const sheet = await session.one<{ next: number }>(
    `update sheets set next_operation_key = next_operation_key + 1 where key = ?
     returning next_operation_key - 1 as next`,
    [sheetKey],
  );
  if (!sheet) throw new Error('The sheet is locked but is not there.');
  return sheet.next;
}

async function insertOperation(
  session: Session,
  sheetKey: number,
  {
    key,
    id,
    cellCount,
    costCeiling,
    isRestricted = false,
  }: WorkTerms & { readonly key: number; readonly id: string; readonly cellCount: number },
): Promise<void> {
  const now = Date.now();
  await session.run(
    `insert into operations (sheet_key, key, id, execution_id, status, cell_count, cost_ceiling, is_restricted, created_at, updated_at)
     values (?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?)`,
    [sheetKey, key, id, id, cellCount, costCeiling ?? null, isRestricted ? 1 : 0, now, now],
  );
  await session.run(
    `delete from operations where sheet_key = ? and key < ? and status not in ('queued', 'running')`,
    [sheetKey, key - OPERATIONS_KEPT],
  );
}

/** The first rows' queued cells: an answer to a person, not the whole list. */
async function firstCells(
  database: Database,
  session: Session,
  sheetKey: number,
  operationKey: number,
): Promise<CellPlace[]> {
  const ranges = await session.query<RowRange>(
    `select first_row, case when last_row < first_row + ? then last_row else first_row + ? end as last_row
     from task_ranges where sheet_key = ? and operation_key = ? order by task_ranges.last_row limit ?`,
    [CELLS_SHOWN, CELLS_SHOWN, sheetKey, operationKey, CELLS_SHOWN],
  );
  const cells = await session.query<{ row_index: number; column_key: number }>(
    `select row_index, column_key from cells
     where sheet_key = ? and row_index ${database.dialect.isOneOf} and operation_key = ?
     order by row_index, column_key limit ?`,
    [
      sheetKey,
      JSON.stringify(rowsOfRanges(ranges).slice(0, CELLS_SHOWN)),
      operationKey,
      CELLS_SHOWN,
    ],
  );
  return cells.map(({ row_index, column_key }) => ({ rowIndex: row_index, columnKey: column_key }));
}

function selectColumns(
  columns: readonly SheetColumn[],
  ids: readonly string[] | null | undefined,
): SheetColumn[] {
  const active = columns.filter(({ isDeleted, isSystem }) => !isDeleted && !isSystem);
  if (!ids) return active.filter(({ type }) => isComputed(type) && !isManual(type));
  const byId = new Map(active.map((column) => [column.id, column]));
  const named = [...new Set(ids.map((id) => id.toLowerCase()))].map((id) => {
    const column = byId.get(id);
    if (!column) {
      throw new EngineProblem(
        'unknown_column',
        `column_ids: there is no column ${id} in this sheet.`,
      );
    }
    if (!isComputed(column.type)) throw notComputed(column);
    return column;
  });
  return named.filter(({ type }) => !isManual(type));
}

function notComputed(column: SheetColumn | undefined): EngineProblem {
  const what = column
    ? `"${column.title}" is a ${column.type} column`
    : 'A column no longer exists';
  return new EngineProblem(
    'not_computed',
    `${what}; only computed columns can be recalculated. Leave it out and try again.`,
  );
}

function selectStatuses(sent: readonly string[] | null | undefined): readonly string[] {
  if (!sent) return STATUS_WORDS['STALE'] ?? [];
  if (sent.length === 0) return ALL;
  return [
    ...new Set(
      sent.flatMap((word) => {
        const statuses = ownValue(STATUS_WORDS, word.toUpperCase());
        if (statuses) return statuses;
        throw new EngineProblem(
          'invalid_selection',
          `statuses: ${JSON.stringify(word)} is not known. Use ${Object.keys(STATUS_WORDS).join(', ')}.`,
        );
      }),
    ),
  ];
}
