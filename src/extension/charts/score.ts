import * as z from 'zod';
import { measure } from '../../api/exact-number.ts';
import type { Score, ScorecardRow } from '../../api/score.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { Client, ScoreHistory, ScorecardAnswer, SheetRef } from '../../core/index.ts';
import type {
  JudgedRow,
  ScoredColumn,
  ScorePart,
  ScorePoint,
  ScoreSpread,
  ScoreView,
} from '../../protocol/charts.ts';
import { cutOffRows } from '../../protocol/charts.ts';
import { shortened } from '../../core/shortened.ts';

/** What doesn't have the expected form counts as absent: these shapes are not published. */
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);
const counts = z.record(z.string(), z.number()).catch({});

const Drift = z.looseObject({
  score_delta: maybe(measure),
  criteria: z.record(z.string(), measure.nullable()).catch({}),
});
const Criterion = z.looseObject({
  title: maybe(z.string()),
  weight: maybe(measure),
  score: maybe(measure),
  scored_rows: maybe(z.number()),
  verdict_counts: counts.optional(),
  cut_off_rows: maybe(z.number()),
});
const Calculation = z.looseObject({
  status: maybe(z.string()),
  aggregate_score: maybe(measure),
  aggregate_verdict: maybe(z.string()),
  completed_at: maybe(z.string()),
  error_summary: maybe(z.string()),
  scored_rows: maybe(z.number()),
  total_rows: maybe(z.number()),
  verdict_counts: counts.optional(),
  cut_off_rows: maybe(z.number()),
  criterion_summaries: z.record(z.string(), Criterion).catch({}).optional(),
  drift_summary: maybe(Drift),
});
const Step = z.looseObject({
  id: z.string(),
  title: z.string(),
  weight: maybe(measure),
  source_column_ids: z.array(z.string()).catch([]).optional(),
});
const Stale = z.looseObject({ is_stale: z.boolean().catch(false) });
const Point = z.looseObject({
  version_number: z.number(),
  name: maybe(z.string()),
  created_at: maybe(z.string()),
  score: maybe(measure),
  aggregate_score: maybe(measure),
  aggregate_verdict: maybe(z.string()),
  is_stale: z.boolean().catch(false).optional(),
});
const LegacyDetails = z.looseObject({
  cut_off_rows: maybe(z.number()),
  cut_off_by_column: z.record(z.string(), z.number()).catch({}).optional(),
});
const LegacyColumn = z.looseObject({
  column_id: maybe(z.string()),
  title: maybe(z.string()),
  score: maybe(measure),
  included_count: maybe(z.number()),
});

type Counted = Pick<z.output<typeof Calculation>, 'verdict_counts' | 'cut_off_rows'>;

const countsOf = (counted: Counted | undefined): Readonly<Record<string, number>> => ({
  ...counted?.verdict_counts,
  ...((counted?.cut_off_rows ?? 0) > 0 && { [cutOffRows]: counted?.cut_off_rows ?? 0 }),
});

const isUnderWay = (status: string | null | undefined): boolean =>
  status === 'queued' || status === 'running';

export function historyOf({ points }: ScoreHistory): readonly ScorePoint[] {
  return points.flatMap((point): ScorePoint[] => {
    const read = Point.safeParse(point);
    if (!read.success) return [];
    const { version_number: version, name, created_at: at } = read.data;
    const score = read.data.score ?? read.data.aggregate_score ?? null;
    if (score === null) return [];
    return [
      {
        ...{ version, score },
        name: name ?? '',
        at: at ?? '',
        verdict: read.data.aggregate_verdict ?? null,
        isStale: read.data.is_stale ?? false,
      },
    ];
  });
}

const noScore: ScoreView = {
  ...{ kind: 'none', name: '', status: 'none', isRunning: false, done: null, score: null },
  ...{ verdict: null, drift: null, isStale: false, calculatedAt: null, scoredRows: null },
  ...{ totalRows: null, verdicts: {}, parts: [], columns: [], history: [], problem: null },
};

interface LookedAt {
  readonly score: number | null;
  readonly weight: number | null;
  readonly columns: readonly string[];
}

/** The columns that the parts of a score look at, each with their mean by weight. */
function scoredColumns(parts: readonly LookedAt[]): readonly ScoredColumn[] {
  const found = new Map<string, { sum: number; weight: number; parts: number }>();
  for (const { score, weight, columns } of parts) {
    if (score === null) continue;
    for (const title of new Set(columns)) {
      const one = found.get(title) ?? { sum: 0, weight: 0, parts: 0 };
      const own = weight ?? 1;
      found.set(title, {
        sum: one.sum + score * own,
        weight: one.weight + own,
        parts: one.parts + 1,
      });
    }
  }
  return [...found].flatMap(([title, { sum, weight, parts: count }]) =>
    weight > 0 ? [{ title, score: sum / weight, parts: count }] : [],
  );
}

/** A scorecard with its latest calculation that came to an end. */
export function scorecardView(
  { scorecard, latest_calculation, display_calculation }: ScorecardAnswer,
  history: readonly ScorePoint[],
  titles: ReadonlyMap<string, string> = new Map(),
): ScoreView {
  if (scorecard === null || scorecard === undefined) return { ...noScore, history };
  const latest = Calculation.safeParse(latest_calculation ?? {}).data;
  const shown = Calculation.safeParse(display_calculation ?? latest_calculation ?? {}).data;
  const isRunning = isUnderWay(latest?.status);
  const steps = (scorecard.steps ?? []).flatMap((step) => Step.safeParse(step).data ?? []);
  const summaries = shown?.criterion_summaries ?? {};
  const drift = shown?.drift_summary ?? undefined;
  const parts = steps.map(({ id, title, weight }): ScorePart => {
    const found = summaries[id];
    return {
      title,
      weight: weight ?? null,
      score: found?.score ?? null,
      rows: found?.scored_rows ?? null,
      verdicts: countsOf(found),
      drift: drift?.criteria[id] ?? null,
    };
  });
  const columns = scoredColumns(
    steps.map(({ source_column_ids: ids = [] }, at) => ({
      score: parts[at]?.score ?? null,
      weight: parts[at]?.weight ?? null,
      columns: ids.map((id) => titles.get(id) ?? id),
    })),
  );
  return {
    ...{ kind: 'scorecard', isRunning, parts, columns, history },
    name: scorecard.name ?? '',
    status: scorecard.status ?? latest?.status ?? 'unknown',
    done: isRunning ? { rows: latest?.scored_rows ?? 0, of: latest?.total_rows ?? 0 } : null,
    score: shown?.aggregate_score ?? null,
    verdict: shown?.aggregate_verdict ?? null,
    drift: drift?.score_delta ?? null,
    isStale: Stale.safeParse(scorecard.stale_state).data?.is_stale ?? false,
    calculatedAt: shown?.completed_at ?? null,
    scoredRows: shown?.scored_rows ?? null,
    totalRows: shown?.total_rows ?? null,
    verdicts: countsOf(shown),
    problem: latest?.error_summary ?? null,
  };
}

/** The score of the kind that was before scorecards. */
export function legacyView(score: Score, history: readonly ScorePoint[]): ScoreView {
  const overall = score.aggregate_score ?? score.overall_score ?? null;
  const status = score.status ?? 'none';
  const details = LegacyDetails.safeParse(score['details'] ?? {}).data;
  const parts = (score.columns ?? []).flatMap((column): ScorePart[] => {
    const read = LegacyColumn.safeParse(column).data;
    if (read?.title === null || read?.title === undefined) return [];
    const rows = read.included_count ?? null;
    return [
      {
        title: read.title,
        weight: null,
        score: read.score ?? null,
        rows,
        verdicts: countsOf({ cut_off_rows: details?.cut_off_by_column?.[read.column_id ?? ''] }),
        drift: null,
      },
    ];
  });
  const isThere = overall !== null || parts.length > 0 || isUnderWay(status);
  return {
    ...noScore,
    ...{ history, status, parts, score: overall },
    columns: parts.flatMap(({ title, score: one }) =>
      one === null ? [] : [{ title, score: one, parts: 1 }],
    ),
    kind: isThere ? 'score' : 'none',
    isRunning: isUnderWay(status),
    calculatedAt: score.calculated_at ?? null,
    scoredRows: score.scored_rows ?? null,
    totalRows: score.total_rows ?? null,
    verdicts: countsOf(details),
  };
}

/** The scorecard of a sheet, or its older score; services may have none of them. */
export async function readScore(
  client: Client,
  ref: SheetRef,
  signal: AbortSignal,
): Promise<ScoreView> {
  const orNothing = async <Value>(asked: Promise<Value>): Promise<Value | undefined> => {
    try {
      return await asked;
    } catch (error) {
      if (hasErrorCode(error, 'not_found')) return undefined;
      throw error;
    }
  };
  const { scorecards, scores } = client.tables;
  const [answer, points] = await Promise.all([
    orNothing(scorecards.get(ref, { signal })),
    orNothing(scores.history(ref, {}, { signal })),
  ]);
  const history = points === undefined ? [] : historyOf(points);
  if (answer?.scorecard) {
    const titles = new Map<string, string>();
    for await (const { id, title } of client.tables.columns.list(ref, {}, { signal })) {
      titles.set(id, title);
    }
    return scorecardView(answer, history, titles);
  }
  const legacy = await orNothing(scores.get(ref, { signal }));
  return legacy === undefined ? { ...noScore, history } : legacyView(legacy, history);
}

const binCount = 10;
/** Rows that a distribution is made of: more take long, and change little. */
const mostSpread = 5000;

/** How many rows have which score by the last calculation of a scorecard. */
export async function readSpread(
  client: Client,
  ref: SheetRef,
  signal: AbortSignal,
): Promise<ScoreSpread> {
  const bins = Array.from({ length: binCount }, () => 0);
  let rows = 0;
  let unscored = 0;
  for await (const row of client.tables.scorecards.allRows(ref, { limit: 100 }, { signal })) {
    if (rows === mostSpread) return { bins, rows, unscored, hasMore: true };
    rows += 1;
    const score = row.aggregate_score ?? null;
    if (score === null) {
      unscored += 1;
      continue;
    }
    const bin = Math.min(binCount - 1, Math.max(0, Math.floor(score * binCount)));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return { bins, rows, unscored, hasMore: false };
}

const StepResult = z.looseObject({
  verdict: maybe(z.string()),
  evidence: z.unknown().optional(),
  error: maybe(z.string()),
});

const longest = 300;
const cut = (text: string): string => shortened(text, longest);

/** One row with what its steps say against it. */
export function judgedRow(row: ScorecardRow, titles: ReadonlyMap<string, string>): JudgedRow {
  const reasons = Object.entries(row.step_results ?? {}).flatMap(([id, result]) => {
    const read = StepResult.safeParse(result).data;
    if (read === undefined || read.verdict === 'pass' || read.verdict === 'skipped') return [];
    const { error, evidence, verdict } = read;
    const said = error ?? (typeof evidence === 'string' ? evidence : undefined);
    const why =
      said ?? (evidence === undefined || evidence === null ? verdict : JSON.stringify(evidence));
    return [`${titles.get(id) ?? id}: ${cut(why ?? '')}`];
  });
  return {
    reasons,
    rowIndex: row.row_index,
    score: row.aggregate_score ?? null,
    verdict: row.aggregate_verdict ?? 'unknown',
  };
}

/** Titles of the steps of a scorecard by their id. */
export const stepTitles = ({ scorecard }: ScorecardAnswer): ReadonlyMap<string, string> =>
  new Map(
    (scorecard?.steps ?? []).flatMap((step) => {
      const read = Step.safeParse(step).data;
      return read === undefined ? [] : [[read.id, read.title] as const];
    }),
  );
