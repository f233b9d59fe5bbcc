import type { Session, SqlValue } from '../../store/database.ts';
import { rowsIn } from '../../store/rows-in.ts';
import type { Claim, WaitingOperation } from './claim.ts';

/** Rows of an operation, the first and the last included. */
export interface RowRange {
  readonly first_row: number;
  readonly last_row: number;
}

export interface HeldRange extends RowRange {
  readonly lease_until: number;
  readonly attempts: number;
}

type OperationPlace = Pick<WaitingOperation, 'sheetKey' | 'operationKey'>;

export const rowsOfRanges = (ranges: readonly RowRange[]): number[] =>
  ranges.flatMap(({ first_row: first, last_row: last }) =>
    Array.from({ length: last - first + 1 }, (_, offset) => first + offset),
  );

/** The ranges that rows make, which are in order. */
export function rangesOfRows(rowIndices: readonly number[]): RowRange[] {
  const ranges: { first_row: number; last_row: number }[] = [];
  for (const row of rowIndices) {
    const last = ranges.at(-1);
    if (last?.last_row === row - 1) last.last_row = row;
    else ranges.push({ first_row: row, last_row: row });
  }
  return ranges;
}

/** PostgreSQL can't tell the type of a bare parameter in a select list. */
export function integer(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${String(value)} is not an integer.`);
  return String(value);
}

/**
 * Makes tasks of the rows that a select finds, as few as there are ranges of rows that follow one
 * another. Each row is found once. In PostgreSQL they stay there; SQLite would sort them twice,
 * which takes longer than to write one task for each.
 */
export async function insertTasks(
  session: Session,
  place: OperationPlace,
  found: { readonly sql: string; readonly params: readonly SqlValue[] },
  attempts: number,
): Promise<void> {
  if (session.dialect.name === 'sqlite') {
    const rows = await session.lists<[row: number]>(
      `${found.sql} order by row_index`,
      found.params,
    );
    await insertRanges(session, place, rangesOfRows(rows.map(([row]) => row)), { attempts });
    return;
  }
  await session.run(
    `insert into task_ranges (sheet_key, operation_key, first_row, last_row, attempts)
     select ${integer(place.sheetKey)}, ${integer(place.operationKey)}, min(row_index), max(row_index), ${integer(attempts)}
     from (select row_index, row_index - row_number() over (order by row_index) as island
       from (${found.sql}) as found) as numbered
     group by island`,
    found.params,
  );
}

/** What is left to do of ranges waits again: the rows with cells that still belong to the operation. */
export async function waitAgain(
  session: Session,
  place: OperationPlace,
  ranges: readonly (RowRange & { readonly attempts: number })[],
): Promise<void> {
  const { sheetKey, operationKey } = place;
  const inOrder = ranges.toSorted((a, b) => a.first_row - b.first_row);
  for (const attempts of new Set(inOrder.map((range) => range.attempts))) {
    const rows = rowsOfRanges(inOrder.filter((range) => range.attempts === attempts));
    const within = rowsIn(session.dialect, rows);
    const ours = `sheet_key = ? and ${within.sql} and operation_key = ?`;
    const params = [sheetKey, ...within.params, operationKey];
    await session.run(
      `update cells set status = 'queued' where ${ours} and status = 'running'`,
      params,
    );
    const sql = `select distinct row_index from cells where ${ours}`;
    await insertTasks(session, place, { sql, params }, attempts);
  }
}

/** A condition on the tasks of a claim, with its parameters. It looks at no others' rows. */
export function tasksOf({ sheetKey, operationKey, token, rowIndices }: Claim): {
  readonly sql: string;
  readonly params: readonly SqlValue[];
} {
  return {
    sql: 'sheet_key = ? and operation_key = ? and last_row between ? and ? and token = ?',
    params: [sheetKey, operationKey, rowIndices[0] ?? 0, rowIndices.at(-1) ?? 0, token],
  };
}

/** What a claim still has, in order; kept from others until the end of the transaction. */
export async function heldRanges(session: Session, claim: Claim): Promise<HeldRange[]> {
  const mine = tasksOf(claim);
  return session.query<HeldRange>(
    `select first_row, last_row, lease_until, attempts from task_ranges where ${mine.sql}
     order by last_row${session.dialect.forUpdate}`,
    mine.params,
  );
}

/** Takes its tasks from a claim, and answers what it had. */
export async function endTasks(session: Session, claim: Claim): Promise<HeldRange[]> {
  const mine = tasksOf(claim);
  return session.query<HeldRange>(
    `delete from task_ranges where ${mine.sql} returning first_row, last_row, lease_until, attempts`,
    mine.params,
  );
}

/** Adds tasks that wait or, with its token, those of a claim. */
export async function insertRanges(
  session: Session,
  { sheetKey, operationKey }: OperationPlace,
  ranges: readonly RowRange[],
  task: Partial<Pick<HeldRange, 'lease_until' | 'attempts'> & { readonly token: string }> = {},
): Promise<void> {
  const { token = null, lease_until: leaseUntil = 0, attempts = 0 } = task;
  const state = token === null ? 'waiting' : 'claimed';
  await session.insertMany(
    {
      table: 'task_ranges',
      columns: {
        sheet_key: 'int',
        operation_key: 'int',
        first_row: 'int',
        last_row: 'int',
        state: 'text',
        token: 'text',
        lease_until: 'int',
        attempts: 'int',
      },
    },
    ranges.map(({ first_row: first, last_row: last }) => [
      ...[sheetKey, operationKey, first, last, state, token, leaseUntil, attempts],
    ]),
  );
}
