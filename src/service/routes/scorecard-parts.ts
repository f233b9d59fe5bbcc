import { createHash } from 'node:crypto';
import type { WorkTerms } from '../engine/index.ts';
import { JsonText, jsonObject } from '../http/json-text.ts';
import { invalid } from '../http/problem.ts';
import { queueCalculation } from '../scorecards/calculations.ts';
import type { Selection } from '../scorecards/compute-rows.ts';
import type { Sums } from '../scorecards/judge.ts';
import { meanOf } from '../scorecards/judge.ts';
import type { CalculationRecord, ScorecardRecord, ScoredRowRecord } from '../scorecards/records.ts';
import { configOfRecord } from '../scorecards/scorecard.ts';
import type { StaleState } from '../scorecards/stale.ts';
import type { Session } from '../store/database.ts';
import type { SheetRecord } from '../store/records.ts';
import { isoTime } from './answers.ts';

/** Queues the calculation of a scorecard; what it is asked to leave out keeps its last result. */
export async function queueScorecard(
  session: Session,
  sheet: SheetRecord,
  scorecard: ScorecardRecord,
  selection: Selection,
  terms: WorkTerms,
): Promise<CalculationRecord> {
  const config = configOfRecord(scorecard);
  if (config.steps.length === 0) {
    throw invalid('The scorecard has no steps yet. Add steps to it first.');
  }
  const unknown = selection.step_ids?.find((id) => !config.steps.some((step) => step.id === id));
  if (unknown !== undefined) throw invalid(`The scorecard has no step ${unknown}.`);
  return queueCalculation(session, sheet, {
    kind: 'scorecard',
    owner_id: scorecard.id,
    config_json: JSON.stringify(config),
    config_hash: scorecard.config_hash,
    selection_json: JSON.stringify(selection),
    cost_ceiling: terms.costCeiling ?? null,
    is_restricted: terms.isRestricted ?? false,
  });
}

function statusOf(
  scorecard: ScorecardRecord,
  latest: CalculationRecord | undefined,
  completed: CalculationRecord | undefined,
  stale: StaleState | null,
): string {
  if (configOfRecord(scorecard).steps.length === 0) return 'needs_setup';
  if (latest !== undefined && ['queued', 'running', 'failed'].includes(latest.status)) {
    return latest.status;
  }
  if (completed === undefined) return 'ready';
  return stale?.is_stale === true ? 'stale' : 'completed';
}

export function scorecardJson(
  scorecard: ScorecardRecord,
  sheet: SheetRecord,
  tableId: string,
  {
    latest,
    completed,
    stale,
  }: {
    readonly latest: CalculationRecord | undefined;
    readonly completed: CalculationRecord | undefined;
    readonly stale: StaleState | null;
  },
): JsonText {
  return jsonObject({
    id: scorecard.id,
    workspace_id: sheet.workspace_id,
    smart_table_id: tableId,
    sheet_id: sheet.id,
    name: scorecard.name,
    evaluated_column_ids: new JsonText(scorecard.evaluated_json),
    aggregation: new JsonText(scorecard.aggregation_json),
    display_config: textOrNull(scorecard.display_json),
    baseline_config: textOrNull(scorecard.baseline_json),
    status: statusOf(scorecard, latest, completed, stale),
    stale_state: stale,
    latest_calculation_id: latest?.id ?? null,
    config_hash: scorecard.config_hash,
    steps: configOfRecord(scorecard).steps.map(({ dependencies: _, ...step }) => step),
    created_at: isoTime(scorecard.created_at),
    updated_at: isoTime(scorecard.updated_at),
  });
}

const textOrNull = (text: string | null): JsonText | null =>
  text === null ? null : new JsonText(text);

interface Result {
  readonly aggregate_verdict?: string;
  readonly criterion_summaries?: object;
  readonly drift_summary?: object | null;
}

export const resultOf = (calculation: CalculationRecord | undefined): Result =>
  calculation === undefined ? {} : (JSON.parse(calculation.result_json) as Result);

const timeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

export function calculationJson(calculation: CalculationRecord, sheetId: string): JsonText {
  const result = resultOf(calculation);
  return jsonObject({
    id: calculation.id,
    scorecard_id: calculation.owner_id,
    workspace_id: calculation.workspace_id,
    sheet_id: sheetId,
    sheet_revision: String(calculation.sheet_version),
    status: calculation.status,
    aggregate_score: calculation.aggregate_score,
    aggregate_verdict: result.aggregate_verdict ?? null,
    criterion_summaries: result.criterion_summaries ?? {},
    drift_summary: result.drift_summary ?? null,
    config_hash: calculation.config_hash,
    started_at: timeOrNull(calculation.started_at),
    completed_at: timeOrNull(calculation.completed_at),
    error_summary: calculation.error_summary,
    ...progressOf(calculation),
    // Fields of our own, and only where they say something.
    ...(calculation.cost_ceiling !== null && {
      cost_ceiling_usd: calculation.cost_ceiling,
      spent_usd: calculation.spent,
    }),
  });
}

/** How far it is, with the score of the rows so far. */
export function progressOf(calculation: CalculationRecord): Record<string, unknown> {
  const sums = JSON.parse(calculation.progress_json) as Partial<Sums>;
  return {
    scored_rows: calculation.scored_rows,
    total_rows: calculation.total_rows,
    partial_score:
      sums.count === undefined || sums.sum === undefined
        ? null
        : meanOf({ count: sums.count, sum: sums.sum }),
    verdict_counts: sums.verdicts ?? {},
    // A field of our own, and only where it says something.
    ...((sums.cutOff ?? 0) > 0 && { cut_off_rows: sums.cutOff }),
  };
}

/** A stable UUID of a row of a calculation, which has no id of its own in the database. */
function rowId(calculationId: string, rowIndex: number): string {
  const hex = createHash('sha256')
    .update(`${calculationId} ${String(rowIndex)}`)
    .digest('hex');
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) & 3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function rowFields(
  row: ScoredRowRecord,
  calculation: CalculationRecord,
  sheetId: string,
): Record<string, unknown> {
  return {
    id: rowId(calculation.id, row.row_index),
    calculation_id: calculation.id,
    scorecard_id: calculation.owner_id,
    sheet_id: sheetId,
    row_index: row.row_index,
    aggregate_score: row.score,
    aggregate_verdict: row.verdict,
    step_results: new JsonText(row.results_json),
    drift_summary: null,
    stale_state: null,
    error_summary: row.error_summary,
    config_hash: calculation.config_hash,
    input_hash: row.input_hash,
    computed_at: isoTime(row.computed_at),
  };
}
