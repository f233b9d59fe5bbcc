import type { Database, Session } from '../../store/database.ts';
import type { OperationRecord } from '../../store/records.ts';
import { raiseVersion } from '../../store/scope.ts';
import { placeholders } from '../../store/dialect.ts';
import { updateCellsInTurns } from '../in-turns.ts';
import { dropCalls, operationOwner } from '../kept-calls.ts';
import { columnKeys } from '../sheet-columns.ts';
import { CANCEL_CHANNEL } from './channels.ts';
import { holdClaims, lockSheet } from './lock-sheet.ts';

/** Specification 4.2. */
export interface CancelOutcome {
  readonly operationId: string;
  readonly executionIds: readonly string[];
  /** All cells that were still to do. */
  readonly cancelledCellCount: number;
  /** Of them, those that were waiting. */
  readonly notStartedResetCount: number;
  /** Of them, those that were being computed: their results will be dropped. */
  readonly runningInvalidatedCount: number;
}

/**
 * Queued and running cells go back to the status and value that they had. Workers' late results
 * find no task with their token and are dropped. An unknown or finished operation has nothing to
 * cancel, which is a success.
 */
export async function cancelOperation(
  database: Database,
  sheetKey: number,
  operationId: string,
): Promise<CancelOutcome> {
  const outcome = await database.transaction(async (session) => {
    const version = await lockSheet(database, session, sheetKey);
    await holdClaims(session, sheetKey);
    const operation = await session.one<OperationRecord>(
      `select * from operations where sheet_key = ? and (id = ? or execution_id = ?)
         and status in ('queued', 'running')`,
      [sheetKey, operationId, operationId],
    );
    if (!operation || version === undefined) return undefined;
    return { operation, ...(await reset(session, operation)) };
  });
  if (!outcome) return nothingToCancel(operationId);
  await database.notify(CANCEL_CHANNEL);
  const { operation, queued, running } = outcome;
  return {
    operationId: operation.id,
    executionIds: [operation.execution_id],
    cancelledCellCount: queued + running,
    notStartedResetCount: queued,
    runningInvalidatedCount: running,
  };
}

const nothingToCancel = (operationId: string): CancelOutcome => ({
  operationId,
  executionIds: [],
  cancelledCellCount: 0,
  notStartedResetCount: 0,
  runningInvalidatedCount: 0,
});

async function reset(
  session: Session,
  { sheet_key: sheetKey, key }: OperationRecord,
): Promise<{ queued: number; running: number }> {
  const queued = await resetCells(session, sheetKey, key, 'queued');
  const running = await resetCells(session, sheetKey, key, 'running');
  await session.run('delete from task_ranges where sheet_key = ? and operation_key = ?', [
    sheetKey,
    key,
  ]);
  await dropCalls(session, operationOwner(sheetKey, key));
  await session.run(
    `update operations set status = 'cancelled', cancelled_count = ?, updated_at = ?
     where sheet_key = ? and key = ?`,
    [queued + running, Date.now(), sheetKey, key],
  );
  await raiseVersion(session, sheetKey);
  return { queued, running };
}

/** By column and status, because that is what the index knows; deleted columns are reset as well. */
async function resetCells(
  session: Session,
  sheetKey: number,
  operationKey: number,
  status: 'queued' | 'running',
): Promise<number> {
  const keys = await columnKeys(session, sheetKey);
  return updateCellsInTurns(
    session,
    {
      sql: `status = coalesce(previous_status, 'stale'), previous_status = null, operation_key = null, updated_at = ?`,
      params: [Date.now()],
    },
    {
      sql: `column_key in ${placeholders(keys.length)} and status = ? and operation_key = ?`,
      params: [...keys, status, operationKey],
    },
    sheetKey,
  );
}
