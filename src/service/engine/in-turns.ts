import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Session, SqlValue } from '../store/database.ts';

const CELLS_A_TURN = 20_000;

/**
 * Updates the computed cells that a condition selects, a part at a time: SQLite works on this
 * thread, and others want to be served meanwhile. `change` must make a cell leave the selection.
 * Answers how many cells changed.
 */
export async function updateCellsInTurns(
  session: Session,
  change: { readonly sql: string; readonly params: readonly SqlValue[] },
  where: { readonly sql: string; readonly params: readonly SqlValue[] },
  sheetKey: number,
): Promise<number> {
  let total = 0;
  for (;;) {
    const changed = await session.run(
      `update cells set ${change.sql} where sheet_key = ? and (row_index, column_key) in (
         select row_index, column_key from cells${session.dialect.byStatus}
         where sheet_key = ? and status <> 'input' and ${where.sql} limit ${String(CELLS_A_TURN)})`,
      [...change.params, sheetKey, sheetKey, ...where.params],
    );
    total += changed;
    if (changed < CELLS_A_TURN) return total;
    await nextTurn();
  }
}
