import type { Operation } from '../../api/operation.ts';
import type { SheetAddress } from '../shell/address.ts';
import type { Operations, TrackedOperation } from '../operations/operations.ts';

/** What runs in a sheet, or in any sheet of a table, as far as this window knows. */
export const runningIn = (
  operations: Operations,
  { connectionId, tableId, sheetId }: Omit<SheetAddress, 'sheetId'> & { sheetId?: string },
): readonly TrackedOperation[] =>
  operations.active.filter(
    ({ address }) =>
      address.connectionId === connectionId &&
      address.tableId === tableId &&
      (sheetId === undefined || address.sheetId === sheetId),
  );

interface Progress {
  readonly done: number;
  readonly total: number;
  /** Whole ones; undefined until the cells are counted. */
  readonly percent: number | undefined;
}

export function progressOf(running: readonly Pick<TrackedOperation, 'operation'>[]): Progress {
  const sum = (count: (operation: Operation) => number): number =>
    running.reduce((all, { operation }) => all + count(operation), 0);
  const done = sum(doneCount);
  const total = sum(({ cell_count }) => cell_count);
  return { done, total, percent: total === 0 ? undefined : Math.floor((done / total) * 100) };
}

/** Cells that are through, whatever came out. */
export const doneCount = ({ completed_count, failed_count }: Operation): number =>
  completed_count + failed_count;
