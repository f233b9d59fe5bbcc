/** What the extension and the charts of a sheet say to each other. */

export const metricNames = ['latency', 'price', 'tokens'] as const;
export type MetricName = (typeof metricNames)[number];
export const chartTabs = [...metricNames, 'score', 'versions'] as const;
export type ChartTab = (typeof chartTabs)[number];

/** Milliseconds, US dollars or tokens of the cells of one column. What is not known is null. */
export interface MetricFacts {
  /** Cells that have a value. */
  readonly known: number;
  /** Cells whose value is below zero, which none can be: they count as not known. */
  readonly negative: number;
  readonly sum: number | null;
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly median: number | null;
  readonly p95: number | null;
  /** Cells by the bins of the metric. */
  readonly bins: readonly number[];
}

export interface ColumnCharts {
  readonly id: string;
  readonly title: string;
  /** All its cells that were read. */
  readonly cells: number;
  readonly metrics: Readonly<Record<MetricName, MetricFacts>>;
}

export interface TimePoint {
  /** Beginning of the span, ISO 8601. */
  readonly at: string;
  readonly mean: number;
  readonly known: number;
}

export interface MetricScale {
  /** Where bins begin; the last one has no end. */
  readonly edges: readonly number[];
  /** By when the cells were computed. */
  readonly history: readonly TimePoint[];
}

export interface SheetCharts {
  readonly state: 'reading' | 'done' | 'stopped';
  readonly rows: number;
  readonly of: number | null;
  /** Percentiles, bins and history are of a sample of the cells. */
  readonly isSampled: boolean;
  readonly columns: readonly ColumnCharts[];
  readonly scales: Readonly<Record<MetricName, MetricScale>>;
}

export const verdicts = ['pass', 'warn', 'fail', 'error', 'skipped'] as const;
export type Verdict = (typeof verdicts)[number];
/** Beside the verdicts in counts of rows: those with answers that were cut off, whatever their verdict. */
export const cutOffRows = 'cut_off';

export interface ScorePart {
  readonly title: string;
  readonly weight: number | null;
  readonly score: number | null;
  /** Rows that have a score. */
  readonly rows: number | null;
  readonly verdicts: Readonly<Record<string, number>>;
  /** To the calculation before, or the one that the scorecard names. */
  readonly drift: number | null;
}

/** A column that a score looks at. */
export interface ScoredColumn {
  readonly title: string;
  /** The mean of the parts that look at it, by their weight. */
  readonly score: number;
  readonly parts: number;
}

/** How many rows have which score. */
export interface ScoreSpread {
  /** From 0 to 1 in parts of the same length. */
  readonly bins: readonly number[];
  /** Rows that were looked at. */
  readonly rows: number;
  /** Of those, rows without a score. */
  readonly unscored: number;
  /** There are more rows. */
  readonly hasMore: boolean;
}

/** What the cells of a saved version have cost and taken. */
export interface VersionFigures {
  readonly version: number;
  readonly name: string;
  readonly at: string;
  /** Rows that the service sent, and that the version has; null: it does not say. */
  readonly rows: number;
  readonly of: number | null;
  /** The service returned the contents of the version. */
  readonly isReported: boolean;
  /** Cells that have asked a model. */
  readonly cells: number;
  readonly latency: MetricFacts;
  readonly price: MetricFacts;
  readonly tokens: MetricFacts;
  readonly score: number | null;
}

export interface VersionCharts {
  readonly state: 'idle' | 'reading' | 'done' | 'stopped';
  /** Oldest first. */
  readonly versions: readonly VersionFigures[];
  readonly of: number;
  /** There are older ones. */
  readonly hasMore: boolean;
}

export interface ScorePoint {
  readonly version: number;
  readonly name: string;
  readonly at: string;
  readonly score: number;
  readonly verdict: string | null;
  readonly isStale: boolean;
}

export interface ScoreView {
  /** `score`: of the kind that was before scorecards. */
  readonly kind: 'scorecard' | 'score' | 'none';
  readonly name: string;
  readonly status: string;
  readonly isRunning: boolean;
  readonly done: { readonly rows: number; readonly of: number } | null;
  readonly score: number | null;
  readonly verdict: string | null;
  readonly drift: number | null;
  readonly isStale: boolean;
  readonly calculatedAt: string | null;
  readonly scoredRows: number | null;
  readonly totalRows: number | null;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly parts: readonly ScorePart[];
  readonly columns: readonly ScoredColumn[];
  readonly history: readonly ScorePoint[];
  readonly problem: string | null;
}

export interface JudgedRow {
  readonly rowIndex: number;
  readonly score: number | null;
  readonly verdict: string;
  /** Why, step by step. */
  readonly reasons: readonly string[];
}
export interface JudgedRows {
  readonly rows: readonly JudgedRow[];
  /** Where the next ones begin; null: these are all. */
  readonly next: number | null;
}

export interface ChartsView {
  readonly sheet: string;
  readonly connection: { readonly name: string; readonly local: boolean };
  readonly tab: ChartTab;
  readonly page: ChartsPageState;
}

/** Kept by the page, so that the panel comes back after a reload. */
export interface ChartsPageState {
  readonly connectionId: string;
  readonly tableId: string;
  readonly sheetId: string;
  readonly tab: ChartTab;
}

type Request<Params, Result> = { readonly params: Params; readonly result: Result };

/** What the page asks of the extension. */
export type ChartsRequests = {
  /** First message of a page; the charts follow as events. */
  readonly ready: Request<null, ChartsView>;
  readonly showTab: Request<{ readonly tab: ChartTab }, null>;
  /** Reads the rows again. */
  readonly read: Request<null, null>;
  readonly stop: Request<null, null>;
  /** Reads saved versions; they follow as events. */
  readonly readVersions: Request<null, null>;
  readonly stopVersions: Request<null, null>;
  readonly scoreSpread: Request<null, ScoreSpread>;
  /** Reads the score again. */
  readonly lookAtScore: Request<null, null>;
  readonly calculate: Request<null, null>;
  readonly cancelCalculation: Request<null, null>;
  /** Opens the form of the scorecard: of a new one where there is none. */
  readonly editScorecard: Request<null, null>;
  readonly judged: Request<
    { readonly verdict: Verdict; readonly after: number | null },
    JudgedRows
  >;
  readonly openRow: Request<{ readonly rowIndex: number }, null>;
};

/** What the extension tells the page. */
export type ChartsEvents = {
  readonly charts: SheetCharts;
  readonly score: ScoreView;
  readonly versions: VersionCharts;
  readonly tab: { readonly tab: ChartTab };
  /** What went wrong in reading rows (`charts`) or the score. */
  readonly problem: { readonly where: 'charts' | 'score' | 'versions'; readonly message: string };
};
