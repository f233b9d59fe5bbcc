import type { Migration } from '../migrate.ts';

/** What a calculation of scores may cost, as operations have it. */
export const scoreCeilingsMigration: Migration = {
  number: 8,
  name: 'cost ceilings of scores',
  statements: ({ real }) => [
    `alter table score_calculations add column cost_ceiling ${real}`,
    `alter table score_calculations add column spent ${real} not null default 0`,
    `alter table score_calculations add column reserved ${real} not null default 0`,
    `alter table score_calculations add column stop_message text`,
  ],
};
