import { randomUUID } from 'node:crypto';
import { conflict, invalid } from '../http/problem.ts';
import { contentOf, type Content } from '../http/sent-file.ts';
import { insertTextColumns } from '../store/create-sheet.ts';
import type { Session } from '../store/database.ts';
import { COLUMN_LIMIT } from '../store/limits.ts';
import type { ColumnRecord, ImportRecord, SheetRecord } from '../store/records.ts';
import { listColumns } from '../store/scope.ts';
import { ImportError } from '../../core/imports/import-error.ts';
import type { Layout } from './layout.ts';
import { readForm } from './layout.ts';

/** A file, or the requests that stand for one, before its rows are added. */
export interface Received {
  readonly source: ImportRecord['source'];
  readonly fileName: string;
  /** The file, or the ids of the requests. */
  readonly content: Content;
  readonly operationId: string;
  readonly form: Layout['form'];
  readonly titles: readonly string[];
}

/** Reads the titles of a file that was sent; what is wrong with it is the caller's to mend: 400. */
export async function receiveFile(
  fileName: string,
  file: Content | undefined,
  operationId: string | undefined,
): Promise<Received> {
  // The check of the body has let it pass, so it is the empty text.
  const content = file ?? contentOf(new Uint8Array());
  try {
    const { form, titles } = await readForm(fileName, content);
    return {
      source: 'file',
      fileName,
      content,
      operationId: operationId ?? randomUUID(),
      form,
      titles,
    };
  } catch (error) {
    if (error instanceof ImportError) throw invalid(error.message);
    throw error;
  }
}

export async function refuseSecondImport(session: Session, sheetKey: number): Promise<void> {
  const busy = await session.one<{ operation_id: string }>(
    `select operation_id from imports where sheet_key = ? and status in ('pending', 'running')`,
    [sheetKey],
  );
  if (busy !== undefined) {
    throw conflict(
      `An import into this sheet is under way (${busy.operation_id}). Wait until it is done.`,
    );
  }
}

/** Keys of the columns that take the fields; titles that the sheet does not have become columns. */
export async function matchColumns(
  session: Session,
  sheet: SheetRecord,
  titles: readonly string[],
): Promise<number[]> {
  const columns = await listColumns(session, sheet.key, { withSystem: false });
  const byTitle = new Map<string, ColumnRecord>();
  for (const column of columns) if (!byTitle.has(column.title)) byTitle.set(column.title, column);
  const computed = titles.find((title) => (byTitle.get(title)?.type ?? 'TEXT') !== 'TEXT');
  if (computed !== undefined) {
    throw invalid(
      `The file has a column "${computed}", which is computed in this sheet. Rename it in the file.`,
    );
  }
  const missing = titles.filter((title) => !byTitle.has(title));
  if (columns.length + missing.length > COLUMN_LIMIT) {
    throw invalid(
      `The sheet would have ${String(columns.length + missing.length)} columns; it can have ${String(COLUMN_LIMIT)}.`,
    );
  }
  const keys = new Map([...byTitle].map(([title, { key }]) => [title, key]));
  await session.run('update sheets set next_column_key = next_column_key + ? where key = ?', [
    missing.length,
    sheet.key,
  ]);
  const lastRank = Math.max(0, ...columns.map(({ position_rank }) => position_rank));
  await insertTextColumns(
    session,
    sheet.key,
    sheet.next_column_key,
    missing,
    Math.floor(lastRank) + 1,
  );
  for (const [offset, title] of missing.entries()) keys.set(title, sheet.next_column_key + offset);
  return titles.map((title) => keys.get(title) ?? 0);
}
