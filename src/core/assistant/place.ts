import type { Sheet, Table } from '../../api/table.ts';
import { ValidationError } from '../errors.ts';
import { sheetNamed, tableNamed } from '../tables/find.ts';
import type { SheetRef } from '../tables/ref.ts';
import type { ToolCall } from './tool.ts';

export interface Place {
  readonly table: Table;
  readonly sheet: Sheet;
  readonly ref: SheetRef;
}

/** The sheet that a model means: by title or id, or the only one of its table. */
export async function findPlace(
  { client, options }: Pick<ToolCall, 'client' | 'options'>,
  wanted: { readonly table: string; readonly sheet?: string | undefined },
): Promise<Place> {
  const { tables } = client;
  const table = await tableNamed(tables, wanted.table, options);
  const sheet =
    wanted.sheet === undefined
      ? await onlySheet(client, table, options)
      : await sheetNamed(tables, table.id, wanted.sheet, options);
  return { table, sheet, ref: { tableId: table.id, sheetId: sheet.id } };
}

async function onlySheet(
  { tables }: ToolCall['client'],
  table: Table,
  options: ToolCall['options'],
): Promise<Sheet> {
  const { items } = await tables.sheets.page(table.id, { limit: 20 }, options);
  const [first] = items;
  if (first !== undefined && items.length === 1) return first;
  const titles = items.map(({ title }) => `"${title}"`).join(', ');
  const words =
    first === undefined
      ? `The table "${table.title}" has no sheet.`
      : `The table "${table.title}" has several sheets: ${titles}. Say which one is meant.`;
  throw new ValidationError({ kind: 'tool-call', words });
}
