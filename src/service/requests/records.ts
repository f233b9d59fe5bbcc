/** `error_type` of a request whose answer was cut off, and kept. */
export const cutOffType = 'PROVIDER_PARTIAL_RESPONSE';

/** A logged request as the database holds it; see `store/records.ts`. */
export interface RequestRecord {
  id: number;
  workspace_id: number;
  provider: string;
  model: string;
  function_name: string;
  api_type: string | null;
  prompt_id: number | null;
  prompt_version_number: number | null;
  status: string;
  error_type: string | null;
  error_message: string | null;
  input_json: string;
  output_json: string;
  /** Provider, name and parameters, as the metadata of a blueprint have them. */
  model_json: string;
  response_json: string | null;
  variables_json: string;
  metadata_json: string;
  tags_json: string;
  /** Names of the tools that the model called. */
  tool_names_json: string;
  /** The answer, when it is a JSON object: `{}` otherwise. */
  output_object_json: string;
  scores_json: string;
  /** Lower case, for searching. */
  input_text: string;
  output_text: string;
  output_kind: 'json' | 'tool_call' | 'plain_text';
  turn_count: number;
  tool_call_count: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  thinking_tokens: number | null;
  price: number | null;
  started_at: number;
  ended_at: number;
  latency_ms: number;
  group_id: number | null;
  trace_id: string | null;
  span_id: string | null;
  created_at: number;
}
