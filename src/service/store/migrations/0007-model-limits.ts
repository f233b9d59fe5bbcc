import type { Migration } from '../migrate.ts';

/**
 * What processes that ask models tell each other: who has a place at a provider, which provider
 * wants to be left alone, what operations may cost, and answers that have been paid for and are not
 * in their cells yet.
 */
export const modelLimitsMigration: Migration = {
  number: 7,
  name: 'limits of models',
  statements: ({ int, real, clustered }) => [
    `create table provider_slots (
      provider text not null,
      slot ${int} not null,
      token text,
      lease_until ${int} not null default 0,
      primary key (provider, slot)
    )${clustered}`,
    `create table provider_pauses (
      provider text not null primary key,
      paused_until ${int} not null,
      failures ${int} not null
    )${clustered}`,
    `create table kept_calls (
      owner text not null,
      place text not null,
      number ${int} not null,
      input_hash text not null,
      result_json text not null,
      created_at ${int} not null,
      primary key (owner, place, number)
    )${clustered}`,
    `alter table operations add column cost_ceiling ${real}`,
    `alter table operations add column spent ${real} not null default 0`,
    `alter table operations add column reserved ${real} not null default 0`,
    `alter table operations add column stop_message text`,
    // A node may ask more than once.
    `alter table workflow_node_states add column request_ids_json text not null default '[]'`,
  ],
};
