import type { Database, Session } from '../../store/database.ts';
import { raiseVersion } from '../../store/scope.ts';
import { lockSheet } from '../operations/lock-sheet.ts';
import type { WaitingOperation } from './claim.ts';
import { finishIfDone } from './finish-operation.ts';
import type { RowPlace } from './place.ts';
import {
  insertRanges,
  rangesOfRows,
  rowsOfRanges,
  waitAgain,
  type HeldRange,
  type RowRange,
} from './task-ranges.ts';

const TASKS_A_TURN = 5000;
/** A row that has taken its worker down so often is not tried again. */
export const MAX_ATTEMPTS = 5;
const POISON_TEXT = `Computing this row stopped the service ${String(MAX_ATTEMPTS)} times. Check its inputs, then run it again.`;
/** Of a row that is known to have kept its worker from everything else. */
const MAX_HANGS = 2;
const HANG_TEXT = `Computing this row took so long that its worker had to be ended, ${String(MAX_HANGS)} times. Check its inputs, make them smaller, then run it again.`;

interface ExpiredTask extends RowRange {
  readonly sheet_key: number;
  readonly operation_key: number;
}

/**
 * Makes the tasks of dead workers available again. `everything` is for a database that only this
 * process uses: whatever is claimed at the start belongs to its predecessor. Answers how many.
 */
export async function reapTasks(
  database: Database,
  options: { everything: boolean },
): Promise<number> {
  const isDead = options.everything ? '' : ` and lease_until < ${database.dialect.now}`;
  const expired = await database.query<ExpiredTask>(
    `select sheet_key, operation_key, first_row, last_row from task_ranges where state = 'claimed'${isDead}
     order by sheet_key, operation_key limit ?`,
    [TASKS_A_TURN],
  );
  for (const tasks of grouped(expired)) {
    await database.transaction((session) => reapOperation(database, session, tasks, isDead));
  }
  return expired.length;
}

/**
 * Takes back what a worker had that hung and was ended. Where it is known in which row, only that
 * one has had an attempt, and is given up when it was not the first.
 */
export async function reapHung(
  database: Database,
  worker: string,
  hung: RowPlace | undefined,
): Promise<void> {
  const mine = { sql: `state = 'claimed' and token like ?`, params: [`${worker}:%`] };
  if (hung !== undefined) {
    await database.transaction((session) => chargeHung(database, session, mine, hung));
  }
  await database.run(`update task_ranges set lease_until = 0 where ${mine.sql}`, mine.params);
  await reapTasks(database, { everything: false });
}

/** One attempt for the row in which a worker hung, and none for the others that it had. */
async function chargeHung(
  database: Database,
  session: Session,
  mine: { readonly sql: string; readonly params: readonly string[] },
  { sheetKey, operationKey, rowIndex }: RowPlace,
): Promise<void> {
  await session.run(
    `update task_ranges set attempts = attempts - 1 where ${mine.sql}`,
    mine.params,
  );
  if ((await lockSheet(database, session, sheetKey)) === undefined) return;
  const [task] = await session.query<HeldRange & { readonly token: string }>(
    `delete from task_ranges where ${mine.sql} and sheet_key = ? and operation_key = ?
       and first_row <= ? and last_row >= ?
     returning first_row, last_row, token, lease_until, attempts`,
    [...mine.params, sheetKey, operationKey, rowIndex, rowIndex],
  );
  if (!task) return;
  const place = { sheetKey, operationKey };
  const others = rowsOfRanges([task]).filter((row) => row !== rowIndex);
  await insertRanges(session, place, rangesOfRows(others), task);
  const attempts = task.attempts + 1;
  if (attempts < MAX_HANGS) {
    await insertRanges(session, place, rangesOfRows([rowIndex]), { ...task, attempts });
    return;
  }
  await giveUp(session, place, [rowIndex], HANG_TEXT);
  await raiseVersion(session, sheetKey);
}

function grouped(tasks: readonly ExpiredTask[]): ExpiredTask[][] {
  const groups = new Map<string, ExpiredTask[]>();
  for (const task of tasks) {
    const name = `${String(task.sheet_key)}.${String(task.operation_key)}`;
    const group = groups.get(name);
    if (group) group.push(task);
    else groups.set(name, [task]);
  }
  return [...groups.values()];
}

async function reapOperation(
  database: Database,
  session: Session,
  tasks: readonly ExpiredTask[],
  isDead: string,
): Promise<void> {
  const [first] = tasks;
  if (!first) return;
  const { sheet_key: sheetKey, operation_key: operationKey } = first;
  const place = { sheetKey, operationKey };
  const version = await lockSheet(database, session, sheetKey);
  const ended = await session.query<RowRange & { attempts: number }>(
    `delete from task_ranges
     where sheet_key = ? and operation_key = ? and state = 'claimed'${isDead} and last_row ${database.dialect.isOneOf}
     returning first_row, last_row, attempts`,
    [sheetKey, operationKey, JSON.stringify(tasks.map(({ last_row }) => last_row))],
  );
  if (ended.length === 0) return;
  const isPoison = ({ attempts }: { attempts: number }): boolean => attempts >= MAX_ATTEMPTS;
  await waitAgain(
    session,
    place,
    ended.filter((task) => !isPoison(task)),
  );
  // With none that are poison it only looks whether anything is left to do.
  await giveUp(session, place, rowsOfRanges(ended.filter(isPoison)), POISON_TEXT);
  if (version !== undefined) await raiseVersion(session, sheetKey);
}

/** Ends rows of an operation, which have no task any more, with an error in each of their cells. */
export async function giveUp(
  session: Session,
  { sheetKey, operationKey }: Pick<WaitingOperation, 'sheetKey' | 'operationKey'>,
  rowIndices: readonly number[],
  reason: string,
): Promise<void> {
  const failedCount = await session.run(
    `update cells set status = 'error', previous_status = null, operation_key = null, value = null,
       display = null, num = null, error = 'internal', error_message = ?, updated_at = ?
     where sheet_key = ? and row_index ${session.dialect.isOneOf} and operation_key = ?`,
    [reason, Date.now(), sheetKey, JSON.stringify(rowIndices), operationKey],
  );
  await finishIfDone(session, { sheetKey, operationKey, completedCount: 0, failedCount });
}
