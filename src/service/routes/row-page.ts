import { readMirror } from '../engine/index.ts';
import { BYTES_PER_UNIT, JsonBytes } from '../http/json-bytes.ts';
import { GAP, JsonText } from '../http/json-text.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord, RowRecord } from '../store/records.ts';
import { TimeSlice } from '../turn.ts';
import { CELL_BYTES, RowBytes } from './row-bytes.ts';
import { at, cellList, cellLists, type CellList } from './shown-cells.ts';

export type ShownRow = Pick<RowRecord, 'row_index' | 'created_at'>;

interface SheetName {
  readonly key: number;
  readonly id: string;
}

/** So many rows are read at once when nothing is known of their size; then as many as fit. */
const FIRST_ROWS = 25;
/** Bytes that are read and written at once. */
const CHUNK = 512 * 1024;

/**
 * Rows with all their cells as JSON, in bytes. Range scans read the cells of a page, whose rows lie
 * side by side, most pages at once; values are copied as text, never parsed. With `answer`, a text that
 * has a gap for them, they are all of the answer: one piece of memory, unless they are large.
 */
export async function rowsJson(
  session: Session,
  sheet: SheetName,
  columns: readonly ColumnRecord[],
  rows: readonly ShownRow[],
  answer: JsonText = new JsonText(GAP),
): Promise<JsonText> {
  const [before, after, ...others] = answer.text.split(GAP);
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error('An answer has no place for its rows.');
  }
  const out = new JsonBytes(
    CELL_BYTES * rows.length * columns.length + BYTES_PER_UNIT * (before.length + after.length + 2),
  );
  const writer = new RowBytes(sheet.id, columns);
  const slice = new TimeSlice();
  out.text(`${before}[`);
  for (let done = 0, count = FIRST_ROWS; done < rows.length;) {
    const some = rows.slice(done, done + count);
    const grid = await readGrid(session, sheet, columns, some);
    const before = out.length;
    for (const [index, row] of some.entries()) {
      if (done + index > 0) out.text(',');
      writer.write(out, row, (position) => grid.at(index, position));
    }
    done += some.length;
    count = Math.max(1, Math.floor((CHUNK * some.length) / Math.max(1, out.length - before)));
    if (done < rows.length) await slice.rest();
  }
  out.text(`]${after}`);
  return new JsonText(out.take());
}

async function readGrid(
  session: Session,
  sheet: SheetName,
  columns: readonly ColumnRecord[],
  rows: readonly ShownRow[],
): Promise<Grid> {
  const indices = rows.map(({ row_index }) => row_index);
  const cells = await cellLists(
    session,
    'where sheet_key = ? and row_index between ? and ? order by row_index',
    [sheet.key, Math.min(...indices), Math.max(...indices)],
  );
  const grid = new Grid(columns, indices);
  for (const cell of cells) grid.put(cell);
  for (const [position, column] of columns.entries()) {
    if (column.type !== 'COMPOSITION') continue;
    const mirrored = await readMirror(session, column, indices);
    for (const [rowIndex, cell] of mirrored) grid.putAt(position, rowIndex, cellList(cell));
  }
  return grid;
}

/** Cells of a page by row and column position. */
class Grid {
  readonly #width: number;
  readonly #columnAt: Map<number, number>;
  readonly #rowAt: Map<number, number>;
  readonly #cells: (CellList | undefined)[];

  constructor(columns: readonly ColumnRecord[], indices: readonly number[]) {
    this.#width = columns.length;
    this.#columnAt = new Map(columns.map(({ key }, position) => [key, position]));
    this.#rowAt = new Map(indices.map((rowIndex, position) => [rowIndex, position]));
    this.#cells = new Array<CellList | undefined>(columns.length * indices.length);
  }

  put(cell: CellList): void {
    const column = this.#columnAt.get(cell[at.columnKey]);
    // Cells of deleted and of hidden columns are in the range too.
    if (column !== undefined) this.putAt(column, cell[at.rowIndex], cell);
  }

  putAt(column: number, rowIndex: number, cell: CellList): void {
    const row = this.#rowAt.get(rowIndex);
    if (row !== undefined) this.#cells[row * this.#width + column] = cell;
  }

  at(row: number, column: number): CellList | undefined {
    return this.#cells[row * this.#width + column];
  }
}
