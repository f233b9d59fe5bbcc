import type { Migration } from '../migrate.ts';

/**
 * A task is a range of rows, where it was one row: to write two tasks for each cell took longer than
 * to write the cell. The key ends with the last row, so that rows are taken off the front of a range
 * without moving it. What waits becomes ranges; what is claimed keeps its lease, which runs out,
 * because the program that has claimed it does not know them.
 */
export const taskRangesMigration: Migration = {
  number: 19,
  name: 'tasks for ranges of rows',
  statements: ({ int, clustered }) => [
    // First of all: nobody else claims anything from here on.
    'alter table tasks rename to row_tasks',
    `create table task_ranges (
      sheet_key ${int} not null,
      operation_key ${int} not null,
      first_row ${int} not null,
      last_row ${int} not null,
      state text not null default 'waiting',
      token text,
      lease_until ${int} not null default 0,
      attempts ${int} not null default 0,
      primary key (sheet_key, operation_key, last_row)
    )${clustered}`,
    `insert into task_ranges (sheet_key, operation_key, first_row, last_row, state, token, lease_until, attempts)
     select sheet_key, operation_key, min(row_index), max(row_index), state, token, lease_until, attempts
     from (select t.*, row_index - row_number() over (
         partition by sheet_key, operation_key, state, token, lease_until, attempts order by row_index
       ) as island from row_tasks t) as numbered
     group by sheet_key, operation_key, state, token, lease_until, attempts, island`,
    'drop table row_tasks',
    `create index task_ranges_claimed on task_ranges (lease_until) where state = 'claimed'`,
  ],
};
