import type { ScoredRowRecord, Verdict } from './records.ts';
import type { ScorecardConfig, Step } from './scorecard.ts';
import { thresholdsOf } from './scorecard.ts';
import { verdictOf } from './score-of.ts';

/** What one step found in one row; kept as JSON and sent as it is. */
export interface StepResult {
  readonly score: number | null;
  readonly verdict: Verdict;
  readonly evidence: unknown;
  readonly raw_value: unknown;
  readonly computed_at: string;
  readonly config_hash: string;
  readonly input_hash: string | null;
  readonly error?: string;
  /** It judged half an answer, or is one. */
  readonly cut_off?: true;
}

export type StepResults = Readonly<Record<string, StepResult>>;

/**
 * A row's score is the weighted mean of its steps that have one. Steps without a value are left
 * out; a required step that fails decides about the verdict, not about the score.
 */
export function judgeRow(
  { steps, aggregation }: ScorecardConfig,
  results: StepResults,
): Pick<ScoredRowRecord, 'score' | 'verdict' | 'error_summary'> {
  let sum = 0;
  let weights = 0;
  let isBroken = false;
  const errors: string[] = [];
  for (const step of steps) {
    const result = results[step.id];
    if (result === undefined) continue;
    if (result.score !== null) {
      sum += step.weight * result.score;
      weights += step.weight;
    }
    if (result.error !== undefined) errors.push(`${step.title}: ${result.error}`);
    if (step.required && (result.verdict === 'fail' || result.verdict === 'error')) isBroken = true;
  }
  const error_summary = errors.length === 0 ? null : errors.join(' ').slice(0, 2000);
  const score = weights === 0 ? null : sum / weights;
  const own = ownVerdict(score, errors.length > 0, aggregation);
  return { score, error_summary, verdict: isBroken ? broken(own, aggregation) : own };
}

function ownVerdict(
  score: number | null,
  hasErrors: boolean,
  { pass_threshold: pass, warn_threshold: warn }: ScorecardConfig['aggregation'],
): Verdict {
  if (score === null) return hasErrors ? 'error' : 'skipped';
  return verdictOf(score, { pass, warn: Math.min(pass, warn) });
}

function broken(
  own: Verdict,
  { required_step_failure_behavior: behavior }: ScorecardConfig['aggregation'],
): Verdict {
  if (behavior === 'warn') return own === 'pass' ? 'warn' : own;
  return behavior;
}

export interface Criterion {
  count: number;
  sum: number;
  verdicts: Record<Verdict, number>;
  /** Rows with an answer that was cut off. Absent: none. */
  cutOff?: number;
}

/** Running sums of a calculation: they are kept with its progress. */
export interface Sums extends Criterion {
  steps: Record<string, Criterion>;
}

const noVerdicts = (): Record<Verdict, number> => ({
  pass: 0,
  warn: 0,
  fail: 0,
  error: 0,
  skipped: 0,
});

export const noSums = (): Sums => ({ count: 0, sum: 0, verdicts: noVerdicts(), steps: {} });

/** The sums with more rows; those that were given stay as they are. */
export function addRows(
  sums: Sums,
  rows: readonly {
    readonly score: number | null;
    readonly verdict: Verdict;
    readonly results: StepResults;
  }[],
): Sums {
  const next = structuredClone(sums);
  for (const { score, verdict, results } of rows) {
    add(next, { score, verdict }, Object.values(results).some(isHalf));
    for (const [id, result] of Object.entries(results)) {
      const step = (next.steps[id] ??= { count: 0, sum: 0, verdicts: noVerdicts() });
      add(step, result, isHalf(result));
    }
  }
  return next;
}

const isHalf = ({ cut_off: cutOff }: StepResult): boolean => cutOff === true;

function add(
  to: Criterion,
  { score, verdict }: Pick<StepResult, 'score' | 'verdict'>,
  isCutOff: boolean,
): void {
  to.verdicts[verdict] += 1;
  if (isCutOff) to.cutOff = (to.cutOff ?? 0) + 1;
  if (score === null) return;
  to.count += 1;
  to.sum += score;
}

export const meanOf = ({ count, sum }: Pick<Sums, 'count' | 'sum'>): number | null =>
  count === 0 ? null : sum / count;

export interface CriterionSummary {
  readonly title: string;
  readonly primitive_type: string;
  readonly weight: number;
  readonly score: number | null;
  readonly verdict: Verdict | null;
  readonly scored_rows: number;
  readonly verdict_counts: Readonly<Record<Verdict, number>>;
  readonly cut_off_rows: number;
}

export function criterionSummaries(
  config: ScorecardConfig,
  sums: Sums,
): Record<string, CriterionSummary> {
  return Object.fromEntries(
    config.steps.map((step) => [step.id, summaryOf(step, sums.steps[step.id], config)]),
  );
}

function summaryOf(
  step: Step,
  found: Criterion | undefined,
  { aggregation }: ScorecardConfig,
): CriterionSummary {
  const score = found === undefined ? null : meanOf(found);
  return {
    title: step.title,
    primitive_type: step.primitive_type,
    weight: step.weight,
    score,
    verdict: score === null ? null : verdictOf(score, thresholdsOf(step, aggregation)),
    scored_rows: found?.count ?? 0,
    verdict_counts: found?.verdicts ?? noVerdicts(),
    cut_off_rows: found?.cutOff ?? 0,
  };
}

/** The verdict on the sheet: that of its mean score, or an error when nothing could be judged. */
export function sheetVerdict({ aggregation }: ScorecardConfig, sums: Sums): Verdict {
  return ownVerdict(meanOf(sums), sums.verdicts.error > 0, aggregation);
}
