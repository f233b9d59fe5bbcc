import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Session, SqlValue } from '../../store/database.ts';
import { placeholders } from '../../store/dialect.ts';
import { insertTasks, integer } from '../worker/task-ranges.ts';

const CELLS_A_TURN = 20_000;

/** Cells of computed columns, by column, row and status. */
export interface CellSelection {
  readonly sheetKey: number;
  readonly columnKeys: readonly number[];
  /** Absent = every row. */
  readonly rowIndices?: readonly number[] | undefined;
  /** Never queued or running: those belong to another operation already. */
  readonly statuses: readonly string[];
}

interface Clause {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** A cell without a record is stale. */
function selected(database: Database, selection: CellSelection): Clause {
  const { sheetKey, columnKeys, rowIndices, statuses } = selection;
  return {
    sql: `from rows r
      join columns k on k.sheet_key = r.sheet_key and k.key in ${placeholders(columnKeys.length)}
      left join cells c on c.sheet_key = r.sheet_key and c.row_index = r.row_index and c.column_key = k.key
      where r.sheet_key = ?${rowIndices ? ` and r.row_index ${database.dialect.isOneOf}` : ''}
        and coalesce(c.status, 'stale') in ${placeholders(statuses.length)}`,
    params: [
      ...columnKeys,
      sheetKey,
      ...(rowIndices ? [JSON.stringify(rowIndices)] : []),
      ...statuses,
    ],
  };
}

const isEmpty = ({ columnKeys, statuses }: CellSelection): boolean =>
  columnKeys.length === 0 || statuses.length === 0;

export interface SelectionCounts {
  readonly cellCount: number;
  /** Those that have no record yet. */
  readonly virtualCount: number;
}

export async function countSelected(
  database: Database,
  session: Session,
  selection: CellSelection,
): Promise<SelectionCounts> {
  if (isEmpty(selection)) return { cellCount: 0, virtualCount: 0 };
  const { sql, params } = selected(database, selection);
  const counts = await session.one<{ cells: number; virtual: number | null }>(
    `select count(*) as cells, sum(case when c.status is null then 1 else 0 end) as virtual ${sql}`,
    params,
  );
  return { cellCount: counts?.cells ?? 0, virtualCount: counts?.virtual ?? 0 };
}

/** Queues the cells for an operation; answers how many. */
export async function queueSelected(
  database: Database,
  session: Session,
  selection: CellSelection,
  operationKey: number,
): Promise<number> {
  if (isEmpty(selection)) return 0;
  const { sql, params } = selected(database, selection);
  let total = 0;
  for (const [first, last] of await rowRanges(database, session, selection)) {
    total += await session.run(
      `insert into cells (sheet_key, row_index, column_key, status, previous_status, operation_key, updated_at)
       select r.sheet_key, r.row_index, k.key, 'queued', coalesce(c.status, 'stale'), ${integer(operationKey)}, ${integer(Date.now())}
       ${sql} and r.row_index between ? and ?
       on conflict (sheet_key, row_index, column_key) do update set status = excluded.status,
         previous_status = excluded.previous_status, operation_key = excluded.operation_key,
         updated_at = excluded.updated_at`,
      [...params, first, last],
    );
    await nextTurn();
  }
  return total;
}

/** Tasks for the rows with queued cells of the operation. */
export async function createTasks(
  database: Database,
  session: Session,
  selection: Pick<CellSelection, 'sheetKey' | 'columnKeys'>,
  operationKey: number,
): Promise<void> {
  const { sheetKey, columnKeys } = selection;
  const ranges = await rowRanges(database, session, selection);
  for (const [first, last] of ranges) {
    const found = {
      sql: `select distinct row_index from cells${session.dialect.byStatus}
        where sheet_key = ? and column_key in ${placeholders(columnKeys.length)} and status <> 'input'
          and status = 'queued' and row_index between ? and ? and operation_key = ?`,
      params: [sheetKey, ...columnKeys, first, last, operationKey],
    };
    await insertTasks(session, { sheetKey, operationKey }, found, 0);
    await nextTurn();
  }
}

/** SQLite works on this thread, so large sheets are queued in parts and others served in between. */
async function rowRanges(
  database: Database,
  session: Session,
  { sheetKey, columnKeys, rowIndices }: Omit<CellSelection, 'statuses'>,
): Promise<[number, number][]> {
  const ends = await session.one<{ first: number | null; last: number | null }>(
    'select min(row_index) as first, max(row_index) as last from rows where sheet_key = ?',
    [sheetKey],
  );
  const first = ends?.first ?? 0;
  const last = ends?.last ?? -1;
  if (rowIndices || database.dialect.name === 'postgres') return [[first, last]];
  const size = Math.ceil(CELLS_A_TURN / columnKeys.length);
  const ranges: [number, number][] = [];
  for (let start = first; start <= last; start += size) {
    ranges.push([start, Math.min(last, start + size - 1)]);
  }
  return ranges;
}
