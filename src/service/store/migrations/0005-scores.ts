import type { Migration } from '../migrate.ts';

/**
 * Scores of sheets. A calculation is one run over the rows, of a scorecard or of a score of the
 * older kind; it keeps the configuration that it ran with. A saved version keeps its score.
 */
export const scoresMigration: Migration = {
  number: 5,
  name: 'scores and scorecards',
  statements: ({ int, real, clustered }) => [
    `create table score_configurations (
      sheet_key ${int} not null primary key references sheets (key),
      id text not null,
      score_type text not null,
      config_json text not null,
      created_at ${int} not null,
      updated_at ${int} not null
    )`,
    `create table scorecards (
      sheet_key ${int} not null references sheets (key),
      id text not null,
      name text not null,
      evaluated_json text not null,
      aggregation_json text not null,
      display_json text,
      baseline_json text,
      steps_json text not null,
      config_hash text not null,
      created_at ${int} not null,
      updated_at ${int} not null,
      deleted_at ${int},
      primary key (sheet_key, id)
    )`,
    `create unique index scorecards_active on scorecards (sheet_key) where deleted_at is null`,
    `create table score_calculations (
      sheet_key ${int} not null references sheets (key),
      number ${int} not null,
      id text not null,
      workspace_id ${int} not null,
      kind text not null,
      owner_id text not null,
      status text not null,
      sheet_version ${int} not null,
      config_json text not null,
      config_hash text not null,
      selection_json text not null default '{}',
      total_rows ${int} not null default 0,
      scored_rows ${int} not null default 0,
      next_row ${int} not null default -1,
      progress_json text not null default '{}',
      result_json text not null default '{}',
      aggregate_score ${real},
      error_summary text,
      token text,
      lease_until ${int} not null default 0,
      created_at ${int} not null,
      started_at ${int},
      completed_at ${int},
      primary key (sheet_key, number)
    )`,
    `create unique index score_calculations_by_id on score_calculations (sheet_key, id)`,
    `create index score_calculations_open on score_calculations (lease_until) where status in ('queued', 'running')`,
    `create table score_rows (
      sheet_key ${int} not null,
      calculation ${int} not null,
      row_index ${int} not null,
      score ${real},
      verdict text not null,
      results_json text not null,
      input_hash text not null,
      error_summary text,
      computed_at ${int} not null,
      primary key (sheet_key, calculation, row_index)
    )${clustered}`,
    `create index score_rows_by_verdict on score_rows (sheet_key, calculation, verdict, row_index)`,
    `alter table versions add column score_json text not null default '{}'`,
    `alter table versions add column score_configuration_json text`,
  ],
};
