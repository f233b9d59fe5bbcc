import * as z from 'zod';
import type { Session } from '../store/database.ts';
import type { CriterionSummary } from './judge.ts';
import type { CalculationRecord, ScorecardRecord } from './records.ts';

/** How far the scores are from those of the baseline. */
interface Drift {
  readonly baseline_calculation_id: string;
  readonly score_delta: number | null;
  readonly criteria: Readonly<Record<string, number | null>>;
}

const Baseline = z.looseObject({ calculation_id: z.string().nullish() });
const Result = z.looseObject({
  criterion_summaries: z
    .record(z.string(), z.looseObject({ score: z.number().nullable() }))
    .default({}),
});

const minus = (now: number | null, before: number | null | undefined): number | null =>
  now === null || before === null || before === undefined ? null : now - before;

/** The baseline is the calculation that the scorecard names, or else the one before. */
export async function driftOf(
  session: Session,
  work: CalculationRecord,
  found: {
    readonly score: number | null;
    readonly summaries: Readonly<Record<string, CriterionSummary>>;
  },
): Promise<Drift | null> {
  const baseline = await baselineOf(session, work);
  if (baseline === undefined) return null;
  const { criterion_summaries: before } = Result.parse(JSON.parse(baseline.result_json));
  return {
    baseline_calculation_id: baseline.id,
    score_delta: minus(found.score, baseline.aggregate_score),
    criteria: Object.fromEntries(
      Object.entries(found.summaries).map(([id, { score }]) => [
        id,
        minus(score, before[id]?.score),
      ]),
    ),
  };
}

async function baselineOf(
  session: Session,
  work: CalculationRecord,
): Promise<CalculationRecord | undefined> {
  const scorecard = await session.one<Pick<ScorecardRecord, 'baseline_json'>>(
    'select baseline_json from scorecards where sheet_key = ? and id = ?',
    [work.sheet_key, work.owner_id],
  );
  const wanted = Baseline.safeParse(JSON.parse(scorecard?.baseline_json ?? '{}'));
  const id = wanted.success ? (wanted.data.calculation_id ?? undefined) : undefined;
  return session.one<CalculationRecord>(
    `select * from score_calculations where sheet_key = ? and owner_id = ? and number < ? and status = 'completed'
     ${id === undefined ? '' : 'and id = ?'} order by number desc limit 1`,
    [work.sheet_key, work.owner_id, work.number, ...(id === undefined ? [] : [id])],
  );
}
