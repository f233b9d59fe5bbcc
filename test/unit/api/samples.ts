/** One full and one minimal object of each kind, as the descriptions of the service show them. */
const id = '4f9d7c1e-2b3a-4c5d-8e6f-0a1b2c3d4e5f';
const time = '2026-08-14T09:30:00.123456+00:00';

export const cell = {
  id,
  sheet_id: id,
  column_id: id,
  row_index: 7,
  status: 'completed',
  display_value: 'four',
  value: { answer: 4 },
  error: null,
  error_message: null,
  input_hash: 'b5bb9d80',
  updated_at: time,
  request_metrics: {
    request_count: 2,
    request_ids: [17, 18],
    latency_ms: 812,
    price: 0.000315,
    input_tokens: 120,
    output_tokens: 44,
    trace_ids: ['0af7651916cd43dd8448eb211c80319c'],
  },
  execution_id: id,
  last_computed_version: 12,
};

export const column = {
  id,
  sheet_id: id,
  workspace_id: 3,
  title: 'Answer',
  type: 'PROMPT_TEMPLATE',
  config: { template: { name: 'greet', label: 'prod' } },
  position_rank: 1.5,
  is_output_column: true,
  dependencies: [
    { column_id: id, reference_type: 'value', config_key: 'sources', config_meta: { position: 0 } },
  ],
  is_system: false,
  created_at: time,
  updated_at: time,
};

export const table = {
  id,
  workspace_id: 3,
  title: 'Support answers',
  folder_id: null,
  sheet_count: 1,
  created_at: time,
  updated_at: time,
};

export const tableDetail = { ...table, sheet_row_counts: { [id]: 250 } };

export const sheet = {
  id,
  table_id: id,
  workspace_id: 3,
  title: 'Sheet 1',
  index: 0,
  row_count: 250,
  version_count: 12,
  created_at: time,
  updated_at: time,
};

export const row = { row_index: 7, cells: { [id]: cell } };

export const aggregate = {
  metric_key: 'price',
  metric_label: 'Price',
  count: 2,
  sum: 0.5,
  avg: 0.25,
  min: 0.1,
  max: 0.4,
  column_id: id,
  source_column_id: id,
};

export const operation = {
  operation_id: 'op-1',
  operation: 'recalculate',
  status: 'running',
  status_counts: { COMPLETED: 3, QUEUED: 2 },
  cell_count: 5,
  completed_count: 3,
  failed_count: 0,
  pending_count: 2,
  status_url: `/api/public/v2/tables/${id}/sheets/${id}/operations/op-1`,
};

export const importOperation = {
  operation_id: 'import-1',
  source: 'file',
  status: 'running',
  progress: 40,
  message: null,
  rows_added: 100,
  row_count: 250,
  file_name: 'answers.csv',
  error_message: null,
  created_at: time,
  updated_at: time,
};

export const version = {
  id,
  sheet_id: id,
  version_number: 3,
  name: 'before the new prompt',
  created_by: 'ada@example.com',
  created_at: time,
  metadata: {},
  deltas: [],
  snapshot: { columns: [] },
  score: {},
  score_configuration: null,
};

export { id, time };
