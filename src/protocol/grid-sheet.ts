/** A sheet around its rows: columns, layout, operations, totals. */

import type { CellDraft, SavingProgress, UnsavedCounts, UnsavedEdit } from './grid-edits.ts';
import type { CellInput, RowsView } from './grid-work.ts';
import type { LogPresentation } from './request-log.ts';

export interface GridColumn {
  readonly id: string;
  readonly title: string;
  /** Column type as the service names it, for example TEXT or CODE_EXECUTION. */
  readonly type: string;
  /** Codicon name of the type, without the `codicon-` prefix. */
  readonly icon: string;
  readonly editable: boolean;
  readonly computed: boolean;
  readonly system: boolean;
  readonly output: boolean;
  /** Titles of the columns that it is computed from. */
  readonly sources: readonly string[];
  /** Numbers are set flush right. */
  readonly numeric: boolean;
  /** Of a column that people fill in; absent: any text. */
  readonly input?: CellInput;
}

/** Whether its cells can be run: those that people fill in are computed by nobody. */
export const canRun = ({ computed, input }: GridColumn): boolean => computed && input === undefined;

/** What there is to run in a sheet, as far as its counts say. */
export interface Runnable {
  /** Some column has cells that can be run. */
  readonly any: boolean;
  readonly stale: boolean;
  readonly failed: boolean;
}

/** Before anything was counted, there may be all. */
export function runnableOf({
  columns,
  statusCounts,
}: Pick<GridSheet, 'columns' | 'statusCounts'>): Runnable {
  const any = columns.some(canRun);
  const isCounted = Object.keys(statusCounts).length > 0;
  const has = (status: string): boolean => any && (!isCounted || (statusCounts[status] ?? 0) > 0);
  return { any, stale: has('stale'), failed: has('error') || has('failed') };
}

/** How one user laid out one sheet; keyed by column id, kept by the extension. */
export interface GridLayout {
  readonly widths: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
  readonly pinned: readonly string[];
  /** Column ids in the user's order; columns not named follow in the sheet's order. */
  readonly order: readonly string[];
}

export type RowOrder = 'asc' | 'desc';

export interface OperationProgress {
  readonly operationId: string;
  readonly status: string;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly pending: number;
  readonly finished: boolean;
}

/** Totals of one metric over the sheet. Units: US dollars, milliseconds. Null: no row has a value. */
export interface MetricTotals {
  readonly metric: string;
  readonly label: string;
  readonly count: number;
  readonly sum: number;
  readonly average: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Of the rows that are loaded, where the service has no such figures of the whole sheet. */
  readonly loaded?: LoadedFigures;
}

/** Percentiles of one metric in the rows that are loaded. */
export interface LoadedFigures {
  readonly rows: number;
  readonly median: number | null;
  readonly p95: number | null;
  /** Values below zero, which none can be: they are left out. */
  readonly negative: number;
}

export interface GridSheet {
  readonly tableId: string;
  readonly sheetId: string;
  readonly title: string;
  readonly tableTitle: string;
  /** `id` comes back in `GridState.connectionId`, so that a restored grid keeps its connection. */
  readonly connection: { readonly id: string; readonly name: string; readonly local: boolean };
  readonly columns: readonly GridColumn[];
  /** Rows that are shown. Undefined while the service has not said. */
  readonly rowCount: number | undefined;
  readonly version: number | undefined;
  /** Filter and sort; null: all rows are shown. */
  readonly view: RowsView | null;
  /** Rises whenever pages fetched earlier no longer stand for the sheet. */
  readonly generation: number;
  readonly order: RowOrder;
  readonly systemColumns: boolean;
  readonly layout: GridLayout;
  readonly operations: readonly OperationProgress[];
  /** Cells by status over the whole sheet, when the service says. */
  readonly statusCounts: Readonly<Record<string, number>>;
  readonly totals: readonly MetricTotals[];
  /**
   * Edits not yet acknowledged by the service (also from an earlier session). Of very many only the
   * first: `unsavedCounts` counts all of them.
   */
  readonly unsaved: readonly UnsavedEdit[];
  readonly unsavedCounts?: UnsavedCounts;
  /** Work on many cells or rows that is under way. */
  readonly saving?: SavingProgress | null;
  /** A text that was being typed when its view went away. */
  readonly draft?: CellDraft | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Present when the rows are logged requests: nothing of them can be changed. */
  readonly log?: LogPresentation;
}
