import type { Migration } from '../migrate.ts';

/**
 * Columns that show a column of another sheet, with the version of that sheet when their readers
 * were last marked stale: no transaction holds two sheets, so this is caught up with afterwards.
 */
export const mirrorsMigration: Migration = {
  number: 3,
  name: 'columns that show another sheet',
  statements: ({ int }) => [
    `create table mirrors (
      sheet_key ${int} not null references sheets (key),
      column_key ${int} not null,
      source_sheet_key ${int} not null,
      seen_version ${int} not null,
      primary key (sheet_key, column_key)
    )`,
    `create index mirrors_by_source on mirrors (source_sheet_key)`,
  ],
};
