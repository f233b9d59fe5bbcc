/** What the extension and the page that compares many variants over many cases say to each other. */
import type { RunEnding, RunProblem } from './run.ts';

/** What is compared: at most so many prompts, each with some models, over so many cases. */
export const mostPrompts = 6;
export const mostColumns = 24;
export const mostCases = 2000;
export const mostCells = 10_000;

/**
 * `waiting`: not asked, or to be asked again. `interrupted`: asked by a window that is gone, and not
 * answered as far as anybody knows.
 */
export const cellStates = [
  'waiting',
  'running',
  'done',
  'failed',
  'stopped',
  'interrupted',
] as const;
export type CellState = (typeof cellStates)[number];

/** What a scorer says of an answer. `problem`: it could not be scored, and why. */
export interface CellScore {
  readonly scorerId: string;
  readonly pass?: boolean;
  readonly problem?: string;
  /** A model is asked. */
  readonly isRunning?: boolean;
}

export interface MatrixCell {
  readonly columnId: string;
  readonly caseId: number;
  readonly state: CellState;
  /** The beginning of the answer, or of what has come of it. */
  readonly excerpt: string;
  /** Characters of the whole. */
  readonly length: number;
  readonly ending?: RunEnding;
  readonly problem?: RunProblem;
  readonly scores: readonly CellScore[];
  /** Milliseconds from the request to the end of the answer. */
  readonly elapsedMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly requestId?: number;
  /** US dollars; absent: not known. */
  readonly priceUsd?: number;
  readonly isCached?: boolean;
  /** Another answer than that of the first column; absent: there are not two to be compared. */
  readonly isDifferent?: boolean;
}

/** One variant: a prompt with a model. */
export interface MatrixColumn {
  readonly id: string;
  readonly title: string;
  /** The model, and parameters that were changed. */
  readonly detail: string;
  /** It was never published, so nothing but its text can be published of it. */
  readonly isUnpublished: boolean;
}

export interface MatrixCase {
  readonly id: number;
  readonly title: string;
  /** Its values, in one line. */
  readonly summary: string;
}

export interface MatrixScorer {
  readonly id: string;
  readonly title: string;
}

/** A mean with the interval in which the true one lies, 19 times out of 20. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** What a variant comes to. Nothing that is missing counts as anything. */
export interface ColumnFoot {
  readonly columnId: string;
  readonly answered: number;
  readonly failed: number;
  readonly cut: number;
  /** Answers of which every scorer has said something. */
  readonly scored: number;
  /** Share of these that pass every scorer. */
  readonly passRate?: Interval;
  /** Mean of the share of scorers that an answer passes. */
  readonly score?: Interval;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** US dollars of the answers whose price is known, and how many these are. */
  readonly costUsd?: number;
  readonly priced: number;
  /** How often it was found best by hand. */
  readonly firsts: number;
}

/** Why nothing is asked though there are cells that wait. */
export const haltKinds = ['stopped', 'budget', 'interrupted'] as const;
export type HaltKind = (typeof haltKinds)[number];

export interface MatrixProgress {
  readonly isRunning: boolean;
  readonly total: number;
  readonly answered: number;
  readonly failed: number;
  /** US dollars of everything that was asked, as far as known: judges count too. */
  readonly costUsd?: number;
  /** Requests that are not in that: their price is not known. */
  readonly unpriced: number;
  readonly halt?: HaltKind;
}

export interface MatrixView {
  readonly page: MatrixPageState;
  readonly title: string;
  readonly connection: { readonly name: string; readonly local: boolean };
  readonly columns: readonly MatrixColumn[];
  readonly cases: readonly MatrixCase[];
  readonly scorers: readonly MatrixScorer[];
  readonly cells: readonly MatrixCell[];
  readonly foots: readonly ColumnFoot[];
  /** The column that was found best, by case. */
  readonly best: readonly (readonly [caseId: number, columnId: string])[];
  readonly progress: MatrixProgress;
}

/** What the page keeps in its own state, for the extension to find it again. */
export interface MatrixPageState {
  readonly matrixId: string;
}

export interface WholeAnswer {
  readonly text: string;
  /** The answer of the first column, to be compared with; absent: there is none, or it is that. */
  readonly first?: string;
}

type Request<Params, Result> = { readonly params: Params; readonly result: Result };
type Cell = { readonly columnId: string; readonly caseId: number };

/** What the page asks of the extension. */
export type MatrixRequests = {
  /** First message of a page. */
  readonly ready: Request<null, MatrixView>;
  readonly addVariant: Request<null, null>;
  readonly removeColumn: Request<{ readonly columnId: string }, null>;
  readonly addCases: Request<null, null>;
  readonly removeCases: Request<null, null>;
  readonly addScorer: Request<null, null>;
  readonly removeScorer: Request<{ readonly scorerId: string }, null>;
  /** Asks for everything that is not answered, once that was confirmed. */
  readonly run: Request<null, null>;
  readonly stop: Request<null, null>;
  readonly answer: Request<Cell, WholeAnswer>;
  /** In an editor. */
  readonly openAnswer: Request<Cell, null>;
  readonly showRequest: Request<Cell, null>;
  /** Null: none of them. */
  readonly decide: Request<{ readonly caseId: number; readonly columnId: string | null }, null>;
  readonly saveAsSheet: Request<null, null>;
  readonly publishWinner: Request<null, null>;
};

/** What the extension tells the page. */
export type MatrixEvents = {
  /** Variants, cases or scorers are others. */
  readonly changed: MatrixView;
  readonly cells: {
    readonly cells: readonly MatrixCell[];
    readonly foots: readonly ColumnFoot[];
    readonly progress: MatrixProgress;
  };
};
