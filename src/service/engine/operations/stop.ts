import type { Database, Session } from '../../store/database.ts';
import { placeholders } from '../../store/dialect.ts';
import { raiseVersion } from '../../store/scope.ts';
import { updateCellsInTurns } from '../in-turns.ts';
import { columnKeys } from '../sheet-columns.ts';
import { finishIfDone } from '../worker/finish-operation.ts';
import { holdClaims, lockSheet } from './lock-sheet.ts';

/**
 * What an unfinished cell goes back to: what it was, with its value. One that was to be computed
 * says why it was not.
 */
export const BACK_TO_BEFORE = `status = case coalesce(previous_status, 'stale') when 'stale' then 'cancelled' else previous_status end,
  error_message = case coalesce(previous_status, 'stale') when 'stale' then ? when 'cancelled' then ? else error_message end,
  previous_status = null, operation_key = null, updated_at = ?`;

export const backToBefore = (message: string): (string | number)[] => [
  message,
  message,
  Date.now(),
];

/**
 * Stops an operation from within: rows that nobody has begun go back, those under way come to
 * their end, and their results are kept. The operation then has failed, with this message.
 */
export async function stopOperation(
  database: Database,
  sheetKey: number,
  operationKey: number,
  message: string,
): Promise<void> {
  await database.transaction(async (session) => {
    if ((await lockSheet(database, session, sheetKey)) === undefined) return;
    await holdClaims(session, sheetKey);
    const stopped = await session.run(
      `update operations set stop_message = ?, updated_at = ?
       where sheet_key = ? and key = ? and status in ('queued', 'running') and stop_message is null`,
      [message, Date.now(), sheetKey, operationKey],
    );
    if (stopped === 0) return;
    await session.run(
      `delete from task_ranges where sheet_key = ? and operation_key = ? and state = 'waiting'`,
      [sheetKey, operationKey],
    );
    const count = await putBack(session, sheetKey, operationKey, message);
    await session.run(
      'update operations set cancelled_count = cancelled_count + ? where sheet_key = ? and key = ?',
      [count, sheetKey, operationKey],
    );
    await finishIfDone(session, { sheetKey, operationKey, completedCount: 0, failedCount: 0 });
    await raiseVersion(session, sheetKey);
  });
}

async function putBack(
  session: Session,
  sheetKey: number,
  operationKey: number,
  message: string,
): Promise<number> {
  const keys = await columnKeys(session, sheetKey);
  return updateCellsInTurns(
    session,
    { sql: BACK_TO_BEFORE, params: backToBefore(message) },
    {
      sql: `column_key in ${placeholders(keys.length)} and status = 'queued' and operation_key = ?
        and not exists (select 1 from task_ranges where sheet_key = ? and operation_key = ?
          and last_row >= row_index and first_row <= row_index)`,
      params: [...keys, operationKey, sheetKey, operationKey],
    },
    sheetKey,
  );
}
