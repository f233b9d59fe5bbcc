import { normaliseCellStatus } from '../../../api/cell.ts';
import type { Operation } from '../../../api/operation.ts';
import { isOperationFinished } from '../../../api/operation.ts';
import type { GridColumn, OperationProgress } from '../../../protocol/grid-sheet.ts';

export function progressOf(operation: Operation): OperationProgress {
  const { status, cell_count: total, completed_count: completed, failed_count: failed } = operation;
  return {
    operationId: operation.operation_id,
    status,
    total,
    completed,
    failed,
    // What was cancelled is no longer pending for the service, but it was not done either.
    pending: status === 'cancelled' ? total - completed - failed : operation.pending_count,
    finished: isOperationFinished(operation),
  };
}

/** Counts in the one spelling of statuses; words that mean the same are added up. */
export function statusCountsOf(
  sent: Readonly<Record<string, number>> | null | undefined,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [word, count] of Object.entries(sent ?? {})) {
    const status = normaliseCellStatus(word);
    counts[status] = (counts[status] ?? 0) + count;
  }
  return counts;
}

/** The sheet as far as counting its cells needs it. */
export interface CountedSheet {
  readonly columns: readonly Pick<GridColumn, 'computed'>[];
  readonly rowCount: number | undefined;
}

/**
 * The counts of computed cells. Services count those that are typed in as completed; how many these
 * are shows in how many cells they count at all.
 */
export function computedCounts(
  counts: Readonly<Record<string, number>>,
  total: number | undefined,
  { columns, rowCount }: CountedSheet,
): Readonly<Record<string, number>> {
  const { completed = 0, ...others } = counts;
  if (rowCount === undefined || completed === 0) return counts;
  const all = total ?? Object.values(counts).reduce((sum, count) => sum + count, 0);
  const computed = rowCount * columns.filter((column) => column.computed).length;
  const left = Math.max(0, completed - Math.max(0, all - computed));
  return left === 0 ? others : { ...others, completed: left };
}

/** Operations that were active and are no longer listed: the service lists only active ones. */
export const endedSince = (
  before: readonly OperationProgress[],
  active: readonly OperationProgress[],
): readonly OperationProgress[] => {
  const ids = new Set(active.map(({ operationId }) => operationId));
  return before.filter(({ operationId, finished }) => !finished && !ids.has(operationId));
};
