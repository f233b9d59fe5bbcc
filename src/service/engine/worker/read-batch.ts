import type { Database, Session } from '../../store/database.ts';
import { placeholders } from '../../store/dialect.ts';
import type { CellRecord, ColumnRecord } from '../../store/records.ts';
import { readMirror } from '../composition.ts';
import { loadColumns, type SheetColumn } from '../sheet-columns.ts';
import type { Claim } from './claim.ts';
import type { CellContent, RowCells } from './compute-cell.ts';
import { planSheet, type PlannedColumn, type SheetPlan } from './sheet-plan.ts';

export interface BatchRow {
  readonly rowIndex: number;
  /** Of the row when it was read. */
  readonly revision: number;
  readonly cells: RowCells;
  /** What is to be computed, every column after its sources. */
  readonly targets: readonly PlannedColumn[];
  /** Queued cells of columns that are not there any more. */
  readonly orphanKeys: readonly number[];
}

export interface Batch {
  readonly plan: SheetPlan;
  readonly rows: readonly BatchRow[];
  /** Claimed rows that were deleted meanwhile. */
  readonly goneRows: readonly number[];
  /** Characters of all values read: what the batch costs in memory. */
  readonly size: number;
}

type StoredCell = Pick<
  CellRecord,
  | 'row_index'
  | 'column_key'
  | 'status'
  | 'previous_status'
  | 'value'
  | 'error'
  | 'error_message'
  | 'input_hash'
  | 'metrics'
>;

/** Reads what the rows of a claim need, all of one moment. */
export async function readBatch(
  database: Database,
  claim: Claim,
  known?: SheetPlan,
): Promise<Batch> {
  const { isOneOf } = database.dialect;
  const { sheetKey, operationKey } = claim;
  const rowList = JSON.stringify(claim.rowIndices);
  return database.read(async (session) => {
    const columns = await loadColumns(session, sheetKey);
    const plan = planSheet(columns, known);
    const rows = await session.query<{ row_index: number; revision: number }>(
      `select row_index, revision from rows where sheet_key = ? and row_index ${isOneOf}`,
      [sheetKey, rowList],
    );
    const queued = await session.query<{ row_index: number; column_key: number }>(
      `select row_index, column_key from cells
       where sheet_key = ? and row_index ${isOneOf} and operation_key = ?`,
      [sheetKey, rowList, operationKey],
    );
    const targets = new Map<number, Set<number>>();
    for (const { row_index, column_key } of queued) {
      const keys = targets.get(row_index);
      if (keys) keys.add(column_key);
      else targets.set(row_index, new Set([column_key]));
    }
    const needed = neededColumns(plan, new Set(queued.map(({ column_key }) => column_key)));
    const cells = new Map<number, RowCells>(rows.map(({ row_index }) => [row_index, new Map()]));
    let size = 0;
    for (const cell of await readCells(session, sheetKey, isOneOf, rowList, needed.keys)) {
      size += (cell.value?.length ?? 0) + (cell.error_message?.length ?? 0);
      cells.get(cell.row_index)?.set(cell.column_key, contentOf(cell));
    }
    for (const mirror of needed.mirrors) {
      size += await putMirror(session, sheetKey, mirror, claim.rowIndices, cells);
    }
    const present = new Set(rows.map(({ row_index }) => row_index));
    return {
      plan,
      size,
      goneRows: claim.rowIndices.filter((rowIndex) => !present.has(rowIndex)),
      rows: rows.map(({ row_index: rowIndex, revision }) => {
        const keys = targets.get(rowIndex) ?? new Set<number>();
        return {
          rowIndex,
          revision,
          cells: cells.get(rowIndex) ?? new Map(),
          targets: plan.inOrder.filter(({ key }) => keys.has(key)),
          orphanKeys: [...keys].filter((key) => !plan.byKey.has(key)),
        };
      }),
    };
  });
}

function neededColumns(
  plan: SheetPlan,
  targetKeys: ReadonlySet<number>,
): { keys: number[]; mirrors: SheetColumn[] } {
  const keys = new Set<number>();
  const mirrors = new Map<number, SheetColumn>();
  for (const target of plan.inOrder) {
    if (!targetKeys.has(target.key)) continue;
    keys.add(target.key);
    for (const { column } of target.edges) {
      if (!column) continue;
      if (column.type === 'COMPOSITION') mirrors.set(column.key, column);
      else keys.add(column.key);
    }
  }
  return { keys: [...keys], mirrors: [...mirrors.values()] };
}

async function readCells(
  session: Session,
  sheetKey: number,
  isOneOf: string,
  rowList: string,
  columnKeys: readonly number[],
): Promise<StoredCell[]> {
  if (columnKeys.length === 0) return [];
  return session.query<StoredCell>(
    `select row_index, column_key, status, previous_status, value, error, error_message, input_hash, metrics
     from cells where sheet_key = ? and row_index ${isOneOf} and column_key in ${placeholders(columnKeys.length)}`,
    [sheetKey, rowList, ...columnKeys],
  );
}

/** What steps and columns are computed from. */
export const contentOf = (cell: StoredCell): CellContent => ({
  status: cell.status,
  previousStatus: cell.previous_status,
  value: cell.value,
  error: cell.error,
  errorMessage: cell.error_message,
  inputHash: cell.input_hash,
  metrics: cell.metrics,
});

async function putMirror(
  session: Session,
  sheetKey: number,
  mirror: SheetColumn,
  rowIndices: readonly number[],
  cells: ReadonlyMap<number, RowCells>,
): Promise<number> {
  const record = await session.one<ColumnRecord>(
    'select * from columns where sheet_key = ? and key = ?',
    [sheetKey, mirror.key],
  );
  let size = 0;
  if (!record) return size;
  for (const [rowIndex, cell] of await readMirror(session, record, rowIndices)) {
    size += cell.value?.length ?? 0;
    cells.get(rowIndex)?.set(mirror.key, contentOf(cell));
  }
  return size;
}
