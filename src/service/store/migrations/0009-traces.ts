import type { Migration } from '../migrate.ts';

/**
 * Traces and their spans. A trace has a row of its own, which writers of its spans lock: so nothing
 * is added to a trace while it is being closed, and its size is known without counting.
 */
export const tracesMigration: Migration = {
  number: 9,
  name: 'traces',
  statements: ({ serialKey, int, clustered }) => [
    `create table traces (
      workspace_id ${int} not null references workspaces (id),
      trace_id text not null,
      span_count ${int} not null default 0,
      span_characters ${int} not null default 0,
      closure_id text,
      closed_at ${int},
      created_at ${int} not null,
      primary key (workspace_id, trace_id)
    )${clustered}`,
    // Times are milliseconds and, beside them, the nanoseconds after those.
    `create table spans (
      id ${serialKey},
      workspace_id ${int} not null references workspaces (id),
      trace_id text not null,
      span_id text not null,
      parent_id text,
      name text not null,
      kind text not null,
      trace_state text not null,
      started_at ${int} not null,
      started_nanos ${int} not null,
      ended_at ${int} not null,
      ended_nanos ${int} not null,
      status_code text not null,
      status_message text,
      attributes_json text not null,
      events_json text not null,
      links_json text not null,
      resource_json text not null,
      request_id ${int},
      created_at ${int} not null
    )`,
    `create unique index spans_by_trace on spans (workspace_id, trace_id, span_id)`,
    // The span that a client says it ran a prompt in; the span itself comes later.
    `alter table requests add column span_id text`,
    `create index requests_by_span on requests (workspace_id, span_id) where span_id is not null`,
  ],
};
