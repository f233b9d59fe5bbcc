import type { Migration } from '../migrate.ts';

/** A workspace is found by its key or its name, no longer by the place of its key among others. */
export const workspaceKeysMigration: Migration = {
  number: 15,
  name: 'keys of workspaces',
  statements: ({ int }) => [
    `alter table workspaces add column name text`,
    `create unique index workspaces_by_name on workspaces (name) where name is not null`,
    `create table workspace_keys (
      hash text primary key,
      workspace_id ${int} not null references workspaces (id),
      created_at ${int} not null
    )`,
  ],
};
