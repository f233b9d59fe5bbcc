/**
 * What the extension and the sheet grid say to each other. The extension owns the data; the grid
 * owns position, selection and pixels, and asks for windows of rows. Rows are addressed by
 * position (0 = first in the current order); `rowIndex` is the service's own key of a row.
 */

import type {
  CellAddress,
  CellDetail,
  CellPatch,
  GridPage,
  GridSelection,
  RowRange,
} from './grid-cells.ts';
import type { ViewCommand } from './grid-commands.ts';
import type {
  CellDraft,
  EditOutcome,
  Retraced,
  SavingProgress,
  UnsavedChange,
} from './grid-edits.ts';
import type {
  GridLayout,
  GridSheet,
  MetricTotals,
  OperationProgress,
  RowOrder,
} from './grid-sheet.ts';
import type { WorkRequests } from './grid-work.ts';

export const copyFormats = ['tsv', 'csv', 'json', 'markdown'] as const;

export type CopyFormat = (typeof copyFormats)[number];

export type RunScope =
  | { readonly kind: 'cell'; readonly cell: CellAddress }
  | { readonly kind: 'selection'; readonly selection: GridSelection }
  | { readonly kind: 'column'; readonly columnId: string; readonly onlyStale: boolean }
  | { readonly kind: 'rows'; readonly rows: readonly RowRange[] }
  | { readonly kind: 'stale' }
  | { readonly kind: 'failed' };

export type RunOutcome =
  | { readonly outcome: 'started'; readonly operationId: string; readonly cellCount: number }
  | { readonly outcome: 'nothing'; readonly message: string }
  | { readonly outcome: 'declined' };

export interface OpenedSheet {
  readonly sheet: GridSheet;
  /** Rows of the page that will be shown first, when they are at hand: spares a round trip. */
  readonly rows: GridPage | null;
}

/** What a grid asks of the extension, whatever its rows are of. */
export type RowsRequests = {
  /** First message of a grid. `page`: the one that it will show first. */
  readonly ready: { readonly params: { readonly page: number }; readonly result: OpenedSheet };
  /** One page of rows. Far pages are walked to: see the `walk` event. Abort to stop. */
  readonly rows: {
    readonly params: { readonly page: number; readonly generation: number };
    readonly result: GridPage;
  };
  readonly cell: { readonly params: CellAddress; readonly result: CellDetail };
  /** Puts the whole selection on the clipboard, with full values. */
  readonly copy: {
    readonly params: {
      readonly selection: GridSelection;
      readonly format: CopyFormat;
      readonly headers: boolean;
    };
    readonly result: { readonly cells: number; readonly rows: number };
  };
  readonly openValue: { readonly params: CellAddress; readonly result: null };
  /** `columnId`: of the log, which is sorted by the service; absent: the one before. */
  readonly setOrder: {
    readonly params: { readonly order: RowOrder; readonly columnId?: string };
    readonly result: null;
  };
  readonly reload: { readonly params: null; readonly result: null };
};

/** What the grid of a sheet asks besides: its rows can be changed and computed. */
export type SheetRequests = RowsRequests &
  WorkRequests & {
    /** `base` is the text that the user saw when the edit began: a newer one is a conflict. */
    readonly edit: {
      readonly params: CellAddress & { readonly text: string | null; readonly base: string | null };
      readonly result: EditOutcome;
    };
    /** What to do with an edit in conflict or refused. */
    readonly resolveEdit: {
      readonly params: CellAddress & { readonly keep: 'mine' | 'theirs' };
      readonly result: EditOutcome;
    };
    /** All edits in that state. The user is asked before anything is discarded. */
    readonly resolveAll: {
      readonly params: { readonly state: 'conflict' | 'refused'; readonly keep: 'mine' | 'theirs' };
      readonly result: null;
    };
    readonly undo: { readonly params: null; readonly result: Retraced | null };
    readonly redo: { readonly params: null; readonly result: Retraced | null };
    /** Stops the work that `saving` tells of. */
    readonly stopSaving: { readonly params: null; readonly result: null };
    readonly addRows: {
      readonly params: { readonly count: number };
      readonly result: { readonly rowCount: number };
    };
    readonly deleteRows: {
      readonly params: { readonly rows: readonly RowRange[] };
      /** `left`: it was stopped before these. */
      readonly result: { readonly deleted: number; readonly left?: number };
    };
    readonly run: { readonly params: RunScope; readonly result: RunOutcome };
    readonly cancelOperation: {
      readonly params: { readonly operationId: string };
      readonly result: { readonly cancelled: number };
    };
    readonly showSystemColumns: {
      readonly params: { readonly show: boolean };
      readonly result: null;
    };
  };

/** What the grid tells the extension. */
export type HostEvents = {
  /** Pages on screen: live updates are sent for these only. */
  readonly visiblePages: { readonly first: number; readonly last: number };
  readonly layout: GridLayout;
  /** For command enablement (`promptTables.cellEditable` and the like). */
  readonly cursor: {
    readonly position: number;
    readonly columnId: string;
    readonly editing: boolean;
    /** Some of the selected cells can be run. */
    readonly canRun: boolean;
  } | null;
  /** The text that is being typed, so that it outlives the view; null: none any more. */
  readonly draft: CellDraft | null;
  /** The user closes the view: its sheet is not there any more. */
  readonly close: null;
};

/** What the extension asks of the grid. */
export type ViewRequests = {
  readonly selection: { readonly params: null; readonly result: GridSelection };
  /** `argument`: a row number (1 first) for goToRow, a column id for column commands. */
  readonly command: {
    readonly params: { readonly command: ViewCommand; readonly argument?: string };
    readonly result: null;
  };
};

/** What the extension tells the grid. */
export type ViewEvents = {
  /** The sheet changed in more than its cells; pages of an older generation are dropped. */
  readonly sheet: GridSheet;
  /** Cells on screen that changed, coalesced. */
  readonly cells: { readonly generation: number; readonly patches: readonly CellPatch[] };
  /** Progress of the sheet's operations, and the counts that go with it. */
  readonly operations: {
    readonly operations: readonly OperationProgress[];
    readonly statusCounts: Readonly<Record<string, number>>;
    readonly totals: readonly MetricTotals[];
    /** Of the sheet; absent while the service has not said. */
    readonly version?: number;
  };
  /** A far page is being walked to, page by page. */
  readonly walk: { readonly target: number; readonly reached: number; readonly pages: number };
  readonly unsaved: UnsavedChange;
  readonly saving: SavingProgress | null;
  /** Something is wrong with the connection: shown in place, above the rows. Null: well again. */
  readonly problem: {
    readonly message: string;
    readonly hint?: string;
    readonly retry: boolean;
    /** The sheet is not there any more: its view is good for reading only. */
    readonly isGone?: boolean;
  } | null;
};

/** What the grid keeps in its own state, to come back where the user was. */
export interface GridState {
  readonly tableId: string;
  readonly sheetId: string;
  readonly connectionId: string;
  readonly firstPosition: number;
  readonly scrollLeft: number;
  readonly cursor: { readonly position: number; readonly columnId: string } | null;
  readonly detailsOpen: boolean;
  readonly detailsSize?: number;
  /** A text that was being typed when the view went away. */
  readonly draft?: CellDraft;
}

/**
 * The page that a view begins with, by what VS Code has kept of it. A guess for another sheet is as
 * good as any. Also runs as a text in the page: nothing around it may be used.
 */
export function firstPageOf(state: unknown, rowsPerPage: number): number {
  const { firstPosition } = (state ?? {}) as Partial<GridState>;
  const isPosition = Number.isSafeInteger(firstPosition) && Number(firstPosition) >= 0;
  return isPosition ? Math.floor(Number(firstPosition) / rowsPerPage) : 0;
}
