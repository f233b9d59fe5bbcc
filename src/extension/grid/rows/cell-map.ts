import type { CellAddress } from '../../../protocol/grid-cells.ts';

/** Values by cell. By numbers within a column: a text as the key of each of very many costs more. */
export class CellMap<Value> {
  readonly #columns = new Map<string, Map<number, Value>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ columnId, rowIndex }: CellAddress): Value | undefined {
    return this.#columns.get(columnId)?.get(rowIndex);
  }

  has({ columnId, rowIndex }: CellAddress): boolean {
    return this.#columns.get(columnId)?.has(rowIndex) === true;
  }

  set({ columnId, rowIndex }: CellAddress, value: Value): void {
    let column = this.#columns.get(columnId);
    if (column === undefined) {
      column = new Map();
      this.#columns.set(columnId, column);
    }
    this.#size -= column.size;
    column.set(rowIndex, value);
    this.#size += column.size;
  }

  delete({ columnId, rowIndex }: CellAddress): boolean {
    const column = this.#columns.get(columnId);
    if (column?.delete(rowIndex) !== true) return false;
    this.#size -= 1;
    if (column.size === 0) this.#columns.delete(columnId);
    return true;
  }

  clear(): void {
    this.#columns.clear();
    this.#size = 0;
  }

  *values(): Generator<Value, void, undefined> {
    for (const column of this.#columns.values()) yield* column.values();
  }

  *cells(): Generator<CellAddress, void, undefined> {
    for (const [columnId, column] of this.#columns) {
      for (const rowIndex of column.keys()) yield { columnId, rowIndex };
    }
  }
}
