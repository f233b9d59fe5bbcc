import type { CellWrite } from '../../../core/index.ts';
import { sentValue } from '../cells/cell-input.ts';
import type { ManyResult, ManyWrite } from './edits.ts';
import type { SheetState } from '../rows/sheet-state.ts';
import type { SheetSource } from '../rows/source.ts';

/** Writes cells with one request; undefined where the service takes one at a time. */
export async function writeMany(
  state: SheetState,
  source: SheetSource,
  writes: readonly ManyWrite[],
  signal: AbortSignal,
): Promise<readonly ManyResult[] | undefined> {
  const cells = writes.map(({ columnId, rowIndex, text, base }): CellWrite => ({
    column_id: columnId,
    row_index: rowIndex,
    value: sentValue(state.columnOf(columnId), text),
    display_value: text,
    ...(base !== undefined && { expected: base }),
  }));
  const answer = await source.writeCells(cells, signal);
  return answer?.results.map(({ outcome, message }): ManyResult => {
    if (outcome === 'refused') return { outcome: 'refused', message: message ?? '' };
    return { outcome: outcome === 'written' || outcome === 'same' ? 'saved' : 'alone' };
  });
}
