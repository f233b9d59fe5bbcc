import type { Row } from '../../../api/row.ts';
import type { CellAddress } from '../../../protocol/grid-cells.ts';

/** Flat lists: a map for each row would cost more than the ids. */
interface PageIds {
  readonly rowIndices: readonly number[];
  readonly columnIds: readonly string[];
  /** Of row after row. */
  readonly ids: readonly (string | undefined)[];
}

/**
 * Ids of the cells seen last. Ids are longer than most previews, so they are kept for a few pages
 * only; the others are asked for again when they are needed.
 */
export class CellIds {
  readonly #limit: number;
  readonly #pages = new Map<number, PageIds>();

  constructor(limit = 8) {
    this.#limit = limit;
  }

  learn(page: number, rows: readonly Row[]): void {
    const columnIds = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))];
    this.#pages.delete(page);
    this.#pages.set(page, {
      columnIds,
      rowIndices: rows.map(({ row_index: rowIndex }) => rowIndex),
      ids: rows.flatMap(({ cells }) => columnIds.map((columnId) => cells[columnId]?.id)),
    });
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= this.#limit) break;
      this.#pages.delete(oldest);
    }
  }

  get({ columnId, rowIndex }: CellAddress): string | undefined {
    for (const { rowIndices, columnIds, ids } of this.#pages.values()) {
      const row = rowIndices.indexOf(rowIndex);
      const column = columnIds.indexOf(columnId);
      if (row >= 0 && column >= 0) return ids[row * columnIds.length + column];
    }
    return undefined;
  }

  clear(): void {
    this.#pages.clear();
  }
}
