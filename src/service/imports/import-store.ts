import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Content } from '../http/sent-file.ts';
import { insertInputRows, insertRows } from '../store/insert-rows.ts';
import type { Database, Session } from '../store/database.ts';
import { isWorkOf, type WorkOf } from '../store/own-work.ts';
import type { ImportRecord, PieceRecord, SheetRecord } from '../store/records.ts';
import { raiseVersion } from '../store/scope.ts';
import { ImportError } from '../../core/imports/import-error.ts';
import type { Layout } from './layout.ts';
import type { RowValues } from './records.ts';

/** While a file is being written to the database nobody may start on it. */
const UPLOAD_LEASE_MS = 120_000;
const WORK_LEASE_MS = 10_000;

export interface NewImport {
  readonly source: ImportRecord['source'];
  readonly operationId: string;
  readonly fileName: string;
  readonly layout: Layout;
  readonly byteCount: number;
}

/** Records an import whose file follows with `saveFile`. */
export async function insertImport(
  database: Database,
  session: Session,
  sheet: SheetRecord,
  draft: NewImport,
): Promise<void> {
  const now = Date.now();
  await session.run(
    `insert into imports (sheet_key, operation_id, workspace_id, table_key, status, source, file_name,
       layout_json, byte_count, token, lease_until, created_at, updated_at)
     values (?, ?, ?, ?, 'pending', ?, ?, ?, ?, 'upload', ${database.dialect.now} + ?, ?, ?)`,
    [
      sheet.key,
      draft.operationId,
      sheet.workspace_id,
      sheet.table_key,
      draft.source,
      draft.fileName,
      JSON.stringify(draft.layout),
      draft.byteCount,
      UPLOAD_LEASE_MS,
      now,
      now,
    ],
  );
}

/** Keeps the file beside the import, a piece a transaction, then lets the work begin. */
export async function saveFile(
  database: Database,
  sheetKey: number,
  operationId: string,
  content: Content,
): Promise<void> {
  let piece = 0;
  for await (const bytes of content.pieces()) {
    await database.run(
      'insert into import_pieces (sheet_key, operation_id, piece, content) values (?, ?, ?, ?)',
      [sheetKey, operationId, piece, bytes],
    );
    piece += 1;
    // Other requests are answered in between.
    await nextTurn();
  }
  const isWanted = await database.run(
    `update imports set token = null, lease_until = 0 where sheet_key = ? and operation_id = ? and token = 'upload'`,
    [sheetKey, operationId],
  );
  if (isWanted === 0) await dropPieces(database, sheetKey, operationId);
}

/** A piece at a time: SQLite looks at every page of what it lets go. */
async function dropPieces(session: Session, sheetKey: number, operationId: string): Promise<void> {
  for (;;) {
    const dropped = await session.run(
      `delete from import_pieces where sheet_key = ? and operation_id = ? and piece =
         (select min(piece) from import_pieces where sheet_key = ? and operation_id = ?)`,
      [sheetKey, operationId, sheetKey, operationId],
    );
    if (dropped === 0) return;
    await nextTurn();
  }
}

/** Calls an import off: whoever works on it can't commit any more. Rows that are there stay. */
export async function cancelImport(database: Database, work: ImportRecord): Promise<void> {
  await database.transaction(async (session) => {
    const isOpen = await session.run(
      `update imports set status = 'cancelled', token = null, lease_until = 0, updated_at = ?
       where sheet_key = ? and operation_id = ? and status in ('pending', 'running')`,
      [Date.now(), work.sheet_key, work.operation_id],
    );
    if (isOpen > 0) await dropPieces(session, work.sheet_key, work.operation_id);
  });
}

export async function findImport(
  session: Session,
  tableKey: number,
  operationId: string,
): Promise<ImportRecord | undefined> {
  return session.one<ImportRecord>(
    'select * from imports where table_key = ? and operation_id = ?',
    [tableKey, operationId],
  );
}

/** Takes the oldest import that nobody works on; its token fences off whoever had it before. */
export async function claimImport(
  database: Database,
  workOf: WorkOf,
): Promise<ImportRecord | undefined> {
  const own = isWorkOf(database, 'workspace_id', workOf);
  return database.transaction(async (session) => {
    const found = await session.one<ImportRecord>(
      `select * from imports where status in ('pending', 'running') and lease_until < ${database.dialect.now}${own.sql}
       order by created_at limit 1${database.dialect.skipLocked}`,
      own.values,
    );
    if (found === undefined) return undefined;
    return session.one<ImportRecord>(
      `update imports set status = 'running', token = ?, lease_until = ${database.dialect.now} + ?, updated_at = ?, attempts = attempts + 1
       where sheet_key = ? and operation_id = ? returning *`,
      [randomUUID(), WORK_LEASE_MS, Date.now(), found.sheet_key, found.operation_id],
    );
  });
}

/** In an embedded database nobody else can be at work when the service starts. */
export async function releaseImports(database: Database): Promise<void> {
  await database.run(`update imports set lease_until = 0 where status in ('pending', 'running')`);
}

export async function savedBytes(session: Session, work: ImportRecord): Promise<number> {
  const row = await session.one<{ size: number | null }>(
    'select sum(length(content)) as size from import_pieces where sheet_key = ? and operation_id = ?',
    [work.sheet_key, work.operation_id],
  );
  return row?.size ?? 0;
}

export async function* readPieces(
  database: Database,
  work: ImportRecord,
): AsyncGenerator<Uint8Array> {
  for (let piece = 0; ; piece += 1) {
    const found = await database.one<PieceRecord>(
      'select piece, content from import_pieces where sheet_key = ? and operation_id = ? and piece = ?',
      [work.sheet_key, work.operation_id, piece],
    );
    if (found === undefined) return;
    yield found.content;
    await nextTurn();
  }
}

export interface Batch {
  readonly rows: readonly RowValues[];
  readonly columnKeys: readonly number[];
  /** Share of the file that is read by now. */
  readonly progress: number;
}

/**
 * Adds rows at the end of the sheet and counts them in the import, together: after a crash the
 * next worker skips exactly what is there. Answers false when the work is no longer ours.
 */
export async function commitBatch(
  database: Database,
  work: ImportRecord,
  { rows, columnKeys, progress }: Batch,
): Promise<boolean> {
  return database.transaction(async (session) => {
    const sheet = await session.one<SheetRecord>(
      `select * from sheets where key = ? and deleted_at is null${database.dialect.forUpdate}`,
      [work.sheet_key],
    );
    if (sheet === undefined) throw new ImportError('The sheet has been deleted.');
    const now = Date.now();
    const isOurs = await session.run(
      `update imports set rows_added = rows_added + ?, progress = ?, updated_at = ?, attempts = 0,
         lease_until = ${database.dialect.now} + ?
       where sheet_key = ? and operation_id = ? and token = ?`,
      [rows.length, progress, now, WORK_LEASE_MS, work.sheet_key, work.operation_id, work.token],
    );
    if (isOurs === 0) return false;
    await insertValues(session, sheet, rows, columnKeys, now);
    await session.run(
      'update sheets set row_count = row_count + ?, next_row_index = next_row_index + ? where key = ?',
      [rows.length, rows.length, sheet.key],
    );
    await raiseVersion(session, sheet.key);
    return true;
  });
}

async function insertValues(
  session: Session,
  sheet: SheetRecord,
  rows: readonly RowValues[],
  columnKeys: readonly number[],
  now: number,
): Promise<void> {
  const firstIndex = sheet.next_row_index;
  await insertRows(
    session,
    sheet.key,
    rows.map((_, offset) => ({ row_index: firstIndex + offset, created_at: now })),
  );
  await insertInputRows(session, { sheetKey: sheet.key, firstRow: firstIndex, columnKeys, rows });
}

/** Whoever stops in good order has not been stopped by it. */
export async function leaveImport(database: Database, work: ImportRecord): Promise<void> {
  await database.run(
    'update imports set attempts = 0 where sheet_key = ? and operation_id = ? and token = ?',
    [work.sheet_key, work.operation_id, work.token],
  );
}

/** Ends an import either way and drops its file. */
export async function finishImport(
  database: Database,
  work: ImportRecord,
  errorMessage: string | null,
): Promise<void> {
  await database.transaction(async (session) => {
    const isOurs = await session.run(
      `update imports set status = ?, error_message = ?, progress = case when ? = 'completed' then 1 else progress end,
         token = null, updated_at = ?
       where sheet_key = ? and operation_id = ? and token = ?`,
      [
        errorMessage === null ? 'completed' : 'failed',
        errorMessage,
        errorMessage === null ? 'completed' : 'failed',
        Date.now(),
        work.sheet_key,
        work.operation_id,
        work.token,
      ],
    );
    if (isOurs === 0) return;
    await dropPieces(session, work.sheet_key, work.operation_id);
  });
}
