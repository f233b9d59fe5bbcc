/** What the extension and the comparison of two columns say to each other. */

export const verdicts = ['left', 'right', 'tie'] as const;
export type Verdict = (typeof verdicts)[number];

export interface NamedColumn {
  readonly id: string;
  readonly title: string;
}

export interface ComparedSide {
  /** Null: no value. */
  readonly text: string | null;
  readonly status: string;
}

export interface ComparedRow {
  readonly position: number;
  readonly rowIndex: number;
  readonly left: ComparedSide;
  readonly right: ComparedSide;
  /** By hand. */
  readonly verdict: Verdict | null;
}

/** A row in the list of all. */
export interface ListedRow {
  readonly rowIndex: number;
  readonly isSame: boolean;
  readonly verdict: Verdict | null;
}

/** Which rows are listed. */
export const rowFilters = ['all', 'different', 'undecided'] as const;
export type RowFilter = (typeof rowFilters)[number];

export interface VerdictCounts {
  readonly left: number;
  readonly right: number;
  readonly tie: number;
}

/** What the page needs to be shown again. */
export interface ComparisonTarget {
  readonly connectionId: string;
  readonly tableId: string;
  readonly sheetId: string;
  readonly leftId: string;
  readonly rightId: string;
}

export interface ComparisonView {
  readonly sheet: string;
  readonly connection: { readonly name: string; readonly local: boolean };
  readonly left: NamedColumn;
  readonly right: NamedColumn;
  /** Columns that could hold scores of the two. */
  readonly columns: readonly NamedColumn[];
  readonly rowCount: number;
  readonly byHand: VerdictCounts;
  readonly target: ComparisonTarget;
}

type Request<Params, Result> = { readonly params: Params; readonly result: Result };

/** What the extension tells the page. */
export type ComparisonEvents = {
  /** The sheet is no longer as it was read. */
  readonly changed: null;
};

export type ComparisonRequests = {
  readonly ready: Request<null, ComparisonView>;
  readonly row: Request<{ readonly position: number }, ComparedRow>;
  /** Rows of a page, in their order; fewer than `pageSize` are the last ones. */
  readonly list: Request<{ readonly page: number }, readonly ListedRow[]>;
  /** Null: not decided. */
  readonly decide: Request<
    { readonly rowIndex: number; readonly verdict: Verdict | null },
    VerdictCounts
  >;
  /** The larger score wins a row; rows without both scores are left out. */
  readonly count: Request<{ readonly leftId: string; readonly rightId: string }, VerdictCounts>;
  /** In VS Code's own editor. */
  readonly openDiff: Request<{ readonly position: number }, null>;
};
