import { isComputed } from '../engine/index.ts';
import { conflict } from '../http/problem.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import { rowRanges } from '../store/row-ranges.ts';

/** Answers that were given to another question: all cells wait again. */
export async function dropAnswers(
  session: Session,
  { sheet_key, key }: ColumnRecord,
): Promise<void> {
  for await (const range of rowRanges(session, sheet_key)) {
    await session.run(
      'delete from cells where sheet_key = ? and row_index between ? and ? and column_key = ?',
      [sheet_key, ...range, key],
    );
  }
}

/** Some changes would pull cells from under a computation that is under way. */
export async function refuseWhileBusy(session: Session, sheetKey: number): Promise<void> {
  const busy = await session.one(
    `select key from operations where sheet_key = ? and status in ('queued', 'running') limit 1`,
    [sheetKey],
  );
  if (busy !== undefined) {
    throw conflict('The sheet is being recalculated. Wait until that is done, or cancel it first.');
  }
}

/** Typed-in cells of a column that is now computed become stale ones, and the other way round. */
export async function changeCellKind(
  session: Session,
  before: ColumnRecord,
  after: ColumnRecord,
): Promise<void> {
  const wasComputed = isComputed(before.type);
  const nowComputed = isComputed(after.type);
  if (wasComputed === nowComputed) return;
  for await (const range of rowRanges(session, after.sheet_key)) {
    await session.run(
      `update cells set status = ?, previous_status = null, operation_key = null, error = null,
         error_message = null, input_hash = null, last_computed_version = null
       where sheet_key = ? and row_index between ? and ? and column_key = ?`,
      [nowComputed ? 'stale' : 'input', after.sheet_key, ...range, after.key],
    );
  }
}
