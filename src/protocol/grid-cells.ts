/** Rows and cells, as they travel to the grid and are named by it. */

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

export interface CellAddress {
  readonly columnId: string;
  readonly rowIndex: number;
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
