import type { Database, Session } from '../../store/database.ts';
import { raiseVersion } from '../../store/scope.ts';
import { lockSheet } from '../operations/lock-sheet.ts';
import type { WaitingOperation } from './claim.ts';
import { finishIfDone } from './finish-operation.ts';
import type { RowPlace } from './place.ts';

const TASKS_A_TURN = 5000;
/** A row that has taken its worker down so often is not tried again. */
export const MAX_ATTEMPTS = 5;
const POISON_TEXT = `Computing this row stopped the service ${String(MAX_ATTEMPTS)} times. Check its inputs, then run it again.`;
/** Of a row that is known to have kept its worker from everything else. */
const MAX_HANGS = 2;
const HANG_TEXT = `Computing this row took so long that its worker had to be ended, ${String(MAX_HANGS)} times. Check its inputs, make them smaller, then run it again.`;

interface ExpiredTask {
  readonly sheet_key: number;
  readonly operation_key: number;
  readonly row_index: number;
  readonly attempts: number;
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
    `select sheet_key, operation_key, row_index, attempts from tasks where state = 'claimed'${isDead}
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
  const mine = `state = 'claimed' and token like ?`;
  const tokens = `${worker}:%`;
  if (hung !== undefined) {
    const { sheetKey, operationKey, rowIndex } = hung;
    const isIt = 'sheet_key = ? and operation_key = ? and row_index = ?';
    const key = [sheetKey, operationKey, rowIndex];
    await database.run(`update tasks set attempts = attempts - 1 where ${mine} and not (${isIt})`, [
      tokens,
      ...key,
    ]);
    const task = await database.one<{ attempts: number }>(
      `select attempts from tasks where ${mine} and ${isIt}`,
      [tokens, ...key],
    );
    if (task !== undefined && task.attempts >= MAX_HANGS) {
      await database.transaction(async (session) => {
        if ((await lockSheet(database, session, sheetKey)) === undefined) return;
        await giveUp(session, { sheetKey, operationKey }, JSON.stringify([rowIndex]), HANG_TEXT);
        await raiseVersion(session, sheetKey);
      });
    }
  }
  await database.run(`update tasks set lease_until = 0 where ${mine}`, [tokens]);
  await reapTasks(database, { everything: false });
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
  const version = await lockSheet(database, session, sheetKey);
  const rows = await session.query<{ row_index: number; attempts: number }>(
    `update tasks set state = 'waiting', token = null, lease_until = 0
     where sheet_key = ? and operation_key = ? and state = 'claimed'${isDead} and row_index ${database.dialect.isOneOf}
     returning row_index, attempts`,
    [sheetKey, operationKey, JSON.stringify(tasks.map(({ row_index }) => row_index))],
  );
  const ofRows = (wanted: readonly { row_index: number }[]): string =>
    JSON.stringify(wanted.map(({ row_index }) => row_index));
  const changed = await session.run(
    `update cells set status = 'queued' where sheet_key = ? and row_index ${database.dialect.isOneOf}
       and operation_key = ? and status = 'running'`,
    [sheetKey, ofRows(rows), operationKey],
  );
  const poison = rows.filter(({ attempts }) => attempts >= MAX_ATTEMPTS);
  if (poison.length > 0) {
    await giveUp(session, { sheetKey, operationKey }, ofRows(poison), POISON_TEXT);
  }
  if (version !== undefined && (changed > 0 || poison.length > 0))
    await raiseVersion(session, sheetKey);
}

/** Ends rows of an operation (JSON text of their indices) with an error in each of their cells. */
export async function giveUp(
  session: Session,
  { sheetKey, operationKey }: Pick<WaitingOperation, 'sheetKey' | 'operationKey'>,
  rows: string,
  reason: string,
): Promise<void> {
  const { isOneOf } = session.dialect;
  const failedCount = await session.run(
    `update cells set status = 'error', previous_status = null, operation_key = null, value = null,
       display = null, num = null, error = 'internal', error_message = ?, updated_at = ?
     where sheet_key = ? and row_index ${isOneOf} and operation_key = ?`,
    [reason, Date.now(), sheetKey, rows, operationKey],
  );
  await session.run(
    `delete from tasks where sheet_key = ? and operation_key = ? and row_index ${isOneOf}`,
    [sheetKey, operationKey, rows],
  );
  await finishIfDone(session, { sheetKey, operationKey, completedCount: 0, failedCount });
}
