import { cancelImport, getImport, importFile, importRequestLogs } from '../../api/import.ts';
import {
  cancelImport as callOff,
  findImport,
  insertImport,
  saveFile,
} from '../imports/import-store.ts';
import { receiveRequests } from '../imports/select-requests.ts';
import type { Received } from '../imports/start-import.ts';
import { matchColumns, receiveFile, refuseSecondImport } from '../imports/start-import.ts';
import { jsonObject } from '../http/json-text.ts';
import { conflict, invalid, notFound } from '../http/problem.ts';
import type { Reply, Route } from '../http/route.ts';
import { accepted, ok, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import type { ImportRecord } from '../store/records.ts';
import type { SheetScope } from '../store/scope.ts';
import { findSheet, findSheetForUpdate, findTable, raiseVersion } from '../store/scope.ts';
import { importJson, importStarted } from './import-answers.ts';

/** Makes the columns that are missing; the rows follow in the background. */
async function startImport(
  services: Services,
  scope: SheetScope,
  received: Received,
): Promise<Reply> {
  const { database } = services;
  const { operationId } = received;
  const { sheet, known } = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const known = await findImport(session, sheet.table_key, operationId);
    if (known !== undefined) return { sheet, known };
    await refuseSecondImport(session, sheet.key);
    const columnKeys = await matchColumns(session, sheet, received.titles);
    const { source, form, titles, fileName, content } = received;
    await insertImport(database, session, sheet, {
      source,
      operationId,
      fileName,
      layout: { form, titles, columnKeys },
      byteCount: content.byteCount,
    });
    await raiseVersion(session, sheet.key);
    return { sheet, known };
  });
  if (known !== undefined && known.sheet_key !== sheet.key) {
    throw conflict('This operation_id belongs to an import into another sheet. Select another.');
  }
  if (known === undefined) {
    await saveFile(database, sheet.key, operationId, received.content);
    services.wakeImports();
  }
  return accepted(await importStarted(database, sheet.table_key, scope.tableId, operationId));
}

const file = route(
  importFile,
  async ({ params, body, file: sent, workspaceId, services }) => {
    const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
    await findSheet(services.database, scope);
    const received = await receiveFile(body.file_name, sent, body.operation_id ?? undefined);
    return startImport(services, scope, received);
  },
  { takesFile: true },
);

const requestLogs = route(importRequestLogs, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  await findSheet(database, scope);
  const isSearch = (body.filter_group ?? body.q ?? undefined) !== undefined;
  if (isSearch === ((body.request_log_ids ?? undefined) !== undefined)) {
    throw invalid(
      'Give the requests in request_log_ids, or find them by filter_group: one of them.',
    );
  }
  const operationId = body.operation_id ?? undefined;
  return startImport(
    services,
    scope,
    await receiveRequests(database, workspaceId, body, operationId),
  );
});

async function recordOf(
  services: Services,
  workspaceId: number,
  params: { readonly table_id: string; readonly operation_id: string },
): Promise<ImportRecord> {
  const table = await findTable(services.database, workspaceId, params.table_id);
  const record = await findImport(services.database, table.key, params.operation_id);
  if (record === undefined) throw notFound('This import');
  return record;
}

const get = route(getImport, async ({ params, workspaceId, services }) => {
  const record = await recordOf(services, workspaceId, params);
  return ok(jsonObject({ success: true, operation: await importJson(services.database, record) }));
});

const cancel = route(cancelImport, async ({ params, workspaceId, services }) => {
  await callOff(services.database, await recordOf(services, workspaceId, params));
  const record = await recordOf(services, workspaceId, params);
  const message =
    record.status === 'cancelled'
      ? `The import is canceled; ${String(record.rows_added)} rows stay.`
      : 'The import had ended before.';
  const operation = await importJson(services.database, record);
  return ok(jsonObject({ success: true, message, operation }));
});

export const importRoutes: readonly Route[] = [get, cancel, file, requestLogs];
