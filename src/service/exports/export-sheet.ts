import type { ExportFormat } from '../../api/export.ts';
import { exportMedia } from '../../api/export.ts';
import { csv } from '../../core/exports/csv.ts';
import { json, jsonLines } from '../../core/exports/json.ts';
import type { Encode, ExportPlan, FileColumn, ReadPages } from '../../core/exports/shape.ts';
import { uniqueTitles } from '../../core/exports/shape.ts';
import { isComputed } from '../engine/index.ts';
import { invalid, notFound } from '../http/problem.ts';
import type { FileReply } from '../http/route.ts';
import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import { listColumns } from '../store/scope.ts';
import { findVersion } from '../versions/version-store.ts';
import { sheetPages, versionPages } from './read-sheet.ts';

export interface ExportRequest {
  readonly format: ExportFormat;
  readonly content: 'values' | 'cells';
  /** Undefined: all. */
  readonly columnIds: readonly string[] | undefined;
  readonly withSystem: boolean;
  readonly guardFormulas: boolean;
  readonly versionId: string | undefined;
}

/** A sheet or a saved version of it as a file. Invalid options are reported before it begins. */
export async function exportSheet(
  { database, log }: { readonly database: Database; readonly log: Log },
  sheet: SheetRecord,
  fileRequest: ExportRequest,
): Promise<FileReply> {
  const { columns, pages } = await sourceOf(database, sheet, fileRequest);
  const encode = await encoderOf(fileRequest);
  const plan: ExportPlan = {
    columns: columns.map(fileColumn),
    titles: uniqueTitles(columns),
    content: fileRequest.content,
    pages,
  };
  return {
    mediaType: exportMedia[fileRequest.format],
    fileName: `${sheet.title}.${fileRequest.format}`,
    pieces: logged(encode(plan), sheet, log),
  };
}

const fileColumn = ({ title, type, is_system }: ColumnRecord): FileColumn => ({
  title,
  isComputed: isComputed(type) && is_system === 0,
});

async function encoderOf({ format, guardFormulas }: ExportRequest): Promise<Encode> {
  switch (format) {
    case 'csv':
      return csv({ guard: guardFormulas });
    case 'json':
      return json;
    case 'jsonl':
      return jsonLines;
    case 'parquet':
      return (await import('../../core/exports/parquet.ts')).parquet;
  }
}

async function sourceOf(
  database: Database,
  sheet: SheetRecord,
  { columnIds, withSystem, versionId }: ExportRequest,
): Promise<{ readonly columns: readonly ColumnRecord[]; readonly pages: ReadPages }> {
  if (versionId === undefined) {
    const all = await listColumns(database, sheet.key, { withSystem: true });
    const columns = chosen(all, columnIds, withSystem);
    return { columns, pages: sheetPages(database, sheet.key, columns) };
  }
  const version = await findVersion(database, sheet.key, versionId.toLowerCase());
  if (version === undefined) throw notFound('This version');
  const columns = chosen(JSON.parse(version.columns_json) as ColumnRecord[], columnIds, withSystem);
  return { columns, pages: versionPages(database, version, columns) };
}

function chosen(
  all: readonly ColumnRecord[],
  ids: readonly string[] | undefined,
  withSystem: boolean,
): readonly ColumnRecord[] {
  if (ids === undefined) return all.filter(({ is_system }) => withSystem || is_system === 0);
  return [...new Set(ids.map((id) => id.toLowerCase()))].map((id) => {
    const column = all.find((one) => one.id === id);
    if (column === undefined) throw invalid(`There is no column ${id} to export.`);
    return column;
  });
}

async function* logged(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  { id }: SheetRecord,
  log: Log,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  let isWhole = false;
  try {
    for await (const piece of pieces) {
      yield piece;
      bytes += piece.byteLength;
    }
    isWhole = true;
  } finally {
    log.info('Export ended', { sheet: id, bytes, isWhole });
  }
}
