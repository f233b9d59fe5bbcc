/** Rows of the tables of scores; words and units as in `store/records.ts`. */

export interface ScoreConfigurationRecord {
  sheet_key: number;
  id: string;
  score_type: 'auto' | 'boolean' | 'numeric' | 'custom';
  config_json: string;
  created_at: number;
  updated_at: number;
}

export interface ScorecardRecord {
  sheet_key: number;
  id: string;
  name: string;
  evaluated_json: string;
  aggregation_json: string;
  display_json: string | null;
  baseline_json: string | null;
  steps_json: string;
  /** Changes when what decides about scores changes. */
  config_hash: string;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export type CalculationStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface CalculationRecord {
  sheet_key: number;
  /** Unique in the sheet only, rising. */
  number: number;
  id: string;
  workspace_id: number;
  kind: 'score' | 'scorecard';
  /** The scorecard or the configuration. */
  owner_id: string;
  status: CalculationStatus;
  /** The sheet's version_count when it was asked for. */
  sheet_version: number;
  config_json: string;
  config_hash: string;
  /** Which rows and steps are meant: `{}` for all. */
  selection_json: string;
  total_rows: number;
  scored_rows: number;
  /** The last row index that is done. */
  next_row: number;
  progress_json: string;
  result_json: string;
  aggregate_score: number | null;
  error_summary: string | null;
  token: string | null;
  lease_until: number;
  /** How often somebody has begun since something of it came about. */
  attempts: number;
  /** 1: begun by a window in Restricted Mode. */
  is_restricted: number;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
  /** USD; null when there is none. */
  cost_ceiling: number | null;
  spent: number;
  reserved: number;
  /** Why it stops before its end. */
  stop_message: string | null;
}

export type Verdict = 'pass' | 'warn' | 'fail' | 'error' | 'skipped';

export interface ScoredRowRecord {
  sheet_key: number;
  calculation: number;
  row_index: number;
  score: number | null;
  verdict: Verdict;
  results_json: string;
  input_hash: string;
  error_summary: string | null;
  computed_at: number;
}
