/** The rows of the prompt registry as the database holds them; see `store/records.ts`. */

export interface PromptRecord {
  id: number;
  workspace_id: number;
  name: string;
  name_folded: string;
  tags_json: string;
  folder_id: number | null;
  is_snippet: number;
  next_version_number: number;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface PromptVersionRecord {
  id: number;
  workspace_id: number;
  prompt_id: number;
  number: number;
  template_json: string;
  metadata_json: string | null;
  commit_message: string | null;
  created_at: number;
}

export interface PromptLabelRecord {
  id: number;
  workspace_id: number;
  prompt_id: number;
  version_id: number;
  name: string;
  created_at: number;
}
