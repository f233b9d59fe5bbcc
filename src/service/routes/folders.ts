import {
  createFolder,
  deleteFolderEntities,
  listFolderEntities,
  moveFolderEntities,
  renameFolder,
  resolveFolderId,
} from '../../api/folder.ts';
import type { JsonText } from '../http/json-text.ts';
import { jsonObject } from '../http/json-text.ts';
import { invalid, notFound } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import { idOf } from '../prompts/store.ts';
import type { Session } from '../store/database.ts';
import type { ExternalId } from '../store/external-ids.ts';
import { attachExternalIds, externalIdsOf } from '../store/external-ids.ts';
import type { FolderRecord } from '../store/folders.ts';
import { FolderTree, findFolder } from '../store/folders.ts';
import { isoTime } from './answers.ts';
import { entityTables, listEntities } from './folder-entities.ts';
import { ownValue } from '../../api/own-value.ts';

function folderJson(
  folder: FolderRecord,
  tree: FolderTree,
  externalIds: readonly ExternalId[],
): JsonText {
  const around = tree.line(folder.parent_id).map(({ id, name }) => ({ id, name }));
  return jsonObject({
    id: folder.id,
    name: folder.name,
    workspace_id: folder.workspace_id,
    parent_id: folder.parent_id,
    path: around.length > 0 ? around : null,
    created_at: isoTime(folder.created_at),
    updated_at: isoTime(folder.updated_at),
    external_ids: externalIds,
  });
}

async function answerWith(session: Session, workspaceId: number, id: number): Promise<JsonText> {
  const tree = await FolderTree.load(session, workspaceId);
  const ids = await externalIdsOf(session, workspaceId, 'folder', [id]);
  const folder = await findFolder(session, workspaceId, id);
  return jsonObject({ success: true, folder: folderJson(folder, tree, ids.get(id) ?? []) });
}

const create = route(createFolder, async ({ body, workspaceId, services }) => {
  const { name } = body;
  const answer = await services.database.transaction(async (session) => {
    const parent = body.parent_id ?? null;
    if (parent !== null) await findFolder(session, workspaceId, parent);
    (await FolderTree.load(session, workspaceId)).checkPlace(parent, name);
    const now = Date.now();
    const made = await session.one<{ id: number }>(
      `insert into folders (workspace_id, parent_id, name, created_at, updated_at)
       values (?, ?, ?, ?, ?) on conflict do nothing returning id`,
      [workspaceId, parent, name, now, now],
    );
    if (made === undefined) {
      throw invalid(`There is a folder "${name}" in this place already.`);
    }
    const place = { workspaceId, kind: 'folder', id: made.id } as const;
    await attachExternalIds(session, place, body.external_ids);
    return answerWith(session, workspaceId, made.id);
  });
  return created(answer);
});

const rename = route(renameFolder, async ({ params, body, workspaceId, services }) => {
  const { name } = body;
  const answer = await services.database.transaction(async (session) => {
    const folder = await findFolder(session, workspaceId, idOf(params.folder_id) ?? 0);
    const tree = await FolderTree.load(session, workspaceId);
    tree.checkPlace(folder.parent_id, name, folder);
    await session.run('update folders set name = ?, updated_at = ? where id = ?', [
      name,
      Date.now(),
      folder.id,
    ]);
    return answerWith(session, workspaceId, folder.id);
  });
  return ok(answer);
});

const resolve = route(resolveFolderId, async ({ query, workspaceId, services }) => {
  const names = query.path.split('/').filter((name) => name !== '');
  const tree = await FolderTree.load(services.database, workspaceId);
  let at: number | null = null;
  for (const name of names) {
    const inside: number | null = at;
    const next: FolderRecord | undefined = tree.all.find(
      (one) => one.parent_id === inside && one.name === name,
    );
    if (next === undefined) throw notFound(`A folder at "${query.path}"`);
    at = next.id;
  }
  if (at === null) throw invalid('The path names no folder.');
  return ok(jsonObject({ success: true, id: at }));
});

const list = route(listFolderEntities, async ({ query, workspaceId, services }) => {
  const entities = await services.database.read((session) =>
    listEntities(session, workspaceId, query),
  );
  return ok(jsonObject({ success: true, entities }));
});

interface EntityReference {
  readonly id: number;
  readonly type: string;
}

/** Throws a 404 for something that is not there, in this workspace, under this type. */
async function checkEntity(
  session: Session,
  workspaceId: number,
  { id, type }: EntityReference,
): Promise<void> {
  if (type === 'FOLDER') {
    await findFolder(session, workspaceId, id);
    return;
  }
  const table = ownValue(entityTables, type);
  const found =
    table === undefined || !Number.isSafeInteger(id) || id > 2 ** 48
      ? undefined
      : await session.one(
          `select id from ${table.name} where id = ? and workspace_id = ? and deleted_at is null`,
          [id, workspaceId],
        );
  if (found === undefined) throw notFound(`${type} ${String(id)}`);
}

const move = route(moveFolderEntities, async ({ body, workspaceId, services }) => {
  const target = body.folder_id ?? null;
  await services.database.transaction(async (session) => {
    if (target !== null) await findFolder(session, workspaceId, target);
    for (const entity of body.entities) {
      await checkEntity(session, workspaceId, entity);
      const now = Date.now();
      if (entity.type === 'FOLDER') {
        const folder = await findFolder(session, workspaceId, entity.id);
        const tree = await FolderTree.load(session, workspaceId);
        tree.checkPlace(target, folder.name, folder);
        await session.run('update folders set parent_id = ?, updated_at = ? where id = ?', [
          target,
          now,
          folder.id,
        ]);
        continue;
      }
      await session.run(
        `update ${entityTables[entity.type]?.name ?? ''} set folder_id = ?, updated_at = ? where id = ?`,
        [target, now, entity.id],
      );
    }
  });
  return ok(jsonObject({ success: true, moved_count: body.entities.length }));
});

/** Takes away a folder with what is in it; tables go to the top, they are deleted on their own. */
async function deleteFolder(
  session: Session,
  workspaceId: number,
  id: number,
  cascade: boolean,
): Promise<number> {
  const tree = await FolderTree.load(session, workspaceId);
  const branch = tree.branch(id).reverse();
  const ids = JSON.stringify(branch.map((folder) => folder.id));
  const { isOneOf } = session.dialect;
  let count = 0;
  for (const table of ['prompts', 'workflows'] as const) {
    const where = `workspace_id = ? and deleted_at is null and folder_id ${isOneOf}`;
    if (!cascade) {
      const inside = await session.one(`select id from ${table} where ${where} limit 1`, [
        workspaceId,
        ids,
      ]);
      if (inside !== undefined) count += 1;
    } else {
      count += await session.run(`update ${table} set deleted_at = ? where ${where}`, [
        Date.now(),
        workspaceId,
        ids,
      ]);
    }
  }
  if (!cascade && (count > 0 || branch.length > 1)) {
    const name = branch.at(-1)?.name ?? '';
    throw invalid(`The folder "${name}" is not empty. Set cascade to delete what is in it too.`);
  }
  for (const table of ['tables', 'prompts', 'workflows', 'skill_collections'] as const) {
    await session.run(
      `update ${table} set folder_id = null where workspace_id = ? and folder_id ${isOneOf}`,
      [workspaceId, ids],
    );
  }
  for (const folder of branch) {
    await session.run('delete from folders where id = ?', [folder.id]);
    await session.run(
      `delete from external_ids where workspace_id = ? and kind = 'folder' and entity_id = ?`,
      [workspaceId, folder.id],
    );
  }
  return count + branch.length;
}

const remove = route(deleteFolderEntities, async ({ body, workspaceId, services }) => {
  const count = await services.database.transaction(async (session) => {
    let deleted = 0;
    const unique = new Map(body.entities.map((one) => [`${one.type} ${String(one.id)}`, one]));
    for (const entity of unique.values()) await checkEntity(session, workspaceId, entity);
    for (const { id, type } of unique.values()) {
      if (type === 'FOLDER') {
        deleted += await deleteFolder(session, workspaceId, id, body.cascade);
        continue;
      }
      deleted += await session.run(
        `update ${entityTables[type]?.name ?? ''} set deleted_at = ? where id = ? and deleted_at is null`,
        [Date.now(), id],
      );
    }
    return deleted;
  });
  return ok(jsonObject({ success: true, moved_count: count }));
});

/** The fixed paths come before the one with an id. */
export const folderRoutes: readonly Route[] = [create, resolve, list, move, remove, rename];
