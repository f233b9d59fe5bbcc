import { createSheet, deleteSheet, getSheet, listSheets, updateSheet } from '../../api/sheet.ts';
import { jsonObject } from '../http/json-text.ts';
import type { PageRequest } from '../http/page.ts';
import { pageAnswer, pageStart, splitPage } from '../http/page.ts';
import { invalid } from '../http/problem.ts';
import type { Reply, Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import { receiveRequests } from '../imports/select-requests.ts';
import { receiveFile } from '../imports/start-import.ts';
import { createSheet as insertSheet } from '../store/create-sheet.ts';
import type { Session, SqlValue } from '../store/database.ts';
import type { SheetRecord } from '../store/records.ts';
import {
  findSheet,
  findSheetForUpdate,
  findTable,
  findTableForUpdate,
  raiseVersion,
} from '../store/scope.ts';
import { problemsOfSheets } from '../store/sheet-problems.ts';
import { sheetJson } from './answers.ts';
import { createSheetFromImport } from './create-sheet-from-import.ts';
import { promptCondition } from './prompt-filter.ts';

const list = route(listSheets, async ({ params, query, workspaceId, services }) => {
  const { database } = services;
  const { prompt_id, prompt_version_id, prompt_label_id } = query;
  const filters = { prompt_id, prompt_version_id, prompt_label_id };
  const resource = `sheets:${params.table_id}`;
  const request: PageRequest = {
    scope: { workspaceId, resource, sort: 'index', order: query.order, filters },
    cursor: query.cursor,
    limit: query.limit,
  };
  const table = await findTable(database, workspaceId, params.table_id);
  const start = pageStart(request, 2);
  const conditions = ['s.table_key = ?', 's.deleted_at is null'];
  const values: SqlValue[] = [table.key];
  const prompt = promptCondition(database.dialect, filters);
  if (prompt !== undefined) {
    conditions.push(
      `exists (select 1 from columns c where c.sheet_key = s.key and ${prompt.condition})`,
    );
    values.push(...prompt.values);
  }
  if (start !== undefined) {
    conditions.push(`(s.position, s.key) ${query.order === 'asc' ? '>' : '<'} (?, ?)`);
    values.push(...start);
  }
  const found = await database.query<SheetRecord>(
    `select s.* from sheets s where ${conditions.join(' and ')}
     order by s.position ${query.order}, s.key ${query.order} limit ?`,
    [...values, query.limit + 1],
  );
  const [sheets, more] = splitPage(found, query.limit);
  const last = sheets.at(-1);
  const problems = await problemsOfSheets(
    database,
    sheets.map(({ key }) => key),
  );
  return ok(
    pageAnswer(
      request,
      sheets.map((sheet) => sheetJson(sheet, table.id, problems.get(sheet.key))),
      sheets.length,
      more && last ? [last.position, last.key] : undefined,
    ),
  );
});

const create = route(
  createSheet,
  async (call): Promise<Reply> => {
    const { params, body, file, workspaceId, services } = call;
    const source = body?.source ?? undefined;
    if (source !== undefined) {
      await findTable(services.database, workspaceId, params.table_id);
      const operationId = body?.operation_id ?? undefined;
      return createSheetFromImport(services, workspaceId, params.table_id, {
        received:
          source.type === 'file'
            ? await receiveFile(source.file_name, file, operationId)
            : await receiveRequests(services.database, workspaceId, source, operationId),
        title: body?.title ?? undefined,
        index: body?.index ?? undefined,
      });
    }
    if (typeof body?.operation_id === 'string') {
      throw invalid('operation_id belongs to an import: give a source, or leave it out.');
    }
    const sheet = await services.database.transaction(async (session) =>
      insertSheet(
        session,
        await findTableForUpdate(services.database, session, workspaceId, params.table_id),
        {
          title: body?.title ?? undefined,
          index: body?.index ?? undefined,
          columns: ['Column A'],
          emptyRows: 1,
        },
      ),
    );
    return created(jsonObject({ success: true, sheet: sheetJson(sheet, params.table_id) }));
  },
  { takesFile: true },
);

const get = route(getSheet, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const sheet = await findSheet(services.database, scope);
  return ok(jsonObject({ success: true, sheet: sheetJson(sheet, params.table_id) }));
});

/** Moves a sheet among its siblings; positions stay 0, 1, 2, ... */
async function moveSheet(session: Session, sheet: SheetRecord, index: number): Promise<void> {
  const siblings = await session.query<{ key: number }>(
    'select key from sheets where table_key = ? and deleted_at is null order by position, key',
    [sheet.table_key],
  );
  const order = siblings.map(({ key }) => key).filter((key) => key !== sheet.key);
  order.splice(index, 0, sheet.key);
  for (const [position, key] of order.entries()) {
    await session.run('update sheets set position = ? where key = ? and position <> ?', [
      position,
      key,
      position,
    ]);
  }
}

const update = route(updateSheet, async ({ params, body, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const sheet = await services.database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(services.database, session, scope);
    const title = body.title ?? sheet.title;
    const index = body.index ?? sheet.position;
    if (title === sheet.title && index === sheet.position) return sheet;
    await session.run('update sheets set title = ? where key = ?', [title, sheet.key]);
    if (index !== sheet.position) await moveSheet(session, sheet, index);
    await raiseVersion(session, sheet.key);
    return findSheet(session, scope);
  });
  return ok(
    jsonObject({
      success: true,
      sheet: sheetJson(sheet, params.table_id),
      version: sheet.version_count,
    }),
  );
});

const remove = route(deleteSheet, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const title = await services.database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(services.database, session, scope);
    const now = Date.now();
    await session.run('update sheets set deleted_at = ?, updated_at = ? where key = ?', [
      now,
      now,
      sheet.key,
    ]);
    await session.run(
      'update sheets set position = position - 1 where table_key = ? and position > ? and deleted_at is null',
      [sheet.table_key, sheet.position],
    );
    return sheet.title;
  });
  return ok(jsonObject({ success: true, message: `Sheet "${title}" is deleted.` }));
});

export const sheetRoutes: readonly Route[] = [list, create, get, update, remove];
