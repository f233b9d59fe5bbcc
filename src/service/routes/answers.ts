import { JsonText, jsonObject } from '../http/json-text.ts';
import type { ColumnRecord, SheetRecord, TableRecord } from '../store/records.ts';
import type { SheetProblem } from '../store/sheet-problems.ts';

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function tableJson(
  table: TableRecord,
  sheetCount: number,
  rowCounts?: Readonly<Record<string, number>>,
): JsonText {
  return jsonObject({
    id: table.id,
    workspace_id: table.workspace_id,
    title: table.title,
    folder_id: table.folder_id,
    sheet_count: sheetCount,
    sheet_row_counts: rowCounts,
    created_at: isoTime(table.created_at),
    updated_at: isoTime(table.updated_at),
  });
}

/** `problems`: left out when there are none; the public description does not know them. */
export function sheetJson(
  sheet: SheetRecord,
  tableId: string,
  problems: readonly SheetProblem[] = [],
): JsonText {
  return jsonObject({
    id: sheet.id,
    table_id: tableId,
    workspace_id: sheet.workspace_id,
    title: sheet.title,
    index: sheet.position,
    row_count: sheet.row_count,
    version_count: sheet.version_count,
    created_at: isoTime(sheet.created_at),
    updated_at: isoTime(sheet.updated_at),
    problems: problems.length === 0 ? undefined : problems,
  });
}

export interface ColumnOwner {
  readonly id: string;
  readonly workspace_id: number;
}

export function columnJson(column: ColumnRecord, sheet: ColumnOwner): JsonText {
  return jsonObject({
    id: column.id,
    sheet_id: sheet.id,
    workspace_id: sheet.workspace_id,
    title: column.title,
    type: column.type,
    config: new JsonText(column.config_json),
    dependencies: new JsonText(column.dependencies_json),
    position_rank: column.position_rank,
    is_output_column: column.is_output_column === 1,
    is_system: column.is_system === 1,
    created_at: isoTime(column.created_at),
    updated_at: isoTime(column.updated_at),
  });
}
