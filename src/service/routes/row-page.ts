import { readMirror } from '../engine/index.ts';
import { JsonParts, JsonText, LONG } from '../http/json-text.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord, RowRecord } from '../store/records.ts';
import { TimeSlice } from '../turn.ts';
import { CellWriter } from './cell-json.ts';
import { shownCells, type ShownCell } from './shown-cells.ts';

export type ShownRow = Pick<RowRecord, 'row_index' | 'created_at'>;

interface SheetName {
  readonly key: number;
  readonly id: string;
}

/** So many rows are read at once when nothing is known of their size; then as many as fit. */
const FIRST_ROWS = 25;
/** Characters that are read and written at once. */
const CHUNK = 512 * 1024;

/**
 * Rows with all their cells as JSON text. Range scans read the cells of a page, whose rows lie side
 * by side, most pages at once; values are copied as text, never parsed.
 */
export async function rowsJson(
  session: Session,
  sheet: SheetName,
  columns: readonly ColumnRecord[],
  rows: readonly ShownRow[],
): Promise<JsonText> {
  const parts = new JsonParts();
  const slice = new TimeSlice();
  parts.add('[');
  for (let at = 0, count = FIRST_ROWS; at < rows.length;) {
    const some = rows.slice(at, at + count);
    const texts = await rowTexts(session, sheet, columns, some);
    await slice.rest();
    let size = 0;
    for (const [index, text] of texts.entries()) {
      if (at + index > 0) parts.add(',');
      parts.addAll(text);
      size += text.length;
    }
    at += some.length;
    count = Math.max(1, Math.floor((CHUNK * some.length) / Math.max(1, size)));
    if (at < rows.length) await slice.rest();
  }
  parts.add(']');
  return parts.take();
}

async function rowTexts(
  session: Session,
  sheet: SheetName,
  columns: readonly ColumnRecord[],
  rows: readonly ShownRow[],
): Promise<readonly JsonText[]> {
  const indices = rows.map(({ row_index }) => row_index);
  const cells = await shownCells(
    session,
    'where sheet_key = ? and row_index between ? and ? order by row_index',
    [sheet.key, Math.min(...indices), Math.max(...indices)],
  );
  const grid = new Grid(columns, indices);
  for (const cell of cells) grid.put(cell);
  for (const [position, column] of columns.entries()) {
    if (column.type !== 'COMPOSITION') continue;
    const mirrored = await readMirror(session, column, indices);
    for (const [rowIndex, cell] of mirrored) grid.putAt(position, rowIndex, cell);
  }
  return grid.write(new CellWriter(sheet.id), columns, rows);
}

/** Cells of a page by row and column position. */
class Grid {
  readonly #width: number;
  readonly #columnAt: Map<number, number>;
  readonly #rowAt: Map<number, number>;
  readonly #cells: (ShownCell | undefined)[];

  constructor(columns: readonly ColumnRecord[], indices: readonly number[]) {
    this.#width = columns.length;
    this.#columnAt = new Map(columns.map(({ key }, position) => [key, position]));
    this.#rowAt = new Map(indices.map((rowIndex, position) => [rowIndex, position]));
    this.#cells = new Array<ShownCell | undefined>(columns.length * indices.length);
  }

  put(cell: ShownCell): void {
    const column = this.#columnAt.get(cell.column_key);
    // Cells of deleted and of hidden columns are in the range too.
    if (column !== undefined) this.putAt(column, cell.row_index, cell);
  }

  putAt(column: number, rowIndex: number, cell: ShownCell): void {
    const row = this.#rowAt.get(rowIndex);
    if (row !== undefined) this.#cells[row * this.#width + column] = cell;
  }

  write(
    writer: CellWriter,
    columns: readonly ColumnRecord[],
    rows: readonly ShownRow[],
  ): JsonText[] {
    const keys = columns.map(({ id }) => `"${id}":`);
    return rows.map(({ row_index, created_at }, row) => {
      const first = row * this.#width;
      const head = `{"row_index":${String(row_index)},"cells":{`;
      if (this.#isLong(first)) {
        const parts = new JsonParts();
        parts.add(head);
        for (const [position, column] of columns.entries()) {
          parts.add(`${position > 0 ? ',' : ''}${keys[position] ?? ''}`);
          parts.addAll(writer.json(column, row_index, this.#cells[first + position], created_at));
        }
        parts.add('}}');
        return parts.take();
      }
      const cells = columns.map(
        (column, position) =>
          `${keys[position] ?? ''}${writer.write(column, row_index, this.#cells[first + position], created_at)}`,
      );
      return new JsonText(`${head}${cells.join(',')}}}`);
    });
  }

  /** Whether a row has a long value, which is not copied. */
  #isLong(first: number): boolean {
    for (let at = first; at < first + this.#width; at += 1) {
      if ((this.#cells[at]?.value?.length ?? 0) >= LONG) return true;
    }
    return false;
  }
}
