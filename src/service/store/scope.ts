import { notFound } from '../http/problem.ts';
import type { Database, Session } from './database.ts';
import type { ColumnRecord, SheetRecord, TableRecord } from './records.ts';

/** Ids of a request, looked up inside the workspace of its key: a foreign id is not found. */
export interface SheetScope {
  readonly workspaceId: number;
  readonly tableId: string;
  readonly sheetId: string;
}

export async function findTable(
  session: Session,
  workspaceId: number,
  tableId: string,
): Promise<TableRecord> {
  const table = await session.one<TableRecord>(
    'select * from tables where id = ? and workspace_id = ? and deleted_at is null',
    [tableId, workspaceId],
  );
  if (table === undefined) throw notFound('This table');
  return table;
}

/** As `findTable`, and nobody else adds sheets to it until the end of the transaction. */
export async function findTableForUpdate(
  database: Database,
  session: Session,
  workspaceId: number,
  tableId: string,
): Promise<TableRecord> {
  const table = await findTable(session, workspaceId, tableId);
  await session.one(`select key from tables where key = ?${database.dialect.forUpdate}`, [
    table.key,
  ]);
  return table;
}

const sheetById = `select s.* from sheets s join tables t on t.key = s.table_key
  where s.id = ? and t.id = ? and t.workspace_id = ? and s.deleted_at is null and t.deleted_at is null`;

export async function findSheet(session: Session, scope: SheetScope): Promise<SheetRecord> {
  const sheet = await session.one<SheetRecord>(sheetById, [
    scope.sheetId,
    scope.tableId,
    scope.workspaceId,
  ]);
  if (sheet !== undefined) return sheet;
  await findTable(session, scope.workspaceId, scope.tableId);
  throw notFound('This sheet');
}

/**
 * The sheet, kept from being changed by anybody else until the end of the transaction. All that
 * writes to a sheet starts with this, so writers of one sheet queue up and can not deadlock.
 */
export async function findSheetForUpdate(
  database: Database,
  session: Session,
  scope: SheetScope,
): Promise<SheetRecord> {
  const { key } = await findSheet(session, scope);
  const sheet = await session.one<SheetRecord>(
    `select * from sheets where key = ? and deleted_at is null${database.dialect.forUpdate}`,
    [key],
  );
  if (sheet === undefined) throw notFound('This sheet');
  return sheet;
}

/** Counts a change of the sheet; answers its new version. Once a transaction, at its end. */
export async function raiseVersion(session: Session, sheetKey: number): Promise<number> {
  const row = await session.one<{ version_count: number }>(
    `update sheets set version_count = version_count + 1, updated_at = ? where key = ?
     returning version_count`,
    [Date.now(), sheetKey],
  );
  if (row === undefined) throw notFound('This sheet');
  return row.version_count;
}

/** Active columns in their order. */
export async function listColumns(
  session: Session,
  sheetKey: number,
  options: { readonly withSystem: boolean },
): Promise<ColumnRecord[]> {
  return session.query<ColumnRecord>(
    `select * from columns where sheet_key = ? and deleted_at is null${options.withSystem ? '' : ' and is_system = 0'}
     order by position_rank, key`,
    [sheetKey],
  );
}

export async function findColumn(
  session: Session,
  sheetKey: number,
  columnId: string,
): Promise<ColumnRecord> {
  const column = await session.one<ColumnRecord>(
    'select * from columns where sheet_key = ? and id = ? and deleted_at is null',
    [sheetKey, columnId],
  );
  if (column === undefined) throw notFound('This column');
  return column;
}
