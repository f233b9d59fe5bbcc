import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ExternalIds, listFilters } from './list-filters.ts';
import { queryFlag } from './page.ts';

const foldersPath = '/api/public/v2/folders';
const none = z.object({});
const name = z.string().min(1).max(255);

/** FOLDER, PROMPT, SNIPPET, WORKFLOW, DATASET, REPORT, AB_TEST, INPUT_VARIABLE_SET; not tables. */
const entityType = z.string();

/** A folder of prompts, workflows and more. Times are ISO 8601. */
export const Folder = z.looseObject({
  id: z.number(),
  name: z.string(),
  parent_id: z.number().nullish(),
  workspace_id: z.number().optional(),
  /** The folders around it, outermost first; null at the top. */
  path: z.array(z.looseObject({})).nullish(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  external_ids: ExternalIds.optional(),
});
export type Folder = z.output<typeof Folder>;

/** Something that stands in a folder. */
export const FolderEntity = z.looseObject({
  id: z.number(),
  name: z.string(),
  type: entityType,
  folder_id: z.number().nullish(),
  /** Names of the folders around it. */
  path: z.array(z.string()).optional(),
  metadata: z.looseObject({}).nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  external_ids: ExternalIds.optional(),
});
export type FolderEntity = z.output<typeof FolderEntity>;

const folderAnswer = z.looseObject({ success: z.boolean().optional(), folder: Folder });

export const createFolder = endpoint({
  name: 'create_folder',
  summary: 'Create a folder',
  method: 'POST',
  path: foldersPath,
  params: none,
  query: none,
  body: z.looseObject({
    name,
    parent_id: z.int().nullish(),
    workspace_id: z.int().min(1).optional(),
    external_ids: ExternalIds.optional(),
  }),
  answer: folderAnswer,
  ok: [201],
  repeatable: false,
});

export const renameFolder = endpoint({
  name: 'update_folder',
  summary: 'Rename a folder',
  method: 'PATCH',
  path: `${foldersPath}/{folder_id}`,
  params: z.object({ folder_id: z.string() }),
  query: none,
  body: z.looseObject({ name }),
  answer: folderAnswer,
  ok: [200],
  repeatable: true,
});

const texts = z.union([z.string(), z.array(z.string())]);

export const listFolderEntities = endpoint({
  name: 'list_folder_entities',
  summary: 'List the contents of a folder',
  method: 'GET',
  path: `${foldersPath}/entities`,
  params: none,
  query: z.object({
    /** Without it, the workspace of the key. */
    workspace_id: z.coerce.number().int().optional(),
    /** Without it, the top. */
    folder_id: z.coerce.number().int().optional(),
    filter_type: texts.optional(),
    search_query: z.string().optional(),
    /** Also what stands in the folders below. */
    flatten: queryFlag().default(false),
    include_metadata: queryFlag().default(false),
    ...listFilters,
    tags: texts.optional(),
    semantic_search: queryFlag().default(false),
    semantic_search_top_k: z.coerce.number().int().min(1).max(500).default(100),
    semantic_search_threshold: z.coerce.number().positive().max(2).optional(),
  }),
  body: z.undefined(),
  answer: z.looseObject({ entities: z.array(FolderEntity) }),
  ok: [200],
  repeatable: true,
});

const entities = z.array(z.looseObject({ id: z.int().positive(), type: entityType }));
const countAnswer = z.looseObject({ moved_count: z.number().optional() });

export const moveFolderEntities = endpoint({
  name: 'move_folder_entities',
  summary: 'Move things into a folder',
  method: 'POST',
  path: `${foldersPath}/entities`,
  params: none,
  query: none,
  body: z.looseObject({
    entities,
    /** Null: to the top. */
    folder_id: z.int().nullish(),
    workspace_id: z.int().optional(),
  }),
  answer: countAnswer,
  ok: [200],
  repeatable: false,
});

export const deleteFolderEntities = endpoint({
  name: 'delete_folder_entities',
  summary: 'Delete things in folders',
  method: 'DELETE',
  path: `${foldersPath}/entities`,
  params: none,
  query: none,
  body: z.looseObject({
    entities,
    /** Also what stands in the folders among them. */
    cascade: z.boolean().default(false),
    workspace_id: z.int().optional(),
  }),
  answer: countAnswer,
  ok: [200],
  repeatable: true,
});

export const resolveFolderId = endpoint({
  name: 'resolve_folder_id',
  summary: 'Find a folder by its path',
  method: 'GET',
  path: `${foldersPath}/resolve-id`,
  params: none,
  query: z.object({ workspace_id: z.coerce.number().int().optional(), path: z.string() }),
  body: z.undefined(),
  answer: z.looseObject({ id: z.number() }),
  ok: [200],
  repeatable: true,
});
