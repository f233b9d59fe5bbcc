import type { Migration } from '../migrate.ts';

/** Collections of files with versions. A content is stored once for all versions that have it. */
export const skillsMigration: Migration = {
  number: 10,
  name: 'skill collections',
  statements: ({ serialKey, int, clustered }) => [
    `create table skill_collections (
      key ${serialKey},
      id text not null unique,
      workspace_id ${int} not null references workspaces (id),
      folder_id ${int},
      name text not null,
      root_path text not null,
      provider text,
      last_version ${int} not null default 0,
      created_at ${int} not null,
      updated_at ${int} not null
    )`,
    `create unique index skill_collections_by_name on skill_collections (workspace_id, name)`,
    `create unique index skill_collections_by_root on skill_collections (workspace_id, root_path)`,
    `create table skill_versions (
      key ${serialKey},
      id text not null unique,
      collection_key ${int} not null references skill_collections (key),
      number ${int} not null,
      root_path text not null,
      provider text,
      commit_message text,
      release_label text,
      created_at ${int} not null
    )`,
    `create unique index skill_versions_by_number on skill_versions (collection_key, number)`,
    `create unique index skill_versions_by_label on skill_versions (collection_key, release_label)
      where release_label is not null`,
    `create table skill_contents (
      collection_key ${int} not null references skill_collections (key),
      hash text not null,
      content text not null,
      primary key (collection_key, hash)
    )${clustered}`,
    `create table skill_files (
      version_key ${int} not null references skill_versions (key),
      path text not null,
      hash text not null,
      primary key (version_key, path)
    )${clustered}`,
  ],
};
