/**
 * The rows of the tables as the database holds them. Words: *key* is an integer inside the
 * database, *id* a UUID that the outside sees. Times are milliseconds since the epoch, flags 0 or 1,
 * `..._json` is JSON text.
 */

export interface TableRecord {
  key: number;
  id: string;
  workspace_id: number;
  title: string;
  /** Lower case, for searching. */
  title_folded: string;
  folder_id: number | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface SheetRecord {
  key: number;
  id: string;
  table_key: number;
  workspace_id: number;
  title: string;
  position: number;
  /** Rises by one with each committed change of the sheet. */
  version_count: number;
  row_count: number;
  next_row_index: number;
  next_column_key: number;
  next_operation_key: number;
  next_version_number: number;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface ColumnRecord {
  sheet_key: number;
  /** Unique in the sheet only. */
  key: number;
  id: string;
  /** The first 24 characters of the ids of this column's cells: see `cell-id.ts`. */
  cell_prefix: string;
  title: string;
  type: string;
  config_json: string;
  /** JSON text of an array of dependency edges, `column_id` inside. */
  dependencies_json: string;
  position_rank: number;
  is_output_column: number;
  /** System columns hold metrics (price, latency) of `source_column_key`. */
  is_system: number;
  source_column_key: number | null;
  metric_key: string | null;
  /** Rises when type, config or dependencies change; results of an older one are computed again. */
  config_revision: number;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface RowRecord {
  sheet_key: number;
  row_index: number;
  /** Rises when an input of the row is edited. */
  revision: number;
  created_at: number;
}

/**
 * `input` = a typed-in cell (TEXT); the others belong to computed cells. A computed cell without a
 * record is stale and was never queued; an input cell without a record is empty.
 */
export type CellState =
  'input' | 'stale' | 'queued' | 'running' | 'completed' | 'error' | 'cancelled';

export interface CellRecord {
  sheet_key: number;
  row_index: number;
  column_key: number;
  status: CellState;
  /** Where a queued or running cell goes back to when its operation is cancelled. */
  previous_status: CellState | null;
  /** The operation that has queued this cell. */
  operation_key: number | null;
  /** JSON text, written into answers as it is. SQL null is JSON null. */
  value: string | null;
  /** JSON text of a string. Null means: derived from `value` (see `cell-json.ts`). */
  display: string | null;
  /** The value as a number, for totals. */
  num: number | null;
  error: string | null;
  error_message: string | null;
  input_hash: string | null;
  execution_id: string | null;
  last_computed_version: number | null;
  /** JSON text of the request metrics. */
  metrics: string | null;
  updated_at: number;
}

export type OperationStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface OperationRecord {
  sheet_key: number;
  /** Unique in the sheet only. */
  key: number;
  id: string;
  execution_id: string;
  status: OperationStatus;
  cell_count: number;
  completed_count: number;
  failed_count: number;
  cancelled_count: number;
  /** USD; null is no ceiling. */
  cost_ceiling: number | null;
  /** USD of the calls that are done, and of those under way; kept only where there is a ceiling. */
  spent: number;
  reserved: number;
  /** Why it has stopped from within. */
  stop_message: string | null;
  /** 1: begun by a window in Restricted Mode. */
  is_restricted: number;
  created_at: number;
  updated_at: number;
}

/** A piece of an uploaded file, or of a saved version (with `number` instead of `operation_id`). */
export interface PieceRecord {
  piece: number;
  content: Uint8Array;
}

export type ImportStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface ImportRecord {
  sheet_key: number;
  operation_id: string;
  workspace_id: number;
  table_key: number;
  status: ImportStatus;
  source: 'file' | 'request_logs';
  /** Empty for requests. */
  file_name: string;
  /** What the file is, and which column keys its fields go to, in order. */
  layout_json: string;
  byte_count: number;
  /** How often somebody has begun since something of it came about. */
  attempts: number;
  rows_added: number;
  /** Share of the file that is in the sheet, 0 to 1. */
  progress: number;
  error_message: string | null;
  token: string | null;
  lease_until: number;
  created_at: number;
  updated_at: number;
}

export interface VersionRecord {
  sheet_key: number;
  number: number;
  id: string;
  name: string | null;
  created_by: string | null;
  /** 0 while its pieces are being written. */
  is_complete: number;
  /** The sheet's version_count at that moment. */
  sheet_version: number;
  row_count: number;
  metadata_json: string;
  deltas_json: string;
  columns_json: string;
  /** Its score when it was saved, and how that is calculated. */
  score_json: string;
  score_configuration_json: string | null;
  created_at: number;
}
