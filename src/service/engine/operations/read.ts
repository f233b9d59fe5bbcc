import type { Session } from '../../store/database.ts';
import { placeholders } from '../../store/dialect.ts';
import type { OperationRecord, OperationStatus } from '../../store/records.ts';
import { isComputed } from '../columns/registry.ts';
import { columnKeys, loadColumns } from '../sheet-columns.ts';

export interface OperationState {
  readonly id: string;
  readonly executionId: string;
  readonly status: OperationStatus;
  readonly cellCount: number;
  readonly completedCount: number;
  readonly failedCount: number;
  readonly pendingCount: number;
  readonly cancelledCount: number;
  readonly counts: {
    readonly queued: number;
    readonly running: number;
    readonly completed: number;
    readonly error: number;
  };
  /** USD that its requests may cost and have cost, where there is a ceiling. */
  readonly cost: { readonly ceiling: number; readonly spent: number } | undefined;
  /** Why it has stopped from within. */
  readonly stopMessage: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const isActive = `status in ('queued', 'running')`;

/** Active ones, oldest first. */
export async function listOperations(
  session: Session,
  sheetKey: number,
): Promise<OperationState[]> {
  const records = await session.query<OperationRecord>(
    `select * from operations where sheet_key = ? and ${isActive} order by key`,
    [sheetKey],
  );
  return Promise.all(records.map((record) => withRunning(session, record)));
}

/** By its id or the id of its execution; finished ones too. */
export async function getOperation(
  session: Session,
  sheetKey: number,
  id: string,
): Promise<OperationState | undefined> {
  const record = await session.one<OperationRecord>(
    'select * from operations where sheet_key = ? and (id = ? or execution_id = ?)',
    [sheetKey, id, id],
  );
  return record && withRunning(session, record);
}

/** Few cells run at a time, and the index finds them: the counts of the rest are kept as they change. */
async function withRunning(session: Session, record: OperationRecord): Promise<OperationState> {
  const isDone = record.status !== 'queued' && record.status !== 'running';
  const found = isDone ? 0 : await countRunning(session, record);
  const pendingCount = isDone
    ? 0
    : Math.max(0, record.cell_count - record.completed_count - record.failed_count);
  const running = Math.min(found, pendingCount);
  return {
    id: record.id,
    executionId: record.execution_id,
    status: record.status,
    cellCount: record.cell_count,
    completedCount: record.completed_count,
    failedCount: record.failed_count,
    cancelledCount: record.cancelled_count,
    pendingCount,
    counts: {
      queued: pendingCount - running,
      running,
      completed: record.completed_count,
      error: record.failed_count,
    },
    cost:
      record.cost_ceiling === null
        ? undefined
        : { ceiling: record.cost_ceiling, spent: record.spent },
    stopMessage: record.stop_message ?? undefined,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
  };
}

async function countRunning(session: Session, operation: OperationRecord): Promise<number> {
  const keys = await columnKeys(session, operation.sheet_key);
  if (keys.length === 0) return 0;
  const found = await session.one<{ running: number }>(
    `select count(*) as running from cells${session.dialect.byStatus}
     where sheet_key = ? and column_key in ${placeholders(keys.length)}
       and status <> 'input' and status = 'running' and operation_key = ?`,
    [operation.sheet_key, ...keys, operation.key],
  );
  return found?.running ?? 0;
}

export interface SheetCounts {
  readonly totalCells: number;
  /** By the status that a cell shows; typed-in cells are completed. */
  readonly counts: Readonly<Record<(typeof STATUSES)[number], number>>;
  readonly pendingCount: number;
}

const STATUSES = ['stale', 'queued', 'running', 'completed', 'error', 'cancelled'] as const;

/** Cells of the sheet by status, without mirrored (COMPOSITION) and system columns. */
export async function statusCounts(session: Session, sheetKey: number): Promise<SheetCounts> {
  const columns = (await loadColumns(session, sheetKey)).filter(
    ({ isDeleted, isSystem, type }) => !isDeleted && !isSystem && type !== 'COMPOSITION',
  );
  const computed = columns.filter(({ type }) => isComputed(type));
  const sheet = await session.one<{ row_count: number }>(
    'select row_count from sheets where key = ?',
    [sheetKey],
  );
  const rowCount = sheet?.row_count ?? 0;
  const counts = { stale: 0, queued: 0, running: 0, completed: 0, error: 0, cancelled: 0 };
  let stored = 0;
  for (const { status, cells } of await countStored(
    session,
    sheetKey,
    computed.map(({ key }) => key),
  )) {
    stored += cells;
    if (isStatus(status)) counts[status] += cells;
  }
  counts.stale += Math.max(0, rowCount * computed.length - stored);
  counts.completed += rowCount * (columns.length - computed.length);
  return {
    totalCells: rowCount * columns.length,
    counts,
    pendingCount: counts.queued + counts.running,
  };
}

const isStatus = (status: string): status is (typeof STATUSES)[number] =>
  (STATUSES as readonly string[]).includes(status);

async function countStored(
  session: Session,
  sheetKey: number,
  columnKeys: readonly number[],
): Promise<{ status: string; cells: number }[]> {
  if (columnKeys.length === 0) return [];
  return session.query(
    `select status, count(*) as cells from cells${session.dialect.byStatus}
     where sheet_key = ? and column_key in ${placeholders(columnKeys.length)} and status <> 'input'
     group by status`,
    [sheetKey, ...columnKeys],
  );
}
