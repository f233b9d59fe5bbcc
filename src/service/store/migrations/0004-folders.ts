import type { Migration } from '../migrate.ts';

/** Folders of prompt templates, workflows and tables. A folder without a parent stands at the top. */
export const foldersMigration: Migration = {
  number: 4,
  name: 'folders',
  statements: ({ serialKey, int }) => [
    `create table folders (
      id ${serialKey},
      workspace_id ${int} not null references workspaces (id),
      parent_id ${int} references folders (id),
      name text not null,
      created_at ${int} not null,
      updated_at ${int} not null
    )`,
    `create unique index folders_by_name on folders (workspace_id, coalesce(parent_id, 0), name)`,
    `create index prompts_by_folder on prompts (workspace_id, folder_id) where folder_id is not null`,
    `create index workflows_by_folder on workflows (workspace_id, folder_id) where folder_id is not null`,
  ],
};
