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

/** Values of rows that lie side by side, all in the same columns. */
export interface InputRows {
  readonly sheetKey: number;
  readonly firstRow: number;
  readonly columnKeys: readonly number[];
  /** JSON texts, of each row as many as there are columns or fewer. Null: the row has no such cell. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/**
 * Writes the cells of many rows with one statement: their values are one parameter, an array in
 * JSON, so that nothing is done for each cell but storing it. Half the time of a statement for each
 * cell on SQLite, and of an array for each field on PostgreSQL.
 */
export async function insertInputRows(
  session: Session,
  { sheetKey, firstRow, columnKeys, rows }: InputRows,
): Promise<void> {
  const width = columnKeys.length;
  const values = rows.flatMap((row) =>
    row.length === width ? row : columnKeys.map((_, column) => row[column] ?? null),
  );
  if (values.length === 0) return;
  const { int, placedItems } = session.dialect;
  const columns = columnKeys.map((key, column) => `when ${String(column)} then ${String(key)}`);
  await session.run(
    `insert into cells (sheet_key, row_index, column_key, status, value, updated_at)
     select cast(? as ${int}), cast(? as ${int}) + place / ${String(width)},
       case place % ${String(width)} ${columns.join(' ')} end, 'input', value, cast(? as ${int})
     from ${placedItems('?')} where value is not null`,
    [sheetKey, firstRow, Date.now(), JSON.stringify(values)],
  );
}
