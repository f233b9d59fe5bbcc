import type { Operation } from '../api/operation.ts';
import type { SheetAddress } from './address.ts';
import type { Operations, TrackedOperation } from './operations/operations.ts';

/** What runs in a sheet, as far as this window knows. */
export const runningIn = (
  operations: Operations,
  { connectionId, sheetId }: SheetAddress,
): readonly TrackedOperation[] =>
  operations.active.filter(
    ({ address }) => address.connectionId === connectionId && address.sheetId === sheetId,
  );

/** Cells that are through of all that are run, in whole per cents; undefined until they are counted. */
export function shareDone(running: readonly TrackedOperation[]): number | undefined {
  const sum = (count: (operation: Operation) => number): number =>
    running.reduce((total, { operation }) => total + count(operation), 0);
  const total = sum(({ cell_count }) => cell_count);
  return total === 0 ? undefined : Math.floor((sum(doneCount) / total) * 100);
}

/** Cells that are through, whatever came out. */
export const doneCount = ({ completed_count, failed_count }: Operation): number =>
  completed_count + failed_count;
