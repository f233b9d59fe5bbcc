import { randomUUID } from 'node:crypto';
import { createTable, deleteTable, getTable, listTables, updateTable } from '../../api/table.ts';
import { jsonObject } from '../http/json-text.ts';
import type { PageRequest } from '../http/page.ts';
import { pageAnswer, pageStart, splitPage } from '../http/page.ts';
import type { Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import { createSheet, freeTitle } from '../store/create-sheet.ts';
import type { Database, Session, SqlValue } from '../store/database.ts';
import type { SheetRecord, TableRecord } from '../store/records.ts';
import { folded, like } from '../store/folded.ts';
import { findFolder } from '../store/folders.ts';
import { findTable } from '../store/scope.ts';
import { sheetJson, tableJson } from './answers.ts';
import { promptCondition } from './prompt-filter.ts';

type ListedTable = TableRecord & { sheet_count: number };

/** The folder that a table is put into; null for the top. */
async function folderOf(
  session: Session,
  workspaceId: number,
  id: number | null | undefined,
): Promise<number | null> {
  return typeof id === 'number' ? (await findFolder(session, workspaceId, id)).id : null;
}

const list = route(listTables, async ({ query, workspaceId, services }) => {
  const { database } = services;
  const { folder_id, name, prompt_id, prompt_version_id, prompt_label_id } = query;
  const filters = { folder_id, name, prompt_id, prompt_version_id, prompt_label_id };
  const request: PageRequest = {
    scope: { workspaceId, resource: 'tables', sort: 'created_at', order: query.order, filters },
    cursor: query.cursor,
    limit: query.limit,
  };
  const start = pageStart(request, 2);
  const conditions = ['t.workspace_id = ?', 't.deleted_at is null'];
  const values: SqlValue[] = [workspaceId];
  const where = (condition: string, ...more: SqlValue[]): void => {
    conditions.push(condition);
    values.push(...more);
  };
  if (folder_id !== undefined) where('t.folder_id = ?', folder_id);
  if (name !== undefined) where(String.raw`t.title_folded like ? escape '\'`, like(name));
  const prompt = promptCondition(database.dialect, filters);
  if (prompt !== undefined) {
    where(
      `exists (select 1 from sheets s join columns c on c.sheet_key = s.key
        where s.table_key = t.key and s.deleted_at is null and ${prompt.condition})`,
      ...prompt.values,
    );
  }
  const after = query.order === 'asc' ? '>' : '<';
  if (start !== undefined) where(`(t.created_at, t.key) ${after} (?, ?)`, ...start);
  const found = await database.query<ListedTable>(
    `select t.*, (select count(*) from sheets s where s.table_key = t.key and s.deleted_at is null) as sheet_count
     from tables t where ${conditions.join(' and ')}
     order by t.created_at ${query.order}, t.key ${query.order} limit ?`,
    [...values, query.limit + 1],
  );
  const [tables, more] = splitPage(found, query.limit);
  const last = tables.at(-1);
  return ok(
    pageAnswer(
      request,
      tables.map((table) => tableJson(table, table.sheet_count)),
      tables.length,
      more && last ? [last.created_at, last.key] : undefined,
    ),
  );
});

async function insertTable(
  session: Session,
  workspaceId: number,
  title: string | undefined,
  folderId: number | null,
): Promise<TableRecord> {
  const now = Date.now();
  const chosen = title ?? (await untitled(session, workspaceId));
  const table = await session.one<TableRecord>(
    `insert into tables (id, workspace_id, title, title_folded, folder_id, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?) returning *`,
    [randomUUID(), workspaceId, chosen, folded(chosen), folderId, now, now],
  );
  if (table === undefined) throw new Error('The database did not answer the new table.');
  return table;
}

async function untitled(session: Session, workspaceId: number): Promise<string> {
  const taken = await session.query<{ title: string }>(
    `select title from tables where workspace_id = ? and deleted_at is null and title like 'Untitled Table%'`,
    [workspaceId],
  );
  const isFree = !taken.some(({ title }) => title === 'Untitled Table');
  return isFree ? 'Untitled Table' : freeTitle('Untitled Table', 2, taken);
}

const create = route(createTable, async ({ body, workspaceId, services }) => {
  const { table, sheet } = await services.database.transaction(async (session) => {
    const folder = await folderOf(session, workspaceId, body?.folder_id);
    const table = await insertTable(session, workspaceId, body?.title ?? undefined, folder);
    if (body?.create_default_sheet === false) return { table, sheet: undefined };
    const sheet = await createSheet(session, table, {
      title: undefined,
      index: undefined,
      columns: ['Column A'],
      emptyRows: 1,
    });
    return { table, sheet };
  });
  return created(
    jsonObject({
      success: true,
      message: `Table "${table.title}" is created.`,
      table: tableJson(
        table,
        sheet === undefined ? 0 : 1,
        sheet === undefined ? {} : { [sheet.id]: sheet.row_count },
      ),
      default_sheet: sheet === undefined ? undefined : sheetJson(sheet, table.id),
    }),
  );
});

async function detail(session: Session, table: TableRecord): Promise<ReturnType<typeof tableJson>> {
  const sheets = await session.query<Pick<SheetRecord, 'id' | 'row_count'>>(
    'select id, row_count from sheets where table_key = ? and deleted_at is null order by position, key',
    [table.key],
  );
  const counts = Object.fromEntries(sheets.map(({ id, row_count }) => [id, row_count]));
  return tableJson(table, sheets.length, counts);
}

const get = route(getTable, async ({ params, workspaceId, services }) => {
  const { database } = services;
  const table = await findTable(database, workspaceId, params.table_id);
  return ok(jsonObject({ success: true, table: await detail(database, table) }));
});

const update = route(updateTable, async ({ params, body, workspaceId, services }) => {
  const table = await services.database.transaction(async (session) => {
    const {
      key,
      title,
      folder_id: before,
    } = await findTable(session, workspaceId, params.table_id);
    const chosen = body.title ?? title;
    const folder =
      body.folder_id === undefined ? before : await folderOf(session, workspaceId, body.folder_id);
    await session.run(
      `update tables set title = ?, title_folded = ?, updated_at = ?, folder_id = ? where key = ?`,
      [chosen, folded(chosen), Date.now(), folder, key],
    );
    return detail(session, await findTable(session, workspaceId, params.table_id));
  });
  return ok(jsonObject({ success: true, table }));
});

const remove = route(deleteTable, async ({ params, workspaceId, services }) => {
  const title = await softDelete(services.database, workspaceId, params.table_id);
  return ok(jsonObject({ success: true, message: `Table "${title}" is deleted.` }));
});

function softDelete(database: Database, workspaceId: number, tableId: string): Promise<string> {
  return database.transaction(async (session) => {
    const { key, title } = await findTable(session, workspaceId, tableId);
    const now = Date.now();
    await session.run('update tables set deleted_at = ?, updated_at = ? where key = ?', [
      now,
      now,
      key,
    ]);
    return title;
  });
}

export const tableRoutes: readonly Route[] = [list, create, get, update, remove];
