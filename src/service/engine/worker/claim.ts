import type { Database, Session } from '../../store/database.ts';
import { isWorkOf, type WorkOf } from '../../store/own-work.ts';
import { lockSheet } from '../operations/lock-sheet.ts';
import { endTasks, rowsOfRanges, tasksOf, waitAgain, type RowRange } from './task-ranges.ts';

/** Work that waits: an operation with tasks that nobody has claimed. */
export interface WaitingOperation {
  readonly sheetKey: number;
  readonly operationKey: number;
  readonly executionId: string;
  /** 1: begun by a window in Restricted Mode. */
  readonly isRestricted: number;
}

/** Rows of an operation that this worker has for as long as it renews the lease. */
export interface Claim extends WaitingOperation {
  /** Fencing: nothing of this claim counts once the tasks carry another token, or none. */
  readonly token: string;
  /** Of its tasks, in order. What of them is not there any more, or has been done, has no cells to compute. */
  readonly rowIndices: readonly number[];
  /** How many rows have no end that is committed: with the last of them, the claim ends. */
  rowsLeft: number;
  readonly abort: AbortController;
}

let lastToken = 0;

const waitingTask = `select 1 from task_ranges t
  where t.sheet_key = o.sheet_key and t.operation_key = o.key and t.state = 'waiting'`;

/** How many rows that were under way when their worker ended are tried together; later, each alone. */
const SUSPECTS_TOGETHER = 16;

/** Operations with waiting tasks, those with rows that nobody has tried first, and the sheets after the given one first, so that all have a turn. */
export async function findWaiting(
  database: Database,
  afterSheetKey: number,
  limit: number,
  workOf: WorkOf,
): Promise<WaitingOperation[]> {
  const own = isWorkOf(database, 's.workspace_id', workOf);
  return database.query<WaitingOperation>(
    `select o.sheet_key as "sheetKey", o.key as "operationKey", o.execution_id as "executionId",
       o.is_restricted as "isRestricted"
     from operations o join sheets s on s.key = o.sheet_key and s.deleted_at is null
     where o.status in ('queued', 'running') and exists (${waitingTask})${own.sql}
     order by case when exists (${waitingTask} and t.attempts = 0) then 0 else 1 end,
       case when o.sheet_key > ? then 0 else 1 end, o.sheet_key, o.key limit ?`,
    [...own.values, afterSheetKey, limit],
  );
}

interface ClaimOptions {
  readonly worker: string;
  readonly limit: number;
  readonly leaseMs: number;
  /** The last row of the claim before, from which on is looked first: what is behind it is done. */
  readonly after?: number;
}

interface WaitingTask extends RowRange {
  readonly attempts: number;
}

/**
 * Claims the next rows, or answers undefined when nothing waits any more. Rows that were under way
 * when their worker ended come last and in small claims: one of them may have ended it.
 */
export async function claimTasks(
  database: Database,
  operation: WaitingOperation,
  options: ClaimOptions,
): Promise<Claim | undefined> {
  // Stands in every task: short, and never given twice by one worker.
  const token = `${options.worker}:${(lastToken += 1).toString(36)}`;
  const ranges = await database.transaction(async (session) => {
    if (!(await isUnderWay(session, operation))) return [];
    const { tasks, limit } = await nextTasks(session, operation, options);
    const { whole, part } = upTo(limit, tasks);
    return [
      ...(await claimWhole(session, operation, whole, { token, ...options })),
      ...(part ? [await claimPart(session, operation, part, { token, ...options })] : []),
    ];
  });
  if (ranges.length === 0) return undefined;
  const rowIndices = rowsOfRanges(ranges).sort((a, b) => a - b);
  const rowsLeft = rowIndices.length;
  return { ...operation, token, rowIndices, rowsLeft, abort: new AbortController() };
}

/**
 * Whoever ends the operation holds it, and waits for this claim or has it find nothing: a claim adds
 * tasks, which the other would not see.
 */
async function isUnderWay(
  session: Session,
  { sheetKey, operationKey }: WaitingOperation,
): Promise<boolean> {
  const { now, forKeyShare } = session.dialect;
  const found = await session.one<{ status: string }>(
    `select status from operations where sheet_key = ? and key = ? and status in ('queued', 'running')${forKeyShare}`,
    [sheetKey, operationKey],
  );
  if (found?.status === 'queued') {
    await session.run(
      `update operations set status = 'running', updated_at = ${now}
       where sheet_key = ? and key = ? and status = 'queued'`,
      [sheetKey, operationKey],
    );
  }
  return found !== undefined;
}

/** From where to take how many rows. Others who look for some wait: it takes a moment. */
async function nextTasks(
  session: Session,
  { sheetKey, operationKey }: WaitingOperation,
  { limit, after = -1 }: ClaimOptions,
): Promise<{ readonly tasks: readonly WaitingTask[]; readonly limit: number }> {
  const find = (condition: string, ...params: number[]): Promise<WaitingTask[]> =>
    session.query<WaitingTask>(
      `select first_row, last_row, attempts from task_ranges
       where sheet_key = ? and operation_key = ? and state = 'waiting' ${condition} limit ?${session.dialect.forUpdate}`,
      [sheetKey, operationKey, ...params],
    );
  // The range has PostgreSQL go along the key, where it would sort all tasks that wait, and past
  // the entries of those that are done, which stay in the index until it is vacuumed.
  const untried = 'and attempts = 0 and last_row > ? order by last_row';
  let tasks = await find(untried, after, limit);
  if (tasks.length === 0 && after >= 0) tasks = await find(untried, -1, limit);
  if (tasks.length > 0) return { tasks, limit };
  const together = Math.min(limit, SUSPECTS_TOGETHER);
  const suspects = await find('order by attempts, last_row', together);
  const least = suspects[0]?.attempts ?? 0;
  return {
    tasks: suspects.filter(({ attempts }) => attempts === least),
    limit: least > 1 ? 1 : together,
  };
}

/** Tasks that have so many rows together, and the one of which only the first rows are wanted. */
function upTo(
  limit: number,
  tasks: readonly WaitingTask[],
): { whole: WaitingTask[]; part: TaskPart | undefined } {
  const whole: WaitingTask[] = [];
  let left = limit;
  for (const task of tasks) {
    if (left === 0) break;
    const { first_row: first, last_row: last } = task;
    if (last - first >= left) return { whole, part: { task, last: first + left - 1 } };
    whole.push(task);
    left -= last - first + 1;
  }
  return { whole, part: undefined };
}

interface TaskPart {
  readonly task: WaitingTask;
  /** The last of its rows that are wanted. */
  readonly last: number;
}

type Claiming = Pick<ClaimOptions, 'leaseMs'> & { readonly token: string };

async function claimWhole(
  session: Session,
  { sheetKey, operationKey }: WaitingOperation,
  tasks: readonly WaitingTask[],
  { token, leaseMs }: Claiming,
): Promise<RowRange[]> {
  const [first] = tasks;
  const last = tasks.at(-1);
  if (!first || !last) return [];
  // A range, which PostgreSQL scans once; a list it may compare with every task.
  return session.query<RowRange>(
    `update task_ranges set state = 'claimed', token = ?, lease_until = ${session.dialect.now} + ?, attempts = attempts + 1
     where sheet_key = ? and operation_key = ? and last_row between ? and ? and state = 'waiting' and attempts = ?
     returning first_row, last_row`,
    [token, leaseMs, sheetKey, operationKey, first.last_row, last.last_row, first.attempts],
  );
}

/** Takes rows off the front of a task that waits. */
async function claimPart(
  session: Session,
  { sheetKey, operationKey }: WaitingOperation,
  { task: { first_row: first, last_row: end, attempts }, last }: TaskPart,
  { token, leaseMs }: Claiming,
): Promise<RowRange> {
  await session.run(
    `update task_ranges set first_row = ?
     where sheet_key = ? and operation_key = ? and last_row = ?`,
    [last + 1, sheetKey, operationKey, end],
  );
  await session.run(
    `insert into task_ranges (sheet_key, operation_key, first_row, last_row, state, token, lease_until, attempts)
     values (?, ?, ?, ?, 'claimed', ?, ${session.dialect.now} + ?, ?)`,
    [sheetKey, operationKey, first, last, token, leaseMs, attempts + 1],
  );
  return { first_row: first, last_row: last };
}

/** Answers whether anything of the claim is left; nothing is after a cancel or a lost lease. */
export async function renewClaim(
  database: Database,
  claim: Claim,
  leaseMs: number,
): Promise<boolean> {
  const mine = tasksOf(claim);
  const held = await database.run(
    `update task_ranges set lease_until = ${database.dialect.now} + ? where ${mine.sql}`,
    [leaseMs, ...mine.params],
  );
  return held > 0;
}

export async function isHeld(database: Database, claim: Claim): Promise<boolean> {
  const mine = tasksOf(claim);
  const task = await database.one(
    `select 1 as held from task_ranges where ${mine.sql} limit 1`,
    mine.params,
  );
  return task !== undefined;
}

/** Gives the rest of a claim back; as if it had not been claimed, unless the attempt is to count. */
export async function releaseClaim(
  database: Database,
  claim: Claim,
  { countsAttempt = false }: { readonly countsAttempt?: boolean } = {},
): Promise<void> {
  const back = countsAttempt ? 0 : 1;
  await database.transaction(async (session) => {
    await lockSheet(database, session, claim.sheetKey);
    const held = await endTasks(session, claim);
    await waitAgain(
      session,
      claim,
      held.map((range) => ({ ...range, attempts: range.attempts - back })),
    );
  });
}
