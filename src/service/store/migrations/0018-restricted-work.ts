import type { Migration } from '../migrate.ts';

/** Work that a window in Restricted Mode has begun: it is done without keys of the environment. */
export const restrictedWorkMigration: Migration = {
  number: 18,
  name: 'work of restricted windows',
  statements: ({ int }) =>
    ['operations', 'workflow_executions', 'score_calculations'].map(
      (table) => `alter table ${table} add column is_restricted ${int} not null default 0`,
    ),
};
