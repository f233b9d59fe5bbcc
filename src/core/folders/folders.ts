import type { BodyOf, QueryOf } from '../../api/endpoint.ts';
import type { Folder, FolderEntity } from '../../api/folder.ts';
import {
  createFolder,
  deleteFolderEntities,
  listFolderEntities,
  moveFolderEntities,
  renameFolder,
  resolveFolderId,
} from '../../api/folder.ts';
import { listTables } from '../../api/table.ts';
import { listTemplates } from '../../api/template.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import type { ApiContext } from '../tables/context.ts';

/** `name`, `parentId` (none: at the top), `workspaceId`, `externalIds`. */
export type NewFolder = BodyOf<typeof createFolder>;
/** The hosted service wants `workspaceId` too: `folders.workspaceId` tells it. Tables are not among the entities: list them by their folder. */
export type FolderEntitiesQuery = QueryOf<typeof listFolderEntities>;
/** `entities` (`{ id, type }` each), `folderId`: null for the top, `workspaceId`. */
export type FolderMove = BodyOf<typeof moveFolderEntities>;
/** `entities` (`{ id, type }` each), `cascade`, `workspaceId`. */
export type FolderDeletion = BodyOf<typeof deleteFolderEntities>;
/** `path`, such as `a/b`, and `workspaceId`. */
export type FolderPath = QueryOf<typeof resolveFolderId>;

/** What `client.folders` is. */
export type Folders = ReturnType<typeof makeFolders>;

/** Folders of prompts, workflows and more. Things in them are named by `{ id, type }`. */
export function makeFolders({ call }: ApiContext) {
  let workspace: number | undefined;
  return {
    /**
     * The id of the workspace that the key belongs to, which `entities` and `idOf` need.
     * Only things of the workspace carry it: undefined when it has neither a prompt nor a table.
     */
    workspaceId: async (options: CallOptions = {}): Promise<number | undefined> => {
      if (workspace !== undefined) return workspace;
      const query = { per_page: 1, status: 'all' as const };
      const { items } = await call(listTemplates, { params: {}, query }, options);
      const [template] = items;
      const reported = template?.['workspace_id'];
      if (typeof reported === 'number') return (workspace = reported);
      const tables = await call(listTables, { params: {}, query: { limit: 1 } }, options);
      return (workspace = tables.items[0]?.workspace_id);
    },

    /** Makes a folder. One of that name in the same place is a ConflictError. */
    create: async (
      folder: AlsoCamelCase<NewFolder>,
      options: CallOptions = {},
    ): Promise<Folder> => {
      const body = asSent<NewFolder>(folder);
      const made = (await call(createFolder, { params: {}, body }, options)).folder;
      workspace ??= made.workspace_id;
      return made;
    },

    /** Gives a folder another name. */
    rename: async (folderId: number, name: string, options: CallOptions = {}): Promise<Folder> => {
      const params = { folder_id: String(folderId) };
      return (await call(renameFolder, { params, body: { name } }, options)).folder;
    },

    /** What stands in a folder; without `folderId`, at the top. */
    entities: async (
      query: AlsoCamelCase<FolderEntitiesQuery>,
      options: CallOptions = {},
    ): Promise<FolderEntity[]> => {
      const fields = asSent<FolderEntitiesQuery>(query);
      return (await call(listFolderEntities, { params: {}, query: fields }, options)).entities;
    },

    /** Answers how many things were moved. */
    move: async (move: AlsoCamelCase<FolderMove>, options: CallOptions = {}): Promise<number> => {
      const body = asSent<FolderMove>(move);
      return (await call(moveFolderEntities, { params: {}, body }, options)).moved_count ?? 0;
    },

    /** Answers how many things were deleted. With `cascade`, folders go with what is in them. */
    deleteEntities: async (
      deletion: AlsoCamelCase<FolderDeletion>,
      options: CallOptions = {},
    ): Promise<number> => {
      const body = asSent<FolderDeletion>(deletion);
      return (await call(deleteFolderEntities, { params: {}, body }, options)).moved_count ?? 0;
    },

    /** The id of the folder at a path such as `a/b`. */
    idOf: async (query: AlsoCamelCase<FolderPath>, options: CallOptions = {}): Promise<number> => {
      const fields = asSent<FolderPath>(query);
      return (await call(resolveFolderId, { params: {}, query: fields }, options)).id;
    },
  };
}
