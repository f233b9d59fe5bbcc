import { countIds } from '../imports/request-ids.ts';
import { findImport } from '../imports/import-store.ts';
import type { JsonText } from '../http/json-text.ts';
import { jsonObject } from '../http/json-text.ts';
import type { Session } from '../store/database.ts';
import type { ImportRecord } from '../store/records.ts';
import { isoTime } from './answers.ts';

function messageOf(record: ImportRecord): string {
  const rows = `${String(record.rows_added)} rows`;
  switch (record.status) {
    case 'pending':
      return 'The import waits for its turn.';
    case 'running':
      return `${rows} are added so far.`;
    case 'completed':
      return `${rows} are added.`;
    case 'cancelled':
      return `The import was canceled after ${rows}.`;
    case 'failed':
      return `The import has failed after ${rows}.`;
  }
}

export async function importJson(session: Session, record: ImportRecord): Promise<JsonText> {
  const sheet = await session.one<{ row_count: number }>(
    'select row_count from sheets where key = ?',
    [record.sheet_key],
  );
  return jsonObject({
    operation_id: record.operation_id,
    source: record.source,
    status: record.status,
    progress: record.progress,
    message: messageOf(record),
    rows_added: record.rows_added,
    row_count: sheet?.row_count ?? null,
    file_name: record.source === 'file' ? record.file_name : null,
    error_message: record.error_message,
    created_at: isoTime(record.created_at),
    updated_at: isoTime(record.updated_at),
  });
}

export async function importStarted(
  session: Session,
  tableKey: number,
  tableId: string,
  operationId: string,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<JsonText> {
  const record = await findImport(session, tableKey, operationId);
  if (record === undefined) throw new Error('An import disappeared right after it was accepted.');
  return jsonObject({
    success: true,
    message:
      record.source === 'file'
        ? `The import of "${record.file_name}" is accepted.`
        : `The import of ${String(countIds(record.byte_count))} requests is accepted.`,
    operation_id: operationId,
    operation: await importJson(session, record),
    status_url: `/api/public/v2/tables/${tableId}/sheets/operations/${encodeURIComponent(operationId)}`,
    ...extra,
  });
}
