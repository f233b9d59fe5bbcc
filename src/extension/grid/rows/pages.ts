import type { Row, RowsPage } from '../../../api/row.ts';
import type { GridColumn, RowOrder } from '../../../protocol/grid-sheet.ts';
import type { GridPage } from '../../../protocol/grid-cells.ts';
import { pageSize } from '../../../protocol/grid-cells.ts';
import { gridPageOf } from './grid-page.ts';
import { PageChain, rowsInPage } from './page-chain.ts';
import type { PageRequest } from './page-chain.ts';
import { Line, SharedWork } from './shared-work.ts';
import type { Spool } from './spool.ts';

export interface RowsRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly order: RowOrder;
}

export type FetchRows = (request: RowsRequest, signal: AbortSignal) => Promise<RowsPage>;

/** A page of the grid, with the sheet version that it was read at. */
export interface KeptPage {
  readonly grid: GridPage;
  readonly version: number | undefined;
}

/** The rows are no longer where the pages say: the sheet must be looked at anew. */
export class MovedRowsError extends Error {
  override readonly name = 'MovedRowsError';
  readonly code = 'outdated';
}

export interface Walk {
  readonly target: number;
  readonly reached: number;
  readonly pages: number;
}

export interface PagesOptions {
  readonly fetch: FetchRows;
  readonly order: RowOrder;
  readonly generation: number;
  readonly columns: readonly GridColumn[];
  /** Undefined when the service does not say. */
  readonly rowCount: number | undefined;
  readonly spool?: Spool;
  readonly onWalk?: (walk: Walk) => void;
  /** The service holds another number of rows than these pages were laid out for. */
  readonly onRowCount?: (rowCount: number) => void;
  readonly isInvalidCursor?: (error: unknown) => boolean;
  readonly memoryPages?: number;
  /** Whole rows as they come in. */
  readonly onRows?: (page: number, rows: readonly Row[]) => void;
  /** Cursors of an earlier generation that still lead to the same rows. */
  readonly chain?: PageChain | undefined;
}

interface ReadPage {
  /** In the order of the grid. */
  readonly rows: readonly Row[];
  readonly version: number | undefined;
}

/** A request that keeps answering too few rows must not go on for ever. */
const maxRequestsPerPage = 100;
/** Below this many steps a walk is not worth a progress display. */
const shownWalk = 3;

/**
 * Random access to the pages of a list that only cursors lead through, for one order and one
 * generation. A page whose cursor is known costs one request; another one is walked to from the
 * nearest known page or from the nearer end, and what is passed on the way is kept on disk.
 */
export class Pages {
  readonly #options: PagesOptions;
  readonly #chain: PageChain;
  /** Least recently used first. */
  readonly #memory = new Map<number, KeptPage>();
  /** First and last row index of each page seen. */
  readonly #ends = new Map<number, readonly [number, number]>();
  readonly #reading = new SharedWork<string, ReadPage>();
  readonly #walks = new Line();
  #rowCount: number | undefined;
  #isDisposed = false;

  constructor(options: PagesOptions) {
    this.#options = options;
    this.#rowCount = options.rowCount;
    this.#chain = options.chain ?? new PageChain(options.rowCount);
  }

  get generation(): number {
    return this.#options.generation;
  }

  get rowCount(): number | undefined {
    return this.#rowCount;
  }

  get chain(): PageChain {
    return this.#chain;
  }

  /** The page from memory, disk or the service. */
  async get(page: number, signal: AbortSignal): Promise<KeptPage> {
    const kept = await this.atHand(page);
    if (kept !== undefined) return kept;
    if (this.#isBeyondEnd(page)) return this.#keptOf(page, { rows: [], version: undefined });
    return this.#store(page, await this.#reach(page, signal));
  }

  /** The page from memory or disk, without asking the service. */
  async atHand(page: number): Promise<KeptPage | undefined> {
    const kept = this.inMemory(page) ?? (await this.#fromSpool(page));
    return kept && this.#remember(page, kept);
  }

  /** Pages that can be had without asking the service, in their order. */
  get loaded(): readonly number[] {
    const all = new Set([...this.#memory.keys(), ...(this.#options.spool?.pages ?? [])]);
    return [...all].sort((a, b) => a - b);
  }

  inMemory(page: number): KeptPage | undefined {
    return this.#memory.get(page);
  }

  /**
   * Reads the page anew, with whole values; also replaces what is kept of it. `keeps`: whether it is
   * kept as well where it was not: whoever passes by very many rows has no use for them later.
   */
  async read(
    page: number,
    signal: AbortSignal,
    keeps: 'all' | 'known' = 'all',
  ): Promise<readonly Row[]> {
    if (this.#isBeyondEnd(page)) return [];
    const read = await this.#reach(page, signal);
    const isKnown = this.#memory.has(page) || this.#options.spool?.has(page) === true;
    if (keeps === 'known' && !isKnown) return read.rows;
    this.#options.onRows?.(page, read.rows);
    const kept = this.#remember(page, this.#keptOf(page, read));
    // Whoever reads one page after the other is no faster than the disk: nothing piles up.
    await this.#toSpool(page, kept);
    return read.rows;
  }

  /** Reads the page anew: what it showed before (when kept) and what it shows now. */
  async refresh(
    page: number,
    signal: AbortSignal,
  ): Promise<{ readonly before: KeptPage | undefined; readonly after: KeptPage }> {
    const before = this.inMemory(page) ?? (await this.#fromSpool(page));
    return { before, after: this.#store(page, await this.#reach(page, signal)) };
  }

  /** Takes over a first page that was read with something else. */
  seed(answer: RowsPage): void {
    if (this.#rowCount === undefined || answer.items.length !== rowsInPage(0, this.#rowCount))
      return;
    this.#chain.learn({ from: 'start', page: 0, cursor: undefined }, answer.nextCursor);
    this.#noteEnds(0, answer.items);
    this.#store(0, { rows: answer.items, version: answer.version });
  }

  /** Replaces what is shown of a page without asking the service. */
  replace(page: number, kept: KeptPage): void {
    this.#remember(page, kept);
    void this.#toSpool(page, kept);
  }

  /** The page that holds a row, when it has been seen. */
  pageOfRow(rowIndex: number): number | undefined {
    for (const [page, [first, last]] of this.#ends) {
      if (rowIndex >= Math.min(first, last) && rowIndex <= Math.max(first, last)) return page;
    }
    return undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#reading.abortAll();
    this.#memory.clear();
  }

  #isBeyondEnd(page: number): boolean {
    const { pageCount } = this.#chain;
    return pageCount !== undefined && page >= pageCount && page > 0;
  }

  #keptOf(page: number, { rows, version }: ReadPage): KeptPage {
    const { columns, generation } = this.#options;
    return { grid: gridPageOf(rows, columns, { page, generation }), version };
  }

  #store(page: number, read: ReadPage): KeptPage {
    this.#options.onRows?.(page, read.rows);
    const kept = this.#keptOf(page, read);
    void this.#toSpool(page, kept);
    return this.#remember(page, kept);
  }

  #remember(page: number, kept: KeptPage): KeptPage {
    this.#memory.delete(page);
    this.#memory.set(page, kept);
    const limit = this.#options.memoryPages ?? 60;
    for (const oldest of this.#memory.keys()) {
      if (this.#memory.size <= limit) break;
      this.#memory.delete(oldest);
    }
    return kept;
  }

  async #fromSpool(page: number): Promise<KeptPage | undefined> {
    const bytes = await this.#options.spool?.get(page);
    // Our own bytes, written by this very object: there is nothing to check.
    return bytes && (JSON.parse(Buffer.from(bytes).toString('utf8')) as KeptPage);
  }

  async #toSpool(page: number, kept: KeptPage): Promise<void> {
    if (this.#isDisposed) return;
    await this.#options.spool?.put(page, Buffer.from(JSON.stringify(kept), 'utf8'));
  }

  /** Reads the page; once more from the ends when the service no longer knows a cursor. */
  async #reach(page: number, signal: AbortSignal): Promise<ReadPage> {
    try {
      return await this.#readOrWalk(page, signal);
    } catch (error) {
      if (!this.#options.isInvalidCursor?.(error)) throw error;
      return this.#readOrWalk(page, signal);
    }
  }

  /** One request when the page's cursor is known, otherwise a walk. */
  async #readOrWalk(page: number, signal: AbortSignal): Promise<ReadPage> {
    if (this.#chain.stepsTo(page).count === 1) return this.#step(page, signal);
    // One walk at a time: the next one finds the cursors that this one has collected.
    return this.#walks.run(signal, async () => {
      const pages = this.#chain.stepsTo(page).count;
      // Every step leads one page on, so a walk that is longer than planned goes nowhere.
      for (let reached = 1; reached <= pages; reached += 1) {
        signal.throwIfAborted();
        const { count } = this.#chain.stepsTo(page);
        if (pages >= shownWalk) this.#options.onWalk?.({ target: page, reached, pages });
        const read = await this.#step(page, signal);
        if (count === 1) return read;
      }
      throw new MovedRowsError('The rows of the sheet moved while they were read.');
    });
  }

  /** The next request on the way to `target`; its rows are kept when it is not yet the target. */
  async #step(target: number, signal: AbortSignal): Promise<ReadPage> {
    const request = this.#chain.nextStep(target);
    try {
      const read = await this.#reading.join(`${request.from} ${request.page}`, signal, (shared) =>
        this.#readPage(request, shared),
      );
      if (request.page !== target) {
        await this.#toSpool(request.page, this.#keptOf(request.page, read));
      }
      return read;
    } catch (error) {
      if (request.cursor !== undefined && this.#options.isInvalidCursor?.(error)) {
        // Expired, or the service ties a cursor to the page size that it was given for.
        if (request.from === 'end') this.#chain.giveUpEnd();
        else this.#chain.forget();
      }
      throw error;
    }
  }

  /** Requests until the page is full: a service may send fewer rows than it was asked for. */
  async #readPage(request: PageRequest, signal: AbortSignal): Promise<ReadPage> {
    const rowCount = this.#rowCount;
    const wanted = rowCount === undefined ? pageSize : rowsInPage(request.page, rowCount);
    const isFromEnd = request.from === 'end';
    const { order } = this.#options;
    const direction = isFromEnd ? (order === 'asc' ? 'desc' : 'asc') : order;
    const rows: Row[] = [];
    let { cursor } = request;
    let version: number | undefined;
    for (let tries = 0; tries < maxRequestsPerPage; tries += 1) {
      const limit = Math.max(1, wanted - rows.length);
      const answer = await this.#options.fetch({ cursor, limit, order: direction }, signal);
      if (this.#isDisposed) throw new MovedRowsError('The sheet was reloaded.');
      rows.push(...answer.items.slice(0, limit));
      version = answer.version ?? version;
      cursor = answer.nextCursor;
      this.#checkRowCount(answer.rowCount);
      if (rows.length >= wanted || cursor === undefined) break;
    }
    if (rowCount === undefined && cursor === undefined) {
      this.#learnRowCount(request.page * pageSize + rows.length);
    } else if (rowCount !== undefined && rows.length !== wanted) {
      this.#moved(request.page * pageSize + rows.length);
    }
    this.#chain.learn(request, cursor);
    if (isFromEnd) rows.reverse();
    this.#noteEnds(request.page, rows);
    return { rows, version };
  }

  #noteEnds(page: number, rows: readonly Row[]): void {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first && last) this.#ends.set(page, [first.row_index, last.row_index]);
  }

  #checkRowCount(rowCount: number | undefined): void {
    if (rowCount === undefined || rowCount === this.#rowCount) return;
    if (this.#rowCount === undefined) this.#learnRowCount(rowCount);
    else this.#moved(rowCount);
  }

  #learnRowCount(rowCount: number): void {
    this.#rowCount = rowCount;
    this.#chain.learnRowCount(rowCount);
    this.#options.onRowCount?.(rowCount);
  }

  #moved(rowCount: number): never {
    this.#options.onRowCount?.(rowCount);
    throw new MovedRowsError('Rows were added or deleted since the sheet was read.');
  }
}
