import type { Reply } from '../http/route.ts';
import { accepted } from '../http/route.ts';
import { findImport, insertImport, saveFile } from '../imports/import-store.ts';
import type { Received } from '../imports/start-import.ts';
import type { Services } from '../services.ts';
import { createSheet } from '../store/create-sheet.ts';
import type { Session } from '../store/database.ts';
import type { SheetRecord, TableRecord } from '../store/records.ts';
import { findTableForUpdate } from '../store/scope.ts';
import { sheetJson } from './answers.ts';
import { importStarted } from './import-answers.ts';

const titleOf = ({ source, fileName }: Received): string =>
  source === 'request_logs'
    ? 'Request Logs'
    : fileName.replace(/\.(?:csv|json)$/i, '').trim() || fileName;

/** The sheet and its columns exist at once; the rows follow as an import. */
export async function createSheetFromImport(
  services: Services,
  workspaceId: number,
  tableId: string,
  {
    received,
    title,
    index,
  }: {
    readonly received: Received;
    readonly title: string | undefined;
    readonly index: number | undefined;
  },
): Promise<Reply> {
  const { database } = services;
  const { table, sheet, isNew } = await database.transaction(async (session) => {
    const table = await findTableForUpdate(database, session, workspaceId, tableId);
    const known = await sheetOfImport(session, table, received.operationId);
    if (known !== undefined) return { table, sheet: known, isNew: false };
    const sheet = await createSheet(session, table, {
      title: title ?? titleOf(received),
      index,
      columns: received.titles,
      emptyRows: 0,
    });
    await insertImport(database, session, sheet, {
      source: received.source,
      operationId: received.operationId,
      fileName: received.fileName,
      layout: layoutOf(received),
      byteCount: received.content.byteCount,
    });
    return { table, sheet, isNew: true };
  });
  if (isNew) {
    await saveFile(database, sheet.key, received.operationId, received.content);
    services.wakeImports();
  }
  const answer = await importStarted(database, table.key, tableId, received.operationId, {
    sheet: sheetJson(sheet, tableId),
  });
  return accepted(answer);
}

/** A new sheet's columns have the keys 1, 2, 3, ... */
const layoutOf = ({ form, titles }: Received) => ({
  form,
  titles,
  columnKeys: titles.map((_, index) => index + 1),
});

/** A repeated request with the same operation_id gets the sheet that the first one made. */
async function sheetOfImport(
  session: Session,
  table: TableRecord,
  operationId: string,
): Promise<SheetRecord | undefined> {
  const known = await findImport(session, table.key, operationId);
  return known && session.one<SheetRecord>('select * from sheets where key = ?', [known.sheet_key]);
}
