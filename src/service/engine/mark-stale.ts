import type { Session } from '../store/database.ts';
import { placeholders } from '../store/dialect.ts';
import { isComputed } from './columns/registry.ts';
import { dependentsOf } from './graph.ts';
import { updateCellsInTurns } from './in-turns.ts';
import { loadColumns } from './sheet-columns.ts';

export interface Change {
  readonly sheetKey: number;
  /** Columns whose values, config or existence changed. */
  readonly columnKeys: readonly number[];
  /** Rows in which they changed; absent = every row. */
  readonly rowIndices?: readonly number[];
  /** The columns themselves become stale too: their config changed. */
  readonly self?: boolean;
}

export interface StaleOutcome {
  /** Cells that had a result and are stale now. Cells without a record were stale before. */
  readonly staleCount: number;
  /** Computed columns that the change reaches. */
  readonly columnIds: readonly string[];
}

const ROWS_AT_ONCE = 400;

/**
 * Call it after the edit, in the same transaction, which holds the sheet (`findSheetForUpdate`).
 * Cells that are queued or being computed stay so; workers see by the raised revisions that their
 * inputs are old, and compute them again.
 */
export async function markDependentsStale(session: Session, change: Change): Promise<StaleOutcome> {
  const columns = await loadColumns(session, change.sheetKey);
  const changed = columns.filter(({ key }) => change.columnKeys.includes(key));
  const ids = changed.map(({ id }) => id);
  const dependents = dependentsOf(
    columns.filter(({ isDeleted }) => !isDeleted),
    ids,
  );
  const reached = columns.filter(
    ({ id, type, isDeleted }) =>
      !isDeleted &&
      isComputed(type) &&
      (dependents.has(id) || (change.self === true && ids.includes(id))),
  );
  if (reached.length === 0) return { staleCount: 0, columnIds: [] };
  const keys = reached.map(({ key }) => key);
  const staleCount = change.rowIndices
    ? await markRows(session, change.sheetKey, keys, change.rowIndices)
    : await markColumns(session, change.sheetKey, keys);
  return { staleCount, columnIds: reached.map(({ id }) => id) };
}

async function markRows(
  session: Session,
  sheetKey: number,
  columnKeys: readonly number[],
  rowIndices: readonly number[],
): Promise<number> {
  let count = 0;
  for (let start = 0; start < rowIndices.length; start += ROWS_AT_ONCE) {
    const rows = rowIndices.slice(start, start + ROWS_AT_ONCE);
    await session.run(
      `update rows set revision = revision + 1 where sheet_key = ? and row_index in ${placeholders(rows.length)}`,
      [sheetKey, ...rows],
    );
    count += await markCells(
      session,
      sheetKey,
      `row_index in ${placeholders(rows.length)} and column_key in ${placeholders(columnKeys.length)}`,
      [...rows, ...columnKeys],
    );
  }
  return count;
}

async function markColumns(
  session: Session,
  sheetKey: number,
  columnKeys: readonly number[],
): Promise<number> {
  await session.run(
    `update columns set config_revision = config_revision + 1
     where sheet_key = ? and key in ${placeholders(columnKeys.length)}`,
    [sheetKey, ...columnKeys],
  );
  return markCells(
    session,
    sheetKey,
    `column_key in ${placeholders(columnKeys.length)}`,
    columnKeys,
  );
}

async function markCells(
  session: Session,
  sheetKey: number,
  where: string,
  params: readonly number[],
): Promise<number> {
  await session.run(
    `update cells${session.dialect.byStatus} set previous_status = 'stale'
     where sheet_key = ? and status <> 'input' and ${where} and status in ('queued', 'running')`,
    [sheetKey, ...params],
  );
  return updateCellsInTurns(
    session,
    { sql: `status = 'stale', updated_at = ?`, params: [Date.now()] },
    { sql: `${where} and status in ('completed', 'error', 'cancelled')`, params },
    sheetKey,
  );
}
