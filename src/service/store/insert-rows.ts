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
 * On SQLite, writes the cells of many rows with one statement: their values are one parameter, an
 * array in JSON. Binding the fields of each cell would cost as much as storing it.
 */
export async function insertInputRows(
  session: Session,
  { sheetKey, firstRow, columnKeys, rows }: InputRows,
): Promise<void> {
  if (session.dialect.name === 'postgres') {
    await insertInputs(session, sheetKey, cellsOf(firstRow, columnKeys, rows));
    return;
  }
  const width = columnKeys.length;
  const values = rows.flatMap((row) =>
    row.length === width ? row : columnKeys.map((_, column) => row[column] ?? null),
  );
  if (values.length === 0) return;
  const columns = columnKeys.map((key, column) => `when ${String(column)} then ${String(key)}`);
  await session.run(
    `insert into cells (sheet_key, row_index, column_key, status, value, updated_at)
     select ?, ? + key / ${String(width)}, case key % ${String(width)} ${columns.join(' ')} end,
       'input', value, ?
     from json_each(?) where value is not null`,
    [sheetKey, firstRow, Date.now(), JSON.stringify(values)],
  );
}

const cellsOf = (
  firstRow: number,
  columnKeys: readonly number[],
  rows: InputRows['rows'],
): InputCell[] =>
  rows.flatMap((row, offset) =>
    columnKeys.flatMap((columnKey, column) => {
      const value = row[column] ?? null;
      if (value === null) return [];
      return [{ rowIndex: firstRow + offset, columnKey, value, number: null }];
    }),
  );
