import type { OperationList } from '../../../core/index.ts';
import { hasErrorCode } from '../../../core/errors.ts';
import type { OperationProgress } from '../../../protocol/grid-sheet.ts';
import {
  computedCounts,
  endedSince,
  progressOf,
  statusCountsOf,
  type CountedSheet,
} from './operation-progress.ts';
import type { SheetSource } from '../rows/source.ts';

/** The operations of a sheet as last seen, and how its cells stand. */
export class OperationBoard {
  readonly #source: Pick<SheetSource, 'operation'>;
  readonly #sheet: () => CountedSheet;
  operations: readonly OperationProgress[] = [];
  statusCounts: Readonly<Record<string, number>> = {};

  constructor(source: Pick<SheetSource, 'operation'>, sheet: () => CountedSheet) {
    this.#source = source;
    this.#sheet = sheet;
  }

  get isRunning(): boolean {
    return this.operations.some(({ finished }) => !finished);
  }

  /** Active operations, and for this one look those that have ended since the last. */
  async take(list: OperationList, signal: AbortSignal): Promise<void> {
    const active = list.active_operations.map(progressOf);
    const ended = endedSince(this.operations, active);
    const ends = await Promise.all(ended.map((progress) => this.#endOf(progress, signal)));
    this.operations = [...active, ...ends];
    this.statusCounts = computedCounts(
      statusCountsOf(list.status_counts),
      list.total_cells ?? undefined,
      this.#sheet(),
    );
  }

  /** How an operation ended that is no longer listed. */
  async #endOf(progress: OperationProgress, signal: AbortSignal): Promise<OperationProgress> {
    try {
      const operation = await this.#source.operation(progress.operationId, signal);
      return { ...progressOf(operation), finished: true };
    } catch (error) {
      if (!hasErrorCode(error, 'not_found')) throw error;
      // Forgotten by the service: that it ended is all that can be said.
      return { ...progress, status: 'completed', finished: true };
    }
  }
}
