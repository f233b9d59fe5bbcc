import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Session } from './database.ts';

const ROWS = 250;

/**
 * First and last index of some rows of a sheet at a time, all of them in the end. What is done with
 * each is done at once: SQLite works on this thread, and others want to be served meanwhile.
 */
export async function* rowRanges(
  session: Session,
  sheetKey: number,
): AsyncGenerator<readonly [first: number, last: number]> {
  for (let after = -1; ;) {
    const rows = await session.query<{ row_index: number }>(
      'select row_index from rows where sheet_key = ? and row_index > ? order by row_index limit ?',
      [sheetKey, after, ROWS],
    );
    const last = rows.at(-1)?.row_index;
    if (last === undefined) return;
    yield [after + 1, last];
    after = last;
    await nextTurn();
  }
}
