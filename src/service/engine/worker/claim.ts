import { randomUUID } from 'node:crypto';
import type { Database } from '../../store/database.ts';
import { isWorkOf, type WorkOf } from '../../store/own-work.ts';

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
  readonly rowIndices: readonly number[];
  readonly abort: AbortController;
}

const waitingTask = `select 1 from tasks t
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

export interface ClaimOptions {
  readonly worker: string;
  readonly limit: number;
  readonly leaseMs: number;
  /** The last row of the claim before, from which on is looked first: what is behind it is done. */
  readonly after?: number;
}

/**
 * Claims the next rows, or answers undefined when nothing waits any more. Rows that were under way
 * when their worker ended come last and in small claims: one of them may have ended it.
 */
export async function claimTasks(
  database: Database,
  operation: WaitingOperation,
  { worker, limit, leaseMs, after = -1 }: ClaimOptions,
): Promise<Claim | undefined> {
  const { sheetKey, operationKey } = operation;
  const { now, skipLocked } = database.dialect;
  const token = `${worker}:${randomUUID()}`;
  const waiting = `select row_index, attempts from tasks where sheet_key = ? and operation_key = ? and state = 'waiting'`;
  const rows = await database.transaction(async (session) => {
    await session.run(
      `update operations set status = 'running', updated_at = ${now}
       where sheet_key = ? and key = ? and status = 'queued'`,
      [sheetKey, operationKey],
    );
    const find = (condition: string, ...params: number[]): Promise<WaitingTask[]> =>
      session.query<WaitingTask>(`${waiting} ${condition} limit ?${skipLocked}`, [
        sheetKey,
        operationKey,
        ...params,
      ]);
    // The range has PostgreSQL go along the key, where it would sort all tasks that wait, and past
    // the entries of those that are done, which stay in the index until it is vacuumed.
    const untried = 'and attempts = 0 and row_index > ? order by row_index';
    let found = await find(untried, after, limit);
    if (found.length === 0 && after >= 0) found = await find(untried, -1, limit);
    if (found.length === 0) {
      const suspects = await find(
        'order by attempts, row_index',
        Math.min(limit, SUSPECTS_TOGETHER),
      );
      const [least] = suspects;
      found = suspects.filter(({ attempts }) => attempts === least?.attempts);
      if ((least?.attempts ?? 0) > 1) found = found.slice(0, 1);
    }
    const [first] = found;
    const last = found.at(-1);
    if (!first || !last) return [];
    // A range, which PostgreSQL scans once; a list it may compare with every task.
    return session.query<{ row_index: number }>(
      `update tasks set state = 'claimed', token = ?, lease_until = ${now} + ?, attempts = attempts + 1
       where sheet_key = ? and operation_key = ? and row_index between ? and ? and state = 'waiting'
         and attempts = ?
       returning row_index`,
      [token, leaseMs, sheetKey, operationKey, first.row_index, last.row_index, first.attempts],
    );
  });
  if (rows.length === 0) return undefined;
  const rowIndices = rows.map(({ row_index }) => row_index).sort((a, b) => a - b);
  return { ...operation, token, rowIndices, abort: new AbortController() };
}

interface WaitingTask {
  readonly row_index: number;
  readonly attempts: number;
}

/** Answers whether anything of the claim is left; nothing is after a cancel or a lost lease. */
export async function renewClaim(
  database: Database,
  claim: Claim,
  leaseMs: number,
): Promise<boolean> {
  const held = await database.run(
    `update tasks set lease_until = ${database.dialect.now} + ?
     where sheet_key = ? and operation_key = ? and token = ?`,
    [leaseMs, claim.sheetKey, claim.operationKey, claim.token],
  );
  return held > 0;
}

export async function isHeld(database: Database, claim: Claim): Promise<boolean> {
  const task = await database.one(
    'select 1 as held from tasks where sheet_key = ? and operation_key = ? and token = ? limit 1',
    [claim.sheetKey, claim.operationKey, claim.token],
  );
  return task !== undefined;
}

/** Gives the rest of a claim back; as if it had not been claimed, unless the attempt is to count. */
export async function releaseClaim(
  database: Database,
  claim: Claim,
  { countsAttempt = false }: { readonly countsAttempt?: boolean } = {},
): Promise<void> {
  const { sheetKey, operationKey, token } = claim;
  const back = countsAttempt ? 0 : 1;
  await database.transaction(async (session) => {
    const rows = await session.query<{ row_index: number }>(
      `update tasks set state = 'waiting', token = null, lease_until = 0, attempts = attempts - ?
       where sheet_key = ? and operation_key = ? and token = ? returning row_index`,
      [back, sheetKey, operationKey, token],
    );
    await session.run(
      `update cells set status = 'queued' where sheet_key = ? and operation_key = ? and status = 'running'
         and row_index ${database.dialect.isOneOf}`,
      [sheetKey, operationKey, JSON.stringify(rows.map(({ row_index }) => row_index))],
    );
  });
}
