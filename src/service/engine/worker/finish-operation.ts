import type { Session } from '../../store/database.ts';
import { dropCalls, operationOwner } from '../kept-calls.ts';

export interface Progress {
  readonly sheetKey: number;
  readonly operationKey: number;
  /** Cells that are done since the last time. */
  readonly completedCount: number;
  readonly failedCount: number;
}

/**
 * Counts progress; an operation without tasks is over. It has failed when nothing of it worked, or
 * when it was stopped from within.
 * Rows and columns that were deleted meanwhile leave its cell count smaller.
 */
export async function finishIfDone(session: Session, progress: Progress): Promise<void> {
  const { sheetKey, operationKey, completedCount, failedCount } = progress;
  await session.run(
    `update operations set completed_count = completed_count + ?, failed_count = failed_count + ?,
       updated_at = ? where sheet_key = ? and key = ?`,
    [completedCount, failedCount, Date.now(), sheetKey, operationKey],
  );
  const finished = await session.run(
    `update operations set cell_count = completed_count + failed_count,
       status = case when stop_message is not null then 'failed'
         when completed_count = 0 and failed_count > 0 then 'failed' else 'completed' end
     where sheet_key = ? and key = ? and status in ('queued', 'running')
       and not exists (select 1 from task_ranges where sheet_key = ? and operation_key = ?)`,
    [sheetKey, operationKey, sheetKey, operationKey],
  );
  if (finished > 0) await dropCalls(session, operationOwner(sheetKey, operationKey));
}
