/** Work on many rows or cells at once: filter and sort, find, summary, changes of blocks. */
import type { GridSelection, RowRange } from './grid-cells.ts';
import type { RowOrder } from './grid-sheet.ts';

/** `lacks`, `differs`: not contains, not equals. `oneOf`: a list with commas or line breaks. */
export const conditionOperators = [
  ...(['contains', 'lacks', 'equals', 'differs', 'oneOf', 'matches'] as const),
  ...(['above', 'below', 'filled', 'empty', 'null', 'status'] as const),
] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

export interface RowCondition {
  /** `anyColumn`: it is enough when it holds in one of them; a negative one must hold in all. */
  readonly columnId: string;
  readonly operator: ConditionOperator;
  readonly operand: string;
}
export const anyColumn = '';
/** Operand of `status` for computed cells without a value yet. */
export const notRunStatus = 'notRun';
/** Status of cells that are complete, with an answer that was cut off at its limit of tokens. */
export const cutOffStatus = 'cutOff';

export interface SortKey {
  readonly columnId: string;
  readonly direction: RowOrder;
}

/** Which rows are shown, and in which order. Neither condition nor key: all rows as they are. */
export interface RowsQuery {
  readonly conditions: readonly RowCondition[];
  readonly match: 'all' | 'any';
  readonly sort: readonly SortKey[];
}

/** `loaded`: rows that have been fetched so far; `all`: the others are fetched first. */
export type Scope = 'loaded' | 'all';

/** A query that is in force. */
export interface RowsView {
  readonly query: RowsQuery;
  /** Rows that were looked at. */
  readonly scanned: number;
  /** Rows of the sheet; undefined while the service has not said. */
  readonly total: number | undefined;
}

export interface FindRequest {
  readonly text: string;
  readonly isPattern: boolean;
  readonly matchCase: boolean;
  readonly columnIds: readonly string[];
  readonly scope: Scope;
}

export interface FindResult {
  /** Row and column (place in `columnIds`) of each hit, in reading order; at most `mostHits`. */
  readonly hits: readonly (readonly [position: number, column: number])[];
  readonly count: number;
  readonly scanned: number;
  /** Rows that are shown; undefined while the service has not said how many there are. */
  readonly total: number | undefined;
}
export const mostHits = 10_000;

export interface SelectionSummary {
  /** Cells with a value. */
  readonly values: number;
  readonly numbers: number;
  /** In digits, as a double may not hold them. */
  readonly sum: string;
  readonly min: string | null;
  readonly max: string | null;
  readonly nulls: number;
  readonly empties: number;
  readonly distinct: number;
  /** There may be more: texts were compared by their beginning, or are too many to be counted. */
  readonly isDistinctAtLeast: boolean;
  readonly scanned: number;
  readonly rows: number;
}

/** Null in a block: the value null. */
export type Block = readonly (readonly (string | null)[])[];

/** Cells of a page that came with a text on the clipboard. */
export interface PastedTable {
  readonly block: readonly (readonly string[])[];
  /** The page holds nothing beside them. */
  readonly isAll: boolean;
  /** The program writes every blank and line break of a cell into its page. */
  readonly isExact: boolean;
}

/** What a text on the clipboard may be read as. */
export const pasteForms = ['cell', 'lines', 'tsv', 'csv', 'json', 'table'] as const;
export type PasteForm = (typeof pasteForms)[number];

export const blockWidth = (block: Block): number =>
  block.reduce((most, { length }) => Math.max(most, length), 0);

/** Whether a block goes several times into what is selected, without a rest: then it fills it. */
export function fillsSelection(
  block: Block,
  [range, ...others]: readonly RowRange[],
  columns: number,
): boolean {
  if (range === undefined || others.length > 0 || block.length === 0) return false;
  const [rows, width] = [range.to - range.from + 1, blockWidth(block)];
  if (width === 0 || rows * columns <= block.length * width) return false;
  return rows % block.length === 0 && columns % width === 0;
}

export type CellsChange =
  | {
      readonly kind: 'paste';
      readonly position: number;
      /** Shown columns from the first of the selection on. */
      readonly columnIds: readonly string[];
      readonly block: Block;
      /** A block of one cell fills all of it, any other block one that is a multiple of it. */
      readonly selection: GridSelection;
    }
  | { readonly kind: 'fill'; readonly selection: GridSelection }
  | { readonly kind: 'clear'; readonly selection: GridSelection; readonly to: 'empty' | 'null' };

export type ChangeOutcome =
  | {
      readonly outcome: 'done';
      readonly cells: number;
      readonly rowsAdded: number;
      /** Not accepted, in conflict or still on their way: each says so itself. */
      readonly open: number;
      /** Why the first of those that do not fit their column does not. */
      readonly fault?: string;
      /** Left as they were: it was stopped. */
      readonly dropped: number;
    }
  /** Before any cell was changed. */
  | { readonly outcome: 'stopped' }
  | { readonly outcome: 'nothing'; readonly message: string }
  | { readonly outcome: 'declined' };

export const columnActions = [
  ...(['addLeft', 'addRight', 'edit', 'duplicate', 'rename', 'delete'] as const),
  ...(['compare'] as const),
] as const;
export type ColumnAction = (typeof columnActions)[number];

/** How cells of a column that people fill in are entered. */
export type CellInput =
  | { readonly kind: 'text' }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'choice'; readonly options: readonly string[] };

type Request<Params, Result> = { readonly params: Params; readonly result: Result };

export type WorkRequests = {
  /** Null: all rows again. */
  readonly setView: Request<
    { readonly query: RowsQuery | null; readonly scope: Scope },
    RowsView | null
  >;
  readonly find: Request<FindRequest, FindResult>;
  readonly summary: Request<{ readonly selection: GridSelection }, SelectionSummary>;
  readonly change: Request<CellsChange, ChangeOutcome>;
  /**
   * The cells that a clipboard holds; null: none, or the question what they are was dismissed.
   * `text` null: what VS Code reads from it. `isAsked`: at the user's request, whatever it is.
   */
  readonly readPaste: Request<
    {
      readonly text: string | null;
      readonly table: PastedTable | null;
      readonly isAsked: boolean;
    },
    Block | null
  >;
  readonly columnAction: Request<
    { readonly action: ColumnAction; readonly columnId: string },
    null
  >;
  /** Keeps a column's new place on the service; `beforeId` null: at the end. */
  readonly moveColumn: Request<
    { readonly columnId: string; readonly beforeId: string | null },
    { readonly kept: boolean; readonly message: string }
  >;
};
