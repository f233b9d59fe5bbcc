import {
  createSkillCollection,
  getSkillCollection,
  listSkillCollections,
  saveSkillCollectionVersion,
  updateSkillCollection,
} from '../../api/skill-collection.ts';
import type { JsonText } from '../http/json-text.ts';
import { jsonObject } from '../http/json-text.ts';
import { invalid, unprocessable } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { created, fileAnswer, ok, route } from '../http/route.ts';
import { timeOf } from '../http/times.ts';
import { readSkillBody } from '../skills/body.ts';
import type { Files } from '../skills/files.ts';
import { changed } from '../skills/files.ts';
import type { SkillCollectionRecord, SkillVersionRecord } from '../skills/store.ts';
import {
  filesOf,
  findCollection,
  findVersion,
  insertCollection,
  insertVersion,
  listCollections,
  lockCollection,
  renameCollection,
} from '../skills/store.ts';
import type { Session } from '../store/database.ts';
import type { ExternalId } from '../store/external-ids.ts';
import { attachExternalIds, externalIdsOf } from '../store/external-ids.ts';
import { findFolder } from '../store/folders.ts';
import { isoTime } from './answers.ts';

const collectionJson = (
  collection: SkillCollectionRecord,
  externalIds: readonly ExternalId[],
): JsonText =>
  jsonObject({
    id: collection.id,
    workspace_id: collection.workspace_id,
    folder_id: collection.folder_id,
    root_path: collection.root_path,
    name: collection.name,
    provider: collection.provider,
    is_deleted: false,
    created_by: null,
    created_at: isoTime(collection.created_at),
    updated_by: null,
    updated_at: isoTime(collection.updated_at),
    external_ids: externalIds,
  });

const versionJson = (
  version: SkillVersionRecord,
  { id, workspace_id }: SkillCollectionRecord,
  files: Files,
): JsonText =>
  jsonObject({
    id: version.id,
    skill_collection_id: id,
    workspace_id,
    number: version.number,
    root_path_at_version: version.root_path,
    provider: version.provider,
    file_paths: [...files.keys()],
    commit_message: version.commit_message,
    release_label: version.release_label,
    archived: false,
    created_by: null,
    user_email: null,
    created_at: isoTime(version.created_at),
  });

async function idsOf(
  session: Session,
  { workspace_id, key }: SkillCollectionRecord,
): Promise<ExternalId[]> {
  const found = await externalIdsOf(session, workspace_id, 'skill collection', [key]);
  return found.get(key) ?? [];
}

const sortColumns = {
  created_at: 'c.created_at',
  updated_at: 'c.updated_at',
  name: 'c.name',
  id: 'c.id',
} as const;

const list = route(listSkillCollections, async ({ query, workspaceId, services }) => {
  const where: string[] = [];
  const values: (string | number)[] = [];
  // Nobody's address is known here, so nobody's collections are found by it.
  if (query.created_by_email !== undefined) where.push('1 = 0');
  for (const [name, condition] of [
    ['created_after', 'c.created_at >= ?'],
    ['created_before', 'c.created_at <= ?'],
    ['updated_after', 'c.updated_at >= ?'],
    ['updated_before', 'c.updated_at <= ?'],
  ] as const) {
    const time = timeOf(['query', name], query[name]);
    if (time === undefined) continue;
    where.push(condition);
    values.push(time);
  }
  const { external_source: source, external_id: externalId } = query;
  if ((source === undefined) !== (externalId === undefined)) {
    throw unprocessable(
      ['query', source === undefined ? 'external_source' : 'external_id'],
      'Give external_source and external_id together.',
      'missing',
    );
  }
  if (source !== undefined && externalId !== undefined) {
    where.push(`exists (select 1 from external_ids e where e.workspace_id = c.workspace_id
      and e.kind = 'skill collection' and e.entity_id = c.key and e.source = ? and e.external_id = ?)`);
    values.push(source, externalId);
  }
  const sort = sortColumns[query.sort_by ?? 'created_at'];
  const order = `${sort} ${query.sort_order}, c.key ${query.sort_order}`;
  const { database } = services;
  const found = await listCollections(database, workspaceId, { where, values, order });
  const keys = found.map(({ key }) => key);
  const ids = await externalIdsOf(database, workspaceId, 'skill collection', keys);
  const items = found.map((one) => collectionJson(one, ids.get(one.key) ?? []));
  return ok(jsonObject({ success: true, skill_collections: items }));
});

const create = route(
  createSkillCollection,
  async ({ body, workspaceId, services }) => {
    const files = changed(new Map(), { updates: body.files });
    const answer = await services.database.transaction(async (session) => {
      const folderId = body.folder_id ?? null;
      if (folderId !== null) await findFolder(session, workspaceId, folderId);
      const { name, provider = null } = body;
      const made = await insertCollection(session, workspaceId, { name, folderId, provider });
      const place = { workspaceId, kind: 'skill collection', id: made.key } as const;
      await attachExternalIds(session, place, body.external_ids);
      if (files.size > 0)
        await insertVersion(session, made, files, { commit_message: body.commit_message });
      const ids = await idsOf(session, made);
      return jsonObject({
        success: true,
        skill_collection: collectionJson(made, ids),
        external_ids: ids,
      });
    });
    return created(answer);
  },
  { read: readSkillBody('files') },
);

const get = route(getSkillCollection, async ({ params, query, workspaceId, services }) => {
  const { version: number, label } = query;
  if (number !== undefined && label !== undefined) {
    throw invalid('Give a version or a label, not both.');
  }
  const { collection, version, files, ids } = await services.database.read(async (session) => {
    const found = await findCollection(session, workspaceId, params.identifier);
    const chosen = await findVersion(session, found, { number, label });
    return {
      collection: found,
      version: chosen,
      files: await filesOf(session, chosen),
      ids: await idsOf(session, found),
    };
  });
  if (query.format === 'zip') {
    // Only for those who want one.
    const { packed } = await import('../skills/archive.ts');
    const fileName = `${collection.root_path.slice(1)}.zip`;
    return fileAnswer({ mediaType: 'application/zip', fileName, pieces: packed(files) });
  }
  return ok(
    jsonObject({
      success: true,
      skill_collection: collectionJson(collection, ids),
      files: Object.fromEntries(files),
      version: version === undefined ? null : versionJson(version, collection, files),
    }),
  );
});

const update = route(updateSkillCollection, async ({ params, body, workspaceId, services }) => {
  const answer = await services.database.transaction(async (session) => {
    const found = await lockCollection(session, workspaceId, params.identifier);
    const named =
      body.name === null || body.name === undefined
        ? found
        : await renameCollection(session, found, body.name);
    return collectionJson(named, await idsOf(session, named));
  });
  return ok(jsonObject({ success: true, skill_collection: answer }));
});

const save = route(
  saveSkillCollectionVersion,
  async ({ params, body, workspaceId, services }) => {
    const { moves, deletes, file_updates: updates } = body;
    const answer = await services.database.transaction(async (session) => {
      const collection = await lockCollection(session, workspaceId, params.identifier);
      const before = await filesOf(session, await findVersion(session, collection, {}));
      const files = changed(before, { moves, deletes, updates });
      const version = await insertVersion(session, collection, files, body);
      return versionJson(version, collection, files);
    });
    return created(jsonObject({ success: true, version: answer }));
  },
  { read: readSkillBody('file_updates') },
);

export const skillCollectionRoutes: readonly Route[] = [list, create, get, update, save];
