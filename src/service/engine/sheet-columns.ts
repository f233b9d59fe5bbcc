import * as z from 'zod';
import { Dependency } from '../../api/column.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import { isObject, jsonFromText, type Json } from './columns/json.ts';

/** A column as the engine works with it. */
export interface SheetColumn {
  readonly key: number;
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly isSystem: boolean;
  readonly isDeleted: boolean;
  readonly configRevision: number;
  readonly configText: string;
  /** Of a system column: which metric of which column it holds. */
  readonly metric: { readonly sourceKey: number; readonly key: string } | undefined;
  readonly dependencies: readonly Dependency[];
}

const Dependencies = z.array(Dependency);

/** Deleted ones too: their titles are needed to say which source is gone. */
export async function loadColumns(session: Session, sheetKey: number): Promise<SheetColumn[]> {
  const records = await session.query<ColumnRecord>(
    'select * from columns where sheet_key = ? order by position_rank, key',
    [sheetKey],
  );
  return records.map(sheetColumn);
}

/**
 * Of all columns, deleted ones too. As values in a statement they make SQLite use the index of
 * computed cells by column and status; a subquery makes it read the whole sheet.
 */
export async function columnKeys(session: Session, sheetKey: number): Promise<number[]> {
  const keys = await session.query<{ key: number }>('select key from columns where sheet_key = ?', [
    sheetKey,
  ]);
  return keys.map(({ key }) => key);
}

export function sheetColumn(record: ColumnRecord): SheetColumn {
  return {
    key: record.key,
    id: record.id,
    title: record.title,
    type: record.type,
    isSystem: record.is_system === 1,
    isDeleted: record.deleted_at !== null,
    configRevision: record.config_revision,
    configText: record.config_json,
    metric:
      record.source_column_key === null || record.metric_key === null
        ? undefined
        : { sourceKey: record.source_column_key, key: record.metric_key },
    dependencies: Dependencies.parse(JSON.parse(record.dependencies_json)),
  };
}

export function configOf(column: SheetColumn): { [key: string]: Json } {
  const config = jsonFromText(column.configText);
  return isObject(config) ? config : {};
}
