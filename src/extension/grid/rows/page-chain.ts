import { pageSize } from '../../../protocol/grid-cells.ts';

/** From which end of the list a page is counted, and with which cursor it is asked for. */
export interface PageRequest {
  readonly from: 'start' | 'end';
  readonly page: number;
  /** Undefined for the first page of a direction. */
  readonly cursor: string | undefined;
}

export const pageCountOf = (rowCount: number): number => Math.ceil(rowCount / pageSize);

/** Rows of a page, when the number of rows is known. */
export const rowsInPage = (page: number, rowCount: number): number =>
  Math.max(0, Math.min(pageSize, rowCount - page * pageSize));

/**
 * Which cursors are known. Cursors lead forward only, but the opposite order leads forward from
 * the last page: its first request takes as many rows as the last page has, so that pages align.
 * Both chains have no holes, so each is an array.
 */
export class PageChain {
  /** Cursor of page 0, 1, 2, ... */
  readonly #fromStart: (string | undefined)[] = [undefined];
  /** Cursor of the last page, the one before it, ... Empty when the end is of no use. */
  #fromEnd: (string | undefined)[] = [];
  #pageCount: number | undefined;

  constructor(rowCount: number | undefined) {
    if (rowCount !== undefined) this.#setRowCount(rowCount);
  }

  /** Undefined while the service has not said how many rows there are. */
  get pageCount(): number | undefined {
    return this.#pageCount;
  }

  #setRowCount(rowCount: number): void {
    this.#pageCount = pageCountOf(rowCount);
    this.#fromEnd = this.#pageCount > 0 ? [undefined] : [];
  }

  /** Rows were added after the last one: pages counted from the start stay where they are. */
  grownTo(rowCount: number): PageChain {
    const grown = new PageChain(rowCount);
    grown.#fromStart.push(...this.#fromStart.slice(1));
    return grown;
  }

  /** The number of rows was found by walking to the end. */
  learnRowCount(rowCount: number): void {
    if (this.#pageCount === undefined) this.#setRowCount(rowCount);
  }

  /** Requests that lead to the page, the last one of them for the page itself. */
  stepsTo(page: number): { readonly from: 'start' | 'end'; readonly count: number } {
    const forward = Math.max(1, page - this.#fromStart.length + 2);
    const last = this.#pageCount === undefined ? undefined : this.#pageCount - 1;
    if (last === undefined || this.#fromEnd.length === 0) return { from: 'start', count: forward };
    const backward = Math.max(1, last - page - this.#fromEnd.length + 2);
    return backward < forward
      ? { from: 'end', count: backward }
      : { from: 'start', count: forward };
  }

  /** The request for the page itself, or for the nearest page on the way to it. */
  nextStep(page: number): PageRequest {
    const { from } = this.stepsTo(page);
    if (from === 'start') {
      const reached = Math.min(page, this.#fromStart.length - 1);
      return { from, page: reached, cursor: this.#fromStart[reached] };
    }
    const last = (this.#pageCount ?? 1) - 1;
    const back = Math.min(last - page, this.#fromEnd.length - 1);
    return { from, page: last - back, cursor: this.#fromEnd[back] };
  }

  /** Records the cursor that a page's answer gave. */
  learn({ from, page }: PageRequest, nextCursor: string | undefined): void {
    if (nextCursor === undefined) return;
    const chain = from === 'start' ? this.#fromStart : this.#fromEnd;
    const next = from === 'start' ? page + 1 : (this.#pageCount ?? 0) - page;
    if (next <= chain.length) chain[next] = nextCursor;
  }

  /** The service no longer knows the cursors: begin again from the ends. */
  forget(): void {
    this.#fromStart.splice(1);
    this.#fromEnd.splice(1);
  }

  /** The opposite order did not work: only ever walk from the start. */
  giveUpEnd(): void {
    this.#fromEnd = [];
  }
}
