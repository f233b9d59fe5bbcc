import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { measure } from './exact-number.ts';
import { costCeilingQuery } from './operation.ts';
import { sheetParams, sheetPath } from './sheet.ts';

const none = z.object({});

/** Legacy score of a sheet; `score_type` may be "scorecard" and most fields may be missing then. */
export const Score = z.looseObject({
  success: z.boolean().optional(),
  sheet_id: z.string().nullish(),
  score_type: z.string().nullish(),
  scoring_type: z.string().nullish(),
  status: z.string().nullish(),
  overall_score: measure.nullish(),
  aggregate_score: measure.nullish(),
  total_rows: z.number().nullish(),
  scored_rows: z.number().nullish(),
  excluded_rows: z.number().nullish(),
  calculated_at: z.string().nullish(),
  columns: z.array(z.looseObject({})).nullish(),
});
export type Score = z.output<typeof Score>;

export const Scorecard = z.looseObject({
  id: z.string(),
  sheet_id: z.string().nullish(),
  name: z.string().nullish(),
  status: z.string().nullish(),
  evaluated_column_ids: z.array(z.string()).nullish(),
  aggregation: z.looseObject({}).nullish(),
  steps: z.array(z.looseObject({})).nullish(),
  stale_state: z.looseObject({}).nullish(),
});
export type Scorecard = z.output<typeof Scorecard>;

export const ScorecardRow = z.looseObject({
  row_index: z.number(),
  aggregate_score: measure.nullish(),
  aggregate_verdict: z.string().nullish(),
  step_results: z.record(z.string(), z.unknown()).nullish(),
});
export type ScorecardRow = z.output<typeof ScorecardRow>;

const scoreType = z.enum(['auto', 'boolean', 'numeric', 'custom']);
export type ScoreType = z.output<typeof scoreType>;

/** A step of a scorecard as it is sent: what is left out has a default. */
const stepDraft = z.looseObject({
  /** Of a step that is there already. */
  id: z.guid().nullish(),
  title: z.string(),
  primitive_type: z.string(),
  source_column_ids: z.array(z.string()).optional(),
  /** Default 1. */
  weight: z.number().optional(),
  /** Default false. */
  required: z.boolean().optional(),
  /** `pass` and `warn`: the least scores for these verdicts. Default: those of the scorecard. */
  thresholds: z.record(z.string(), z.number()).optional(),
  primitive_config: z.looseObject({}).optional(),
  /** `min` and `max` of numbers that are not between 0 and 1, `invert`, `true_values`, ... */
  score_adapter: z.looseObject({}).nullish(),
  description: z.string().nullish(),
  target_column_id: z.guid().nullish(),
  evidence_mode: z.enum(['summary', 'raw', 'hidden']).nullish(),
  order_index: z.int().optional(),
  backing_column_id: z.guid().nullish(),
  config_hash: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
export type StepDraft = z.output<typeof stepDraft>;

const scorecardDraft = z.strictObject({
  name: z.string(),
  evaluated_column_ids: z.array(z.string()).default([]),
  steps: z.array(stepDraft).default([]),
  aggregation: z.looseObject({}),
  display_config: z.looseObject({}).nullish(),
  baseline_config: z.looseObject({}).nullish(),
});
export type ScorecardDraft = z.output<typeof scorecardDraft>;

/** Rows and steps; what is left out is all of them. */
const scorecardPart = z
  .strictObject({
    row_indices: z.array(z.int().min(0)).optional(),
    step_ids: z.array(z.guid()).optional(),
  })
  .optional();

export const configureScore = endpoint({
  name: 'configure_table_sheet_score',
  summary: 'Say how the legacy score of a sheet is calculated',
  method: 'PATCH',
  path: `${sheetPath}/score`,
  params: sheetParams,
  query: none,
  body: z.strictObject({
    score_type: scoreType.nullish(),
    score_config: z.looseObject({}).nullish(),
    column_ids: z.array(z.guid()).nullish(),
    column_names: z.array(z.string()).nullish(),
    code: z.string().min(1).max(50_000).nullish(),
    code_language: z.enum(['PYTHON', 'JAVASCRIPT']).default('PYTHON'),
    true_values: z.array(z.string()).nullish(),
    false_values: z.array(z.string()).nullish(),
    assertion_aggregation: z.enum(['all', 'any', 'mean']).nullish(),
  }),
  answer: z.looseObject({
    success: z.boolean().optional(),
    message: z.string().nullish(),
    score_configuration_id: z.string(),
    status: z.string().nullish(),
    requires_recalculation: z.boolean().nullish(),
    version: z.number().nullish(),
  }),
  ok: [200],
  repeatable: true,
});

/** Where a scorecard is there and no score of the older kind, the scorecard is calculated. */
export const recalculateScore = endpoint({
  name: 'recalculate_table_sheet_score',
  summary: 'Calculate the legacy score of a sheet in the background',
  method: 'POST',
  path: `${sheetPath}/score`,
  params: sheetParams,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    score_configuration_id: z.string().nullish(),
    score_source: z.string().nullish(),
    calculation_id: z.string().nullish(),
    status: z.string().nullish(),
    version: z.number().nullish(),
  }),
  ok: [202],
  repeatable: false,
});

export const configureScorecard = endpoint({
  name: 'configure_table_sheet_scorecard',
  summary: 'Make or change the scorecard of a sheet',
  method: 'PATCH',
  path: `${sheetPath}/scorecard`,
  params: sheetParams,
  query: none,
  body: scorecardDraft,
  answer: z.looseObject({
    success: z.boolean().optional(),
    scorecard: Scorecard,
    version: z.number().nullish(),
  }),
  ok: [200],
  repeatable: true,
});

export const deleteScorecard = endpoint({
  name: 'delete_table_sheet_scorecard',
  summary: 'Delete the scorecard of a sheet',
  method: 'DELETE',
  path: `${sheetPath}/scorecard`,
  params: sheetParams,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({ success: z.boolean().optional() }),
  ok: [200],
  repeatable: true,
});

export const migrateLegacyScore = endpoint({
  name: 'migrate_table_sheet_legacy_score',
  summary: 'Make steps of a scorecard of the columns of the legacy score',
  method: 'POST',
  path: `${sheetPath}/scorecard/migrate-legacy-score`,
  params: sheetParams,
  query: none,
  body: z.strictObject({ delete_legacy_score: z.boolean().default(false) }).optional(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    scorecard: Scorecard.nullish(),
    converted_count: z.number().nullish(),
    skipped: z.array(z.looseObject({})).nullish(),
    legacy_score_deleted: z.boolean().nullish(),
    version: z.number().nullish(),
  }),
  ok: [200],
  repeatable: false,
});

export const recalculateScorecard = endpoint({
  name: 'recalculate_table_sheet_scorecard',
  summary: 'Calculate the scorecard of a sheet in the background',
  method: 'POST',
  path: `${sheetPath}/scorecard/recalculate`,
  params: sheetParams,
  query: costCeilingQuery,
  body: scorecardPart,
  answer: z.looseObject({
    success: z.boolean().optional(),
    calculation_id: z.string(),
    status: z.string().nullish(),
    version: z.number().nullish(),
  }),
  ok: [202],
  repeatable: false,
});

export const cancelScorecard = endpoint({
  name: 'cancel_table_sheet_scorecard',
  summary: 'Cancel the calculation of a scorecard',
  method: 'POST',
  path: `${sheetPath}/scorecard/cancel`,
  params: sheetParams,
  query: none,
  body: scorecardPart,
  answer: z.looseObject({
    success: z.boolean().optional(),
    message: z.string().nullish(),
    scorecard: z.looseObject({ id: z.string() }).nullish(),
    cancelled_count: z.number().nullish(),
    execution_ids: z.array(z.string()).nullish(),
    calculation_id: z.string().nullish(),
  }),
  ok: [200],
  repeatable: false,
});

export const getScore = endpoint({
  name: 'get_table_sheet_score',
  summary: 'Get the legacy score of a sheet',
  method: 'GET',
  path: `${sheetPath}/score`,
  params: sheetParams,
  query: none,
  body: z.undefined(),
  answer: Score,
  ok: [200],
  repeatable: true,
});

export const getScorecard = endpoint({
  name: 'get_table_sheet_scorecard',
  summary: 'Get the scorecard of a sheet with its latest calculation',
  method: 'GET',
  path: `${sheetPath}/scorecard`,
  params: sheetParams,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    scorecard: Scorecard.nullish(),
    latest_calculation: z.looseObject({}).nullish(),
    display_calculation: z.looseObject({}).nullish(),
    progress: z.looseObject({}).nullish(),
  }),
  ok: [200],
  repeatable: true,
});

export const getScorecardCalculation = endpoint({
  name: 'get_table_sheet_scorecard_calculation',
  summary: 'Get one calculation of a scorecard',
  method: 'GET',
  path: `${sheetPath}/scorecard/calculations/{calculation_id}`,
  params: sheetParams.extend({ calculation_id: z.guid() }),
  query: none,
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    calculation: z.looseObject({}),
    criterion_summaries: z.unknown().optional(),
    drift_summary: z.unknown().optional(),
  }),
  ok: [200],
  repeatable: true,
});

/** Paged by the last row index seen, unlike every other list. */
export const listScorecardRows = endpoint({
  name: 'list_table_sheet_scorecard_rows',
  summary: 'List the verdicts of a scorecard by row',
  method: 'GET',
  path: `${sheetPath}/scorecard/rows`,
  params: sheetParams,
  query: z.object({
    calculation_id: z.guid().optional(),
    verdict: z.enum(['pass', 'warn', 'fail', 'error', 'skipped']).optional(),
    cursor: z.coerce.number().int().min(0).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    calculation_id: z.string().nullish(),
    rows: z.array(ScorecardRow),
    next_cursor: z.number().nullish(),
    verdict_counts: z.record(z.string(), z.number()).nullish(),
  }),
  ok: [200],
  repeatable: true,
});

export const getScorecardRow = endpoint({
  name: 'get_table_sheet_scorecard_row',
  summary: 'Get the verdict of one row',
  method: 'GET',
  path: `${sheetPath}/scorecard/rows/{row_index}`,
  params: sheetParams.extend({ row_index: z.coerce.number().int() }),
  query: z.object({ calculation_id: z.guid().optional() }),
  body: z.undefined(),
  answer: ScorecardRow,
  ok: [200],
  repeatable: true,
});

export const getScoreHistory = endpoint({
  name: 'get_table_sheet_score_history',
  summary: 'Get the score over the saved versions',
  method: 'GET',
  path: `${sheetPath}/versions/score-history`,
  params: sheetParams,
  query: z.object({
    max_points: z.coerce.number().int().min(50).max(5000).default(1200),
    range: z.enum(['all', 'last_25', 'last_50', 'last_100', 'last_250']).default('all'),
    resolution: z.enum(['auto', 'raw', 'min_max_bucket']).default('auto'),
  }),
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    score_history: z.looseObject({ points: z.array(z.looseObject({})).default([]) }),
  }),
  ok: [200],
  repeatable: true,
});
