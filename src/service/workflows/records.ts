/** The rows of workflows as the database holds them; see `store/records.ts`. */

export interface WorkflowRecord {
  id: number;
  workspace_id: number;
  name: string;
  folder_id: number | null;
  next_version_number: number;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface WorkflowVersionRecord {
  id: number;
  workspace_id: number;
  workflow_id: number;
  number: number;
  commit_message: string | null;
  nodes_json: string;
  edges_json: string;
  variables_json: string;
  created_at: number;
}

export interface ExecutionRecord {
  id: number;
  workspace_id: number;
  workflow_id: number;
  version_id: number;
  status: 'queued' | 'running' | 'completed' | 'cancelled';
  input_json: string;
  metadata_json: string;
  returns_all: number;
  callback_url: string | null;
  token: string | null;
  lease_until: number;
  /** How often somebody has begun since one of its nodes came to an end. */
  attempts: number;
  /** 1: begun by a window in Restricted Mode. */
  is_restricted: number;
  created_at: number;
  ended_at: number | null;
}

export interface NodeStateRecord {
  execution_id: number;
  node_name: string;
  status: NodeStatus;
  value_json: string;
  error_message: string | null;
  raw_error_message: string | null;
  request_ids_json: string;
  started_at: number | null;
  ended_at: number | null;
}

export type NodeStatus = 'QUEUED' | 'RUNNING' | 'SUCCESS' | 'FAILED' | 'SKIPPED';
