import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ExternalIds, listFilters } from './list-filters.ts';

const collectionsPath = '/api/public/v2/skill-collections';
const none = z.object({});
const params = z.object({ identifier: z.string() });
const multipart = ['multipart/form-data'];

/** Files that assistants load when they need them. Times are ISO 8601. */
const SkillCollection = z.looseObject({
  id: z.string(),
  name: z.string(),
  root_path: z.string().optional(),
  folder_id: z.number().nullish(),
  provider: z.string().nullish(),
  external_ids: ExternalIds.optional(),
});

const SkillCollectionVersion = z.looseObject({
  number: z.number().optional(),
  file_paths: z.array(z.string()).optional(),
  commit_message: z.string().nullish(),
  release_label: z.string().nullish(),
});

const File = z.looseObject({ path: z.string(), content: z.string().optional() });

export const listSkillCollections = endpoint({
  name: 'list_skill_collections',
  summary: 'List skill collections',
  method: 'GET',
  path: collectionsPath,
  params: none,
  query: z.object({
    ...listFilters,
  }),
  body: z.undefined(),
  answer: z.looseObject({ skill_collections: z.array(SkillCollection) }),
  ok: [200],
  repeatable: true,
});

/** A body of several parts has these fields as JSON in `metadata`, and a ZIP file in `archive`. */
export const createSkillCollection = endpoint({
  name: 'create_skill_collection',
  summary: 'Create a skill collection',
  method: 'POST',
  path: collectionsPath,
  params: none,
  query: none,
  body: z.looseObject({
    name: z.string(),
    folder_id: z.int().nullish(),
    provider: z.string().nullish(),
    files: z.array(File).optional(),
    commit_message: z.string().nullish(),
    external_ids: ExternalIds.optional(),
  }),
  answer: z.looseObject({
    skill_collection: SkillCollection,
    external_ids: ExternalIds.optional(),
  }),
  ok: [201],
  repeatable: false,
  takes: multipart,
});

export const getSkillCollection = endpoint({
  name: 'get_skill_collection',
  summary: 'Get a skill collection with its files, as JSON or as a ZIP file',
  method: 'GET',
  path: `${collectionsPath}/{identifier}`,
  params,
  query: z.object({
    format: z.enum(['zip']).optional(),
    label: z.string().optional(),
    version: z.coerce.number().int().min(1).optional(),
  }),
  body: z.undefined(),
  answer: z.looseObject({
    skill_collection: SkillCollection,
    /** Contents by path. */
    files: z.record(z.string(), z.string()),
    /** Null when none has been saved yet. */
    version: SkillCollectionVersion.nullish(),
  }),
  ok: [200],
  repeatable: true,
  media: ['application/zip'],
});

export const updateSkillCollection = endpoint({
  name: 'update_skill_collection',
  summary: 'Rename a skill collection',
  method: 'PATCH',
  path: `${collectionsPath}/{identifier}`,
  params,
  query: none,
  body: z.looseObject({ name: z.string().nullish() }),
  answer: z.looseObject({ skill_collection: SkillCollection }),
  ok: [200],
  repeatable: true,
});

/** Moves come first, then deletions, then updates. A ZIP file in `archive` updates too. */
export const saveSkillCollectionVersion = endpoint({
  name: 'save_skill_collection_version',
  summary: 'Save the next version of a skill collection',
  method: 'POST',
  path: `${collectionsPath}/{identifier}/versions`,
  params,
  query: none,
  body: z.looseObject({
    file_updates: z.array(File).optional(),
    moves: z.array(z.looseObject({ old_path: z.string(), new_path: z.string() })).optional(),
    deletes: z.array(z.string()).optional(),
    commit_message: z.string().nullish(),
    release_label: z.string().nullish(),
  }),
  answer: z.looseObject({ version: SkillCollectionVersion }),
  ok: [201],
  repeatable: false,
  takes: multipart,
});
