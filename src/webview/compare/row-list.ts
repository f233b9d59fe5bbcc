import { pageSize } from '../../protocol/grid-cells.ts';
import type { ListedRow, RowFilter, VerdictCounts } from '../../protocol/compare.ts';

const fits = (row: ListedRow, filter: RowFilter): boolean =>
  filter === 'all' || (filter === 'different' ? !row.isSame : row.verdict === null);

/**
 * Rows of the sheet as far as they have been looked at, page by page, and which of them a filter
 * leaves. Without a filter rows are listed that nobody has looked at yet.
 */
export class RowList {
  readonly rowCount: number;
  readonly #load: (page: number) => Promise<readonly ListedRow[]>;
  readonly #pages = new Map<number, ListedRow[]>();
  readonly #loading = new Map<number, Promise<readonly ListedRow[]>>();
  #filter: RowFilter = 'all';
  #listed: number[] = [];
  #looked = 0;
  #nextPage = 0;
  /** Decided a moment ago: it stays, so that one can come back to it. */
  #held: number | undefined;

  constructor(rowCount: number, load: (page: number) => Promise<readonly ListedRow[]>) {
    this.rowCount = rowCount;
    this.#load = load;
  }

  get filter(): RowFilter {
    return this.#filter;
  }

  get pageCount(): number {
    return Math.ceil(this.rowCount / pageSize);
  }

  /** How many rows have been looked at. */
  get looked(): number {
    return this.#looked;
  }

  get isWhole(): boolean {
    return this.#pages.size === this.pageCount;
  }

  /** How many rows are listed. */
  get length(): number {
    return this.#filter === 'all' ? this.rowCount : this.#listed.length;
  }

  /** Position in the sheet of a listed row. */
  positionAt(index: number): number | undefined {
    if (this.#filter === 'all') return index < this.rowCount ? index : undefined;
    return this.#listed[index];
  }

  /** Place in the list, or where it would be. */
  indexOf(position: number): number {
    if (this.#filter === 'all') return position;
    const at = this.#listed.findIndex((one) => one >= position);
    return at < 0 ? this.#listed.length : at;
  }

  at(position: number): ListedRow | undefined {
    return this.#pages.get(Math.floor(position / pageSize))?.[position % pageSize];
  }

  choose(filter: RowFilter): void {
    this.#filter = filter;
    this.#held = undefined;
    this.#sift();
  }

  /** Looks at the rows of a page. */
  async look(page: number): Promise<void> {
    if (page < 0 || page >= this.pageCount || this.#pages.has(page)) return;
    const loading = this.#loading.get(page) ?? this.#load(page);
    this.#loading.set(page, loading);
    try {
      const rows = [...(await loading)];
      // Somebody else who waited for it has come first.
      if (this.#pages.has(page)) return;
      this.#pages.set(page, rows);
      this.#looked += rows.length;
      const isLast = (this.#listed.at(-1) ?? -1) < page * pageSize;
      if (isLast) this.#listed.push(...this.#fittingIn(page));
      else this.#sift();
    } finally {
      this.#loading.delete(page);
    }
  }

  /** The first page that has not been looked at. */
  get nextPage(): number | undefined {
    while (this.#pages.has(this.#nextPage)) this.#nextPage += 1;
    return this.#nextPage < this.pageCount ? this.#nextPage : undefined;
  }

  /** The next row that is listed, looking at rows on the way; undefined: there is none. */
  async step(from: number, by: 1 | -1, signal: AbortSignal): Promise<number | undefined> {
    for (let at = from + by; at >= 0 && at < this.rowCount; at += by) {
      if (this.#filter === 'all') return at;
      // One page after the other: a match nearby is looked for before one far away.
      if (this.at(at) === undefined) await this.look(Math.floor(at / pageSize));
      signal.throwIfAborted();
      const row = this.at(at);
      if (row !== undefined && fits(row, this.#filter)) return at;
    }
    return undefined;
  }

  decide(position: number, verdict: ListedRow['verdict']): void {
    const page = this.#pages.get(Math.floor(position / pageSize));
    const row = page?.[position % pageSize];
    if (page === undefined || row === undefined) return;
    page[position % pageSize] = { ...row, verdict };
    this.#held = position;
    this.#sift();
  }

  /** By the rows that there are; undefined while some of them have not been looked at. */
  get counts(): VerdictCounts | undefined {
    if (!this.isWhole) return undefined;
    const counts = { left: 0, right: 0, tie: 0 };
    for (const rows of this.#pages.values()) {
      for (const { verdict } of rows) if (verdict !== null) counts[verdict] += 1;
    }
    return counts;
  }

  #fittingIn(page: number): readonly number[] {
    if (this.#filter === 'all') return [];
    return (this.#pages.get(page) ?? []).flatMap((row, at) => {
      const position = page * pageSize + at;
      return fits(row, this.#filter) || position === this.#held ? [position] : [];
    });
  }

  #sift(): void {
    const pages = [...this.#pages.keys()].sort((a, b) => a - b);
    this.#listed = pages.flatMap((page) => this.#fittingIn(page));
  }
}
