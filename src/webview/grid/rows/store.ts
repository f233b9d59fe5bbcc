import {
  cellKinds,
  pageSize,
  type CellKind,
  type CellPatch,
  type GridPage,
} from '../../../protocol/grid-cells.ts';

/** A column's part of a page, ours to patch. */
export interface StoredColumn {
  readonly text: string[];
  readonly kind: number[];
  readonly status: string[];
  readonly cut: Set<number>;
  readonly errors: Map<number, string>;
}

export interface StoredPage {
  readonly page: number;
  readonly rowIndices: readonly number[];
  readonly columns: ReadonlyMap<string, StoredColumn>;
  /** Of an earlier generation: still drawn until its successor arrives. */
  isOld: boolean;
}

export interface StoredCell {
  readonly rowIndex: number;
  readonly kind: CellKind;
  readonly text: string;
  readonly status: string;
  readonly isCut: boolean;
  readonly error: string | undefined;
}

export interface CellPlace {
  readonly position: number;
  readonly columnId: string;
}

const missingCell = {
  kind: 'missing',
  text: '',
  status: '',
  isCut: false,
  error: undefined,
} as const;

function takeIn(page: GridPage): StoredPage {
  const columns = new Map<string, StoredColumn>();
  for (const [id, column] of Object.entries(page.columns)) {
    columns.set(id, {
      text: [...column.text],
      kind: [...column.kind],
      status: column.status.map((index) => page.statuses[index] ?? ''),
      cut: new Set(column.cut),
      errors: new Map(Object.entries(column.errors).map(([place, text]) => [Number(place), text])),
    });
  }
  return { page: page.page, rowIndices: page.rowIndices, columns, isOld: false };
}

/** The pages in memory: a bounded number, least recently looked at dropped first. */
export class PageStore {
  generation = 0;
  readonly #capacity: number;
  readonly #pages = new Map<number, StoredPage>();

  constructor(capacity = 40) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#pages.size;
  }

  /** A page to draw, possibly an old one. Counts as looking at it. */
  page(number: number): StoredPage | undefined {
    const found = this.#pages.get(number);
    if (found === undefined) return undefined;
    this.#pages.delete(number);
    this.#pages.set(number, found);
    return found;
  }

  isFresh(number: number): boolean {
    return this.#pages.get(number)?.isOld === false;
  }

  /** Takes a page unless it is of another generation. `keep`: pages that must not be dropped. */
  put(page: GridPage, keep: (page: number) => boolean): boolean {
    if (page.generation !== this.generation) return false;
    this.#pages.delete(page.page);
    this.#pages.set(page.page, takeIn(page));
    for (const number of this.#pages.keys()) {
      if (this.#pages.size <= this.#capacity) break;
      if (!keep(number) && number !== page.page) this.#pages.delete(number);
    }
    return true;
  }

  /** Pages of the earlier generation stay drawable while their successors are fetched. */
  renew(generation: number, options: { keepDrawing: boolean }): void {
    this.generation = generation;
    if (!options.keepDrawing) this.#pages.clear();
    for (const page of this.#pages.values()) page.isOld = true;
  }

  rowIndex(position: number): number | undefined {
    return this.#pages.get(Math.floor(position / pageSize))?.rowIndices[position % pageSize];
  }

  /** Position of a row among the pages in memory; those of an earlier state know it no better. */
  position(rowIndex: number): number | undefined {
    let old: number | undefined;
    for (const { page, rowIndices, isOld } of this.#pages.values()) {
      const place = rowIndices.indexOf(rowIndex);
      if (place < 0) continue;
      if (!isOld) return page * pageSize + place;
      old ??= page * pageSize + place;
    }
    return old;
  }

  cell({ position, columnId }: CellPlace): StoredCell | undefined {
    const page = this.#pages.get(Math.floor(position / pageSize));
    const place = position % pageSize;
    const rowIndex = page?.rowIndices[place];
    if (page === undefined || rowIndex === undefined) return undefined;
    const column = page.columns.get(columnId);
    if (column === undefined) return { rowIndex, ...missingCell };
    return {
      rowIndex,
      kind: cellKinds[column.kind[place] ?? 0] ?? 'missing',
      text: column.text[place] ?? '',
      status: column.status[place] ?? '',
      isCut: column.cut.has(place),
      error: column.errors.get(place),
    };
  }

  /** Writes a change into the page that holds the row. Returns its position, if it is in memory. */
  patch(change: CellPatch): number | undefined {
    let page = this.#pages.get(change.page);
    let place = change.place;
    if (page?.rowIndices[place] !== change.rowIndex) {
      const position = this.position(change.rowIndex);
      if (position === undefined) return undefined;
      page = this.#pages.get(Math.floor(position / pageSize));
      place = position % pageSize;
    }
    const column = page?.columns.get(change.columnId);
    if (page === undefined || column === undefined) return undefined;
    column.text[place] = change.text;
    column.kind[place] = change.kind;
    column.status[place] = change.status;
    if (change.cut) column.cut.add(place);
    else column.cut.delete(place);
    if (change.error === undefined) column.errors.delete(place);
    else column.errors.set(place, change.error);
    return page.page * pageSize + place;
  }

  /** Rows known to exist when the service has not said how many there are. */
  knownRows(): { readonly rows: number; readonly isEnd: boolean } {
    let rows = 0;
    let isEnd = false;
    for (const { page, rowIndices } of this.#pages.values()) {
      const end = page * pageSize + rowIndices.length;
      if (end >= rows) {
        rows = end;
        isEnd = rowIndices.length < pageSize;
      }
    }
    return { rows, isEnd };
  }
}
