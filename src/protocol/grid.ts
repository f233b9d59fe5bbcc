/**
 * What the extension and the sheet grid say to each other. The extension owns the data; the grid
 * owns position, selection and pixels, and asks for windows of rows. Rows are addressed by
 * position (0 = first in the current order); `rowIndex` is the service's own key of a row.
 */

import type { CellInput, RowsView, WorkRequests } from './grid-work.ts';
import type { LogCommand, LogFace } from './request-log.ts';

/** Rows of one page. Also the page size of the service's largest request. */
export const pageSize = 100;
/** Longest text of a cell in a page, in UTF-16 units; the rest is fetched on demand. */
export const previewLength = 256;

/** What a cell holds, so that look-alikes stay apart on screen, in speech and in copies. */
export const cellKinds = [
  'missing', // the row has no cell in this column
  'notRun', // computed column, never computed
  'null',
  'empty', // the empty string
  'text',
  'number',
  'boolean',
  'json', // object or array
] as const;
export type CellKind = (typeof cellKinds)[number];

/** Status of a cell that is typed in and has none to show. */
export const noStatus = '';

/** One column of a page: parallel arrays over the rows of the page. */
export interface PageColumn {
  /** What the cell shows, at most `previewLength` units, control characters made visible later. */
  readonly text: readonly string[];
  /** Index into `cellKinds`. */
  readonly kind: readonly number[];
  /** Index into the page's `statuses`. */
  readonly status: readonly number[];
  /** Positions within the page (0..99) whose text was cut. */
  readonly cut: readonly number[];
  /** Error texts (cut to `previewLength`) by place in the page, of failed cells only. */
  readonly errors: Readonly<Record<number, string>>;
}

export interface GridPage {
  readonly page: number;
  readonly generation: number;
  /** The service's row index of each row of the page. */
  readonly rowIndices: readonly number[];
  /** Status words met in this page; `noStatus` for typed-in cells. */
  readonly statuses: readonly string[];
  readonly columns: Readonly<Record<string, PageColumn>>;
}

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
  readonly log?: LogFace;
}

export interface CellAddress {
  readonly columnId: string;
  readonly rowIndex: number;
}

export interface UnsavedEdit extends CellAddress {
  /** Null: the value null. */
  readonly text: string | null;
  readonly state: 'sending' | 'waiting' | 'conflict' | 'refused';
  /** Why it is not saved, and what to do. */
  readonly message?: string;
  /** With a conflict: what the service holds now. */
  readonly current?: string;
}

export type UnsavedCounts = Readonly<Record<UnsavedEdit['state'], number>>;

/** What has become of unsaved edits since the last word of them. */
export interface UnsavedChange {
  readonly changed: readonly UnsavedEdit[];
  /** Saved, discarded, or among those that are only counted. */
  readonly gone: readonly CellAddress[];
  readonly counts: UnsavedCounts;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export interface SavingProgress {
  readonly title: string;
  /** How far it is, or what it waits for. */
  readonly message: string;
  /** 0 to 100; absent while nobody knows. */
  readonly percent?: number;
}

/** A text that is being typed and not confirmed yet. */
export interface CellDraft extends CellAddress {
  readonly position: number;
  readonly text: string;
  readonly base: string | null;
}

/** Everything known of one cell. Texts are whole. */
export interface CellDetail extends CellAddress {
  readonly id: string;
  readonly columnTitle: string;
  readonly columnType: string;
  readonly editable: boolean;
  readonly status: string;
  readonly kind: CellKind;
  /** The value as text: a string as it is, anything else as JSON with exact numbers. */
  readonly text: string;
  /** Display value when it differs from the value's own text. */
  readonly displayText?: string;
  /** The value pretty-printed, when it is JSON or a string that holds JSON. */
  readonly json?: string;
  /** True when `text` and `json` were cut for their size; open the value in an editor. */
  readonly cut: boolean;
  readonly error?: string;
  readonly metrics?: Readonly<Record<string, string | number | null>>;
  readonly inputHash?: string;
  readonly executionId?: string;
  readonly lastComputedVersion?: number;
  readonly sheetVersion?: number;
  readonly updatedAt?: string;
}

export const copyFormats = ['tsv', 'csv', 'json', 'markdown'] as const;
export type CopyFormat = (typeof copyFormats)[number];

/** Rows by position, both ends included. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export interface GridSelection {
  /** Cell under the cursor. */
  readonly cursor?: { readonly position: number; readonly columnId: string };
  readonly rows: readonly RowRange[];
  /** Visible columns of the selection in the order on screen. */
  readonly columnIds: readonly string[];
}

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

/** `text`: what the edit had become by then, when the cell was edited or undone meanwhile. */
export type EditOutcome = { readonly text?: string | null } & EditEnding;
type EditEnding =
  | { readonly outcome: 'saved'; readonly version: number | undefined; readonly staleCount: number }
  | { readonly outcome: 'waiting'; readonly message: string }
  | { readonly outcome: 'conflict'; readonly current: string }
  | { readonly outcome: 'refused'; readonly message: string };

/** An edit that was taken back or made again. */
export interface Retraced {
  /** Its cell, the first of several. */
  readonly at: CellAddress;
  /** Of several: how that went. */
  readonly many?: ManyRetraced;
}

export interface ManyRetraced {
  readonly saved: number;
  /** In conflict or refused. */
  readonly open: number;
  /** Left as they were: it was stopped. */
  readonly dropped: number;
}

export interface OpenedSheet {
  readonly sheet: GridSheet;
  /** Rows of the page that will be shown first, when they are at hand: spares a round trip. */
  readonly rows: GridPage | null;
}

/** What the grid asks of the extension. */
export type HostRequests = WorkRequests & {
  /** First message of a grid. `page`: the one that it will show first. */
  readonly ready: { readonly params: { readonly page: number }; readonly result: OpenedSheet };
  /** One page of rows. Far pages are walked to: see the `walk` event. Abort to stop. */
  readonly rows: {
    readonly params: { readonly page: number; readonly generation: number };
    readonly result: GridPage;
  };
  readonly cell: { readonly params: CellAddress; readonly result: CellDetail };
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
  readonly run: { readonly params: RunScope; readonly result: RunOutcome };
  readonly cancelOperation: {
    readonly params: { readonly operationId: string };
    readonly result: { readonly cancelled: number };
  };
  /** `columnId`: of the log, which is sorted by the service; absent: the one before. */
  readonly setOrder: {
    readonly params: { readonly order: RowOrder; readonly columnId?: string };
    readonly result: null;
  };
  readonly showSystemColumns: {
    readonly params: { readonly show: boolean };
    readonly result: null;
  };
  readonly reload: { readonly params: null; readonly result: null };
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
  } | null;
  /** The text that is being typed, so that it outlives the view; null: none any more. */
  readonly draft: CellDraft | null;
  /** The user closes the view: its sheet is not there any more. */
  readonly close: null;
};

/** Commands of palette, keys and menus that the grid carries out itself. */
export const gridCommands = [
  'copy',
  'copyWithHeaders',
  'copyAsCsv',
  'copyAsJson',
  'copyAsMarkdown',
  'cut',
  'paste',
  'pasteAs',
  'editCell',
  'openValue',
  'runCell',
  'runSelection',
  'runColumn',
  'runRows',
  'runStale',
  'runFailed',
  'toggleDetails',
  'goToRow',
  'goToColumn',
  'addRow',
  'deleteRows',
  'undo',
  'redo',
  'pinColumn',
  'hideColumn',
  'showColumns',
  'resetLayout',
  'sortAscending',
  'sortDescending',
  'toggleSystemColumns',
  'find',
  'filter',
  'clearFilter',
  'fillDown',
  'setNull',
  'reload',
] as const;
export type GridCommand = (typeof gridCommands)[number];

/** What the extension can have any grid do. */
export type ViewCommand = GridCommand | LogCommand;

/** What the extension asks of the grid. */
export type ViewRequests = {
  readonly selection: { readonly params: null; readonly result: GridSelection };
  /** `argument`: a row number (1 first) for goToRow, a column id for column commands. */
  readonly command: {
    readonly params: { readonly command: ViewCommand; readonly argument?: string };
    readonly result: null;
  };
};

export interface CellPatch {
  readonly rowIndex: number;
  readonly page: number;
  /** Place in the page. */
  readonly place: number;
  readonly columnId: string;
  readonly text: string;
  readonly kind: number;
  readonly status: string;
  readonly cut: boolean;
  readonly error?: string;
}

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
