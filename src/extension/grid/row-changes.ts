import type { RowRange } from '../../protocol/grid.ts';
import type { Desk } from './desk.ts';
import { rowsIn, settleRanges } from './positions.ts';
import type { SheetState } from './sheet-state.ts';
import type { SheetSource } from './source.ts';

export interface RowContext {
  readonly state: SheetState;
  readonly source: SheetSource;
  readonly desk: Desk;
  /** `start`: rows were only added after the last one. */
  readonly renew: (keeps: 'nothing' | 'start') => Promise<void>;
}

/** Rows that one request adds or deletes. */
const addedAtOnce = 100;
const deletedAtOnce = 1000;

export async function addRows(
  { state, source, desk, renew }: RowContext,
  count: number,
  signal: AbortSignal,
): Promise<{ readonly rowCount: number }> {
  let left = count;
  try {
    while (left > 0) {
      const added = Math.min(left, addedAtOnce);
      await source.addRows(added, signal);
      left -= added;
    }
  } finally {
    // What was added is there, also when the rest failed.
    if (left < count) {
      await renew(state.order === 'asc' ? 'start' : 'nothing');
      desk.changed('rows');
    }
  }
  return { rowCount: state.rowCount ?? 0 };
}

/** The user is asked first. */
export async function deleteRows(
  { state, source, desk, renew }: RowContext,
  rows: readonly RowRange[],
  signal: AbortSignal,
): Promise<{ readonly deleted: number }> {
  const ranges = settleRanges(rows, state.shown.count);
  const count = rowsIn(ranges);
  // Which rows these are is settled before the question: they may move while it is open.
  const indices = await state.shown.rowIndices(ranges, signal);
  if (count === 0 || !(await desk.confirmDelete(count))) return { deleted: 0 };
  let deleted = 0;
  try {
    for (let start = 0; start < indices.length; start += deletedAtOnce) {
      const part = indices.slice(start, start + deletedAtOnce);
      await source.deleteRows(part, signal);
      deleted += part.length;
    }
  } finally {
    if (deleted > 0) {
      await renew('nothing');
      desk.changed('rows');
    }
  }
  return { deleted };
}
