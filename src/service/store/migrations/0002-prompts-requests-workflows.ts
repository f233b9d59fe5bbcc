import type { Migration } from '../migrate.ts';

/**
 * Ids here are numbers that the outside sees. One counter serves all workspaces, so each statement
 * asks for the workspace too. Columns that statements look into as JSON hold no character that
 * PostgreSQL's JSON functions refuse: see `clean-json.ts`.
 */
export const promptsMigration: Migration = {
  number: 2,
  name: 'prompt templates, logged requests and workflows',
  statements: ({ serialKey, int, real, clustered }) => [
    `create table prompts (
      id ${serialKey},
      workspace_id ${int} not null references workspaces (id),
      name text not null,
      name_folded text not null,
      tags_json text not null default '[]',
      folder_id ${int},
      is_snippet ${int} not null default 0,
      next_version_number ${int} not null default 1,
      created_at ${int} not null,
      updated_at ${int} not null,
      deleted_at ${int}
    )`,
    `create unique index prompts_by_name on prompts (workspace_id, name) where deleted_at is null`,
    `create index prompts_by_time on prompts (workspace_id, created_at, id)`,
    `create table prompt_versions (
      id ${serialKey},
      workspace_id ${int} not null,
      prompt_id ${int} not null references prompts (id),
      number ${int} not null,
      template_json text not null,
      metadata_json text,
      commit_message text,
      created_at ${int} not null
    )`,
    `create unique index prompt_versions_by_number on prompt_versions (prompt_id, number)`,
    `create table prompt_labels (
      id ${serialKey},
      workspace_id ${int} not null,
      prompt_id ${int} not null references prompts (id),
      version_id ${int} not null references prompt_versions (id),
      name text not null,
      created_at ${int} not null
    )`,
    `create unique index prompt_labels_by_name on prompt_labels (prompt_id, name)`,
    `create index prompt_labels_by_version on prompt_labels (version_id)`,
    `create table prompt_snippets (
      version_id ${int} not null references prompt_versions (id),
      position ${int} not null,
      workspace_id ${int} not null,
      snippet_name text not null,
      snippet_version ${int},
      snippet_label text,
      primary key (version_id, position)
    )${clustered}`,
    `create index prompt_snippets_by_name on prompt_snippets (workspace_id, snippet_name)`,
    `create table external_ids (
      workspace_id ${int} not null,
      kind text not null,
      source text not null,
      external_id text not null,
      entity_id ${int} not null,
      primary key (workspace_id, kind, source, external_id)
    )${clustered}`,
    `create index external_ids_by_entity on external_ids (workspace_id, kind, entity_id)`,
    `create table request_groups (
      id ${serialKey},
      workspace_id ${int} not null references workspaces (id),
      created_at ${int} not null
    )`,
    `create table requests (
      id ${serialKey},
      workspace_id ${int} not null references workspaces (id),
      provider text not null,
      model text not null,
      function_name text not null default '',
      api_type text,
      prompt_id ${int},
      prompt_version_number ${int},
      status text not null,
      error_type text,
      error_message text,
      input_json text not null,
      output_json text not null,
      model_json text not null,
      response_json text,
      variables_json text not null default '{}',
      metadata_json text not null default '{}',
      tags_json text not null default '[]',
      tool_names_json text not null default '[]',
      output_object_json text not null default '{}',
      scores_json text not null default '{}',
      input_text text not null default '',
      output_text text not null default '',
      output_kind text not null,
      turn_count ${int} not null default 0,
      tool_call_count ${int} not null default 0,
      input_tokens ${int},
      output_tokens ${int},
      cached_tokens ${int},
      thinking_tokens ${int},
      price ${real},
      started_at ${int} not null,
      ended_at ${int} not null,
      latency_ms ${int} not null,
      group_id ${int},
      trace_id text,
      created_at ${int} not null
    )`,
    `create index requests_by_time on requests (workspace_id, started_at, id)`,
    `create index requests_by_prompt on requests (workspace_id, prompt_id, started_at) where prompt_id is not null`,
    `create table workflows (
      id ${serialKey},
      workspace_id ${int} not null references workspaces (id),
      name text not null,
      folder_id ${int},
      next_version_number ${int} not null default 1,
      created_at ${int} not null,
      updated_at ${int} not null,
      deleted_at ${int}
    )`,
    `create unique index workflows_by_name on workflows (workspace_id, name) where deleted_at is null`,
    `create table workflow_versions (
      id ${serialKey},
      workspace_id ${int} not null,
      workflow_id ${int} not null references workflows (id),
      number ${int} not null,
      commit_message text,
      nodes_json text not null,
      edges_json text not null,
      variables_json text not null,
      created_at ${int} not null
    )`,
    `create unique index workflow_versions_by_number on workflow_versions (workflow_id, number)`,
    `create table workflow_labels (
      id ${serialKey},
      workspace_id ${int} not null,
      workflow_id ${int} not null references workflows (id),
      version_id ${int} not null references workflow_versions (id),
      name text not null,
      created_at ${int} not null
    )`,
    `create unique index workflow_labels_by_name on workflow_labels (workflow_id, name)`,
    `create table workflow_executions (
      id ${serialKey},
      workspace_id ${int} not null references workspaces (id),
      workflow_id ${int} not null,
      version_id ${int} not null references workflow_versions (id),
      status text not null,
      input_json text not null,
      metadata_json text not null default '{}',
      returns_all ${int} not null default 0,
      callback_url text,
      token text,
      lease_until ${int} not null default 0,
      created_at ${int} not null,
      ended_at ${int}
    )`,
    `create index workflow_executions_open on workflow_executions (lease_until) where status in ('queued', 'running')`,
    `create table workflow_node_states (
      execution_id ${int} not null references workflow_executions (id),
      node_name text not null,
      status text not null,
      value_json text not null default 'null',
      error_message text,
      raw_error_message text,
      request_id ${int},
      started_at ${int},
      ended_at ${int},
      primary key (execution_id, node_name)
    )${clustered}`,
  ],
};
