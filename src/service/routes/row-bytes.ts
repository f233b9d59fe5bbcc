import type { JsonBytes } from '../http/json-bytes.ts';
import { GAP } from '../http/json-text.ts';
import { rowDigits } from '../store/cell-id.ts';
import { CellWriter, displayJson, isLong, joined, type ShownColumn } from './cell-json.ts';
import { at, shownCell, type CellList } from './shown-cells.ts';

const around = (text: string): readonly Buffer[] =>
  text.split(GAP).map((piece) => Buffer.from(piece));

/** The bytes between the gaps of a text that is the same for many cells. */
type Pieces = readonly [Buffer, Buffer, Buffer];

function pieces(text: string): Pieces {
  const [first, second, third] = around(text);
  if (first === undefined || second === undefined || third === undefined) {
    throw new Error('A cell has lost a gap.');
  }
  return [first, second, third];
}

/** Given, and never computed: of such cells only the value differs from one to the next. */
const isPlain = (cell: CellList): boolean =>
  cell[at.status] === 'input' &&
  cell[at.display] === null &&
  cell[at.error] === null &&
  cell[at.errorMessage] === null &&
  cell[at.inputHash] === null &&
  cell[at.executionId] === null &&
  cell[at.lastComputedVersion] === null &&
  cell[at.metrics] === null;

const ROW_START = Buffer.from('{"row_index":');
const CELLS = Buffer.from(',"cells":{');
const ROW_END = Buffer.from('}}');

/** Bytes of an empty cell, about. */
export const CELL_BYTES = 512;

/**
 * Writes rows as bytes of JSON. `CellWriter` says what a cell looks like; what it writes is the same
 * for many cells but for the row and the value, and is copied from the last one.
 */
export class RowBytes {
  readonly #columns: readonly ShownColumn[];
  readonly #writer: CellWriter;
  readonly #heads: readonly Pieces[];
  /** The last plain cell, and when it was updated. */
  #plain: Pieces | undefined;
  #plainTime = 0;

  constructor(sheetId: string, columns: readonly ShownColumn[]) {
    this.#columns = columns;
    this.#writer = new CellWriter(sheetId);
    this.#heads = columns.map((column, position) => {
      const head = this.#writer.head(column, `${column.cell_prefix}${GAP}`, GAP);
      return pieces(`${position === 0 ? '' : ','}"${column.id}":${head}`);
    });
  }

  /** `cellAt`: by the position of the column. */
  write(
    out: JsonBytes,
    { row_index, created_at }: { readonly row_index: number; readonly created_at: number },
    cellAt: (position: number) => CellList | undefined,
  ): void {
    const index = Buffer.from(String(row_index));
    const digits = Buffer.from(rowDigits(row_index));
    out.bytes(ROW_START);
    out.bytes(index);
    out.bytes(CELLS);
    for (const [position, [before, between, after]] of this.#heads.entries()) {
      out.bytes(before);
      out.bytes(digits);
      out.bytes(between);
      out.bytes(index);
      out.bytes(after);
      this.#rest(out, position, cellAt(position), created_at);
    }
    out.bytes(ROW_END);
  }

  #rest(out: JsonBytes, position: number, cell: CellList | undefined, createdAt: number): void {
    const column = this.#columns[position];
    if (column === undefined) return;
    if (cell === undefined || !isPlain(cell)) {
      const rest = this.#writer.rest(column, cell && shownCell(cell), createdAt);
      if (isLong(rest)) for (const part of rest) out.text(part);
      else out.text(joined(rest));
      return;
    }
    const [before, between, after] = this.#likePlain(column, cell);
    out.bytes(before);
    out.text(displayJson(cell[at.value], null));
    out.bytes(between);
    out.text(cell[at.value] ?? 'null');
    out.bytes(after);
  }

  #likePlain(column: ShownColumn, cell: CellList): Pieces {
    if (this.#plain !== undefined && this.#plainTime === cell[at.updatedAt]) return this.#plain;
    this.#plainTime = cell[at.updatedAt];
    this.#plain = pieces(
      joined(this.#writer.rest(column, { ...shownCell(cell), display: GAP, value: GAP }, 0)),
    );
    return this.#plain;
  }
}
