import type { Session, SqlValue } from './database.ts';
import type { SheetRecord } from './records.ts';

export interface AppendedRow {
  readonly row_index: number;
  readonly created_at: number;
}

/** Adds empty rows at the end of a sheet that is locked. */
export async function appendRows(
  session: Session,
  sheet: SheetRecord,
  count: number,
): Promise<AppendedRow[]> {
  const created_at = Date.now();
  const rows = Array.from({ length: count }, (_, offset) => ({
    row_index: sheet.next_row_index + offset,
    created_at,
  }));
  await insertRows(session, sheet.key, rows);
  await session.run(
    'update sheets set row_count = row_count + ?, next_row_index = next_row_index + ? where key = ?',
    [count, count, sheet.key],
  );
  return rows;
}

/** Adds rows without cells; the caller counts them in the sheet. */
export async function insertRows(
  session: Session,
  sheetKey: number,
  rows: readonly AppendedRow[],
): Promise<void> {
  await session.insertMany(
    { table: 'rows', columns: { sheet_key: 'int', row_index: 'int', created_at: 'int' } },
    rows.map(({ row_index, created_at }) => [sheetKey, row_index, created_at]),
  );
}

/** A value that was typed in or imported, for a row that has none in this column yet. */
export interface InputCell {
  readonly rowIndex: number;
  readonly columnKey: number;
  /** JSON text. */
  readonly value: string;
  readonly number: number | null;
}

export async function insertInputs(
  session: Session,
  sheetKey: number,
  cells: readonly InputCell[],
): Promise<void> {
  const now = Date.now();
  await session.insertMany(
    {
      table: 'cells',
      columns: {
        sheet_key: 'int',
        row_index: 'int',
        column_key: 'int',
        status: 'text',
        value: 'text',
        num: 'real',
        updated_at: 'int',
      },
    },
    cells.map(({ rowIndex, columnKey, value, number }): SqlValue[] => [
      sheetKey,
      rowIndex,
      columnKey,
      'input',
      value,
      number,
      now,
    ]),
  );
}
