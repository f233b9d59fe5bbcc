import { randomUUID } from 'node:crypto';
import { insertRows } from './insert-rows.ts';
import type { Session } from './database.ts';
import { newCellPrefix } from './cell-id.ts';
import type { SheetRecord, TableRecord } from './records.ts';

export interface NewSheet {
  readonly title: string | undefined;
  /** Place among the sheets of the table; at the end when absent. */
  readonly index: number | undefined;
  /** Titles of its TEXT columns. */
  readonly columns: readonly string[];
  readonly emptyRows: number;
}

/** Creates a sheet with TEXT columns and empty rows. */
export async function createSheet(
  session: Session,
  table: TableRecord,
  draft: NewSheet,
): Promise<SheetRecord> {
  const titles = await session.query<{ title: string }>(
    'select title from sheets where table_key = ? and deleted_at is null',
    [table.key],
  );
  const position = Math.min(draft.index ?? titles.length, titles.length);
  await session.run(
    'update sheets set position = position + 1 where table_key = ? and position >= ? and deleted_at is null',
    [table.key, position],
  );
  const now = Date.now();
  const title = draft.title ?? freeTitle('Sheet', titles.length + 1, titles);
  const sheet = await session.one<SheetRecord>(
    `insert into sheets (id, table_key, workspace_id, title, position, row_count, next_row_index,
       next_column_key, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
    [
      randomUUID(),
      table.key,
      table.workspace_id,
      title,
      position,
      draft.emptyRows,
      draft.emptyRows,
      draft.columns.length + 1,
      now,
      now,
    ],
  );
  if (sheet === undefined) throw new Error('The database did not answer the new sheet.');
  await insertTextColumns(session, sheet.key, 1, draft.columns, 1);
  await insertRows(
    session,
    sheet.key,
    Array.from({ length: draft.emptyRows }, (_, row_index) => ({ row_index, created_at: now })),
  );
  return sheet;
}

/** Adds TEXT columns with keys from `firstKey` on; the caller has reserved the keys. */
export async function insertTextColumns(
  session: Session,
  sheetKey: number,
  firstKey: number,
  titles: readonly string[],
  firstRank: number,
): Promise<void> {
  const now = Date.now();
  await session.insertMany(
    {
      table: 'columns',
      columns: {
        sheet_key: 'int',
        key: 'int',
        id: 'text',
        cell_prefix: 'text',
        title: 'text',
        type: 'text',
        position_rank: 'real',
        created_at: 'int',
        updated_at: 'int',
      },
    },
    titles.map((title, offset) => [
      sheetKey,
      firstKey + offset,
      randomUUID(),
      newCellPrefix(),
      title,
      'TEXT',
      firstRank + offset,
      now,
      now,
    ]),
  );
}

/** `Sheet 3`, or the next number that no sibling has. */
export function freeTitle(
  word: string,
  start: number,
  taken: readonly { readonly title: string }[],
): string {
  const known = new Set(taken.map(({ title }) => title));
  let number = start;
  while (known.has(`${word} ${String(number)}`)) number += 1;
  return `${word} ${String(number)}`;
}
