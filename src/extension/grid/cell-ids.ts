import type { Row } from '../../api/row.ts';
import type { CellAddress } from '../../protocol/grid.ts';

/**
 * Ids of the cells seen last. Ids are longer than most previews, so they are kept for a few pages
 * only; the others are asked for again when they are needed.
 */
export class CellIds {
  readonly #limit: number;
  readonly #pages = new Map<number, ReadonlyMap<number, ReadonlyMap<string, string>>>();

  constructor(limit = 8) {
    this.#limit = limit;
  }

  learn(page: number, rows: readonly Row[]): void {
    const ids = rows.map(
      ({ row_index: rowIndex, cells }): [number, ReadonlyMap<string, string>] => [
        rowIndex,
        new Map(Object.entries(cells).map(([columnId, cell]) => [columnId, cell.id])),
      ],
    );
    this.#pages.delete(page);
    this.#pages.set(page, new Map(ids));
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= this.#limit) break;
      this.#pages.delete(oldest);
    }
  }

  get({ columnId, rowIndex }: CellAddress): string | undefined {
    for (const page of this.#pages.values()) {
      const id = page.get(rowIndex)?.get(columnId);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  clear(): void {
    this.#pages.clear();
  }
}
