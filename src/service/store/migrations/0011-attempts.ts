import type { Migration } from '../migrate.ts';

/** How often work was begun that did not come back: it may be what stops the service. */
export const attemptsMigration: Migration = {
  number: 11,
  name: 'attempts of work that stops the service',
  statements: ({ int }) =>
    ['workflow_executions', 'score_calculations', 'imports'].map(
      (table) => `alter table ${table} add column attempts ${int} not null default 0`,
    ),
};
