import type { Database, Session } from '../../store/database.ts';
import { placeholders } from '../../store/dialect.ts';
import { rowsIn, type RowsIn } from '../../store/rows-in.ts';
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
  /** Characters of all values read: what the batch costs in memory. */
  readonly size: number;
}

type StoredCell = Pick<
  CellRecord,
  | 'row_index'
  | 'column_key'
  | 'operation_key'
  | 'status'
  | 'previous_status'
  | 'value'
  | 'error'
  | 'error_message'
  | 'input_hash'
  | 'metrics'
>;

type CellValues = readonly [
  status: string,
  previousStatus: string | null,
  value: string | null,
  error: string | null,
  errorMessage: string | null,
  inputHash: string | null,
  metrics: string | null,
];

/** As the statement answers it. */
type ListedCell = readonly [
  rowIndex: number,
  columnKey: number,
  operationKey: number | null,
  ...CellValues,
];

/** Reads what the rows of a claim need, all of one moment. */
export async function readBatch(
  database: Database,
  claim: Claim,
  known?: SheetPlan,
): Promise<Batch> {
  const { sheetKey, operationKey } = claim;
  const within = rowsIn(database.dialect, claim.rowIndices);
  return database.read(async (session) => {
    const columns = await loadColumns(session, sheetKey);
    const plan = planSheet(columns, known);
    const rows = await session.lists<[rowIndex: number, revision: number]>(
      `select row_index, revision from rows where sheet_key = ? and ${within.sql}`,
      [sheetKey, ...within.params],
    );
    const queued = await session.query<{ column_key: number }>(
      `select distinct column_key from cells where sheet_key = ? and ${within.sql} and operation_key = ?`,
      [sheetKey, ...within.params, operationKey],
    );
    const needed = neededColumns(plan, new Set(queued.map(({ column_key }) => column_key)));
    const cells = new Map<number, RowCells>(rows.map(([rowIndex]) => [rowIndex, new Map()]));
    const targets = new Map<number, number[]>();
    let size = 0;
    for (const cell of await readCells(session, sheetKey, within, needed.keys)) {
      const [rowIndex, columnKey, ofOperation, ...content] = cell;
      if (ofOperation === operationKey) addTo(targets, rowIndex, columnKey);
      const [, , value, , errorMessage] = content;
      size += (value?.length ?? 0) + (errorMessage?.length ?? 0);
      cells.get(rowIndex)?.set(columnKey, listedContent(content));
    }
    for (const mirror of needed.mirrors) {
      size += await putMirror(session, sheetKey, mirror, claim.rowIndices, cells);
    }
    const targetsOf = targetsIn(plan);
    return {
      plan,
      size,
      rows: rows.map(([rowIndex, revision]) => ({
        rowIndex,
        revision,
        cells: cells.get(rowIndex) ?? new Map(),
        ...targetsOf(targets.get(rowIndex) ?? []),
      })),
    };
  });
}

function addTo(targets: Map<number, number[]>, rowIndex: number, columnKey: number): void {
  const keys = targets.get(rowIndex);
  if (keys) keys.push(columnKey);
  else targets.set(rowIndex, [columnKey]);
}

/** What is to be computed of a row by the keys of its cells: mostly the same in all rows. */
function targetsIn(
  plan: SheetPlan,
): (keys: readonly number[]) => Pick<BatchRow, 'targets' | 'orphanKeys'> {
  const known = new Map<string, Pick<BatchRow, 'targets' | 'orphanKeys'>>();
  return (keys) => {
    const name = keys.join();
    const found = known.get(name) ?? {
      targets: plan.inOrder.filter(({ key }) => keys.includes(key)),
      orphanKeys: keys.filter((key) => !plan.byKey.has(key)),
    };
    known.set(name, found);
    return found;
  };
}

/** Those that are to be computed, also where they are not there any more, and their sources. */
function neededColumns(
  plan: SheetPlan,
  targetKeys: ReadonlySet<number>,
): { keys: number[]; mirrors: SheetColumn[] } {
  const keys = new Set(targetKeys);
  const mirrors = new Map<number, SheetColumn>();
  for (const target of plan.inOrder) {
    if (!targetKeys.has(target.key)) continue;
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
  within: RowsIn,
  columnKeys: readonly number[],
): Promise<ListedCell[]> {
  if (columnKeys.length === 0) return [];
  return session.lists<ListedCell>(
    `select row_index, column_key, operation_key, status, previous_status, value, error, error_message,
       input_hash, metrics
     from cells where sheet_key = ? and ${within.sql} and column_key in ${placeholders(columnKeys.length)}`,
    [sheetKey, ...within.params, ...columnKeys],
  );
}

const listedContent = ([
  status,
  previousStatus,
  value,
  error,
  errorMessage,
  inputHash,
  metrics,
]: CellValues): CellContent => ({
  status,
  previousStatus,
  value,
  error,
  errorMessage,
  inputHash,
  metrics,
});

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
