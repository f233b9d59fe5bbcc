import { pageSize, type GridPage } from '../../../protocol/grid-cells.ts';
import { t } from '../../common/language.ts';
import type { PageStore } from './store.ts';

/** Time, as the page sees it; replaced in tests. */
export interface Clock {
  now(): number;
  /** Runs `action` later; the returned function calls it off. */
  after(ms: number, action: () => void): () => void;
}

export interface PageFailure {
  readonly message: string;
  readonly hint: string | undefined;
  /** The user stopped it, nothing went wrong. */
  readonly isStopped: boolean;
}

export interface PageWindowOptions {
  readonly store: PageStore;
  readonly clock: Clock;
  readonly ask: (page: number, generation: number, signal: AbortSignal) => Promise<GridPage>;
  readonly explain: (error: unknown) => { readonly message: string; readonly hint?: string };
  /** A page came, failed, was asked for or given up; without a number: several. */
  readonly changed: (page?: number) => void;
  /** Pages that stay in memory whatever else happens: the cursor's, the edit's. */
  readonly alsoKeep: () => readonly number[];
}

/** Longer where frames are slow: twice the time from one movement to the next. */
const settleMs = { least: 80, most: 300 };
/** Movement within this time of the last one goes on; after it, it begins anew. */
const rushMs = 250;
/** Above two pages in 100 ms only skeletons are drawn. */
const fastPagesPerMs = 2 / 100;

interface Flight {
  readonly controller: AbortController;
  readonly since: number;
}

/**
 * Decides which pages to ask for: those on screen and one ahead in the direction of scrolling, at
 * most two at a time; while the view rushes by, none until it settles. Requests for pages no
 * longer wanted are aborted.
 */
export class PageWindow {
  readonly #options: PageWindowOptions;
  readonly #flights = new Map<number, Flight>();
  readonly #failures = new Map<number, PageFailure>();
  #first = 0;
  #last = -1;
  #rowCount = 0;
  #direction: -1 | 1 = 1;
  #movedAt = -Infinity;
  #isFast = false;
  #callOff: (() => void) | undefined;

  constructor(options: PageWindowOptions) {
    this.#options = options;
  }

  /** The rows on screen, both ends included, and how many rows there are. */
  move(firstRow: number, lastRow: number, rowCount: number): void {
    const now = this.#options.clock.now();
    const rows = firstRow - this.#first;
    const sinceMs = now - this.#movedAt;
    const pagesPerMs = Math.abs(rows) / pageSize / Math.max(1, sinceMs);
    if (rows !== 0) this.#direction = rows > 0 ? 1 : -1;
    // A single far jump is not rushing; only movement that follows movement is.
    this.#isFast = rows !== 0 && sinceMs < rushMs && pagesPerMs > fastPagesPerMs;
    if (rows !== 0) this.#movedAt = now;
    this.#first = firstRow;
    this.#last = lastRow;
    this.#rowCount = rowCount;
    if (!this.#isFast) {
      this.#fetch();
      return;
    }
    this.#giveUp((page) => !this.#wanted().includes(page));
    this.#callOff?.();
    const settle = Math.min(settleMs.most, Math.max(settleMs.least, 2 * sinceMs));
    this.#callOff = this.#options.clock.after(settle, () => {
      this.#isFast = false;
      this.#fetch();
    });
  }

  /** Everything asked for earlier is of no use any more. */
  reset(): void {
    this.#giveUp(() => true);
    this.#failures.clear();
    this.#fetch();
  }

  retry(page: number): void {
    this.#failures.delete(page);
    this.#fetch();
    this.#options.changed();
  }

  retryAll(): void {
    this.#failures.clear();
    this.#fetch();
    this.#options.changed();
  }

  /** The user does not want to wait for this page. */
  stop(page: number): void {
    this.#flights.get(page)?.controller.abort();
    this.#flights.delete(page);
    this.#failures.set(page, {
      message: t('Loading was stopped.'),
      hint: undefined,
      isStopped: true,
    });
    this.#options.changed();
  }

  failure(page: number): PageFailure | undefined {
    return this.#failures.get(page);
  }

  failuresInView(): readonly (readonly [number, PageFailure])[] {
    return [...this.#failures].filter(([page]) => this.#isVisible(page));
  }

  /** The page on screen that has been waited for longest. */
  waiting(): { readonly page: number; readonly ms: number } | undefined {
    const now = this.#options.clock.now();
    const waits = [...this.#flights]
      .filter(([page]) => this.#isVisible(page))
      .map(([page, { since }]) => ({ page, ms: now - since }));
    return waits.sort((a, b) => b.ms - a.ms)[0];
  }

  close(): void {
    this.#callOff?.();
    this.#giveUp(() => true);
  }

  #isVisible(page: number): boolean {
    return page >= Math.floor(this.#first / pageSize) && page <= Math.floor(this.#last / pageSize);
  }

  /** Pages on screen in the direction of movement, then the one ahead. */
  #wanted(): readonly number[] {
    if (this.#last < this.#first || this.#rowCount === 0) return [];
    const lastPage = Math.floor((this.#rowCount - 1) / pageSize);
    const pages: number[] = [];
    const from = Math.floor(this.#first / pageSize);
    const to = Math.min(lastPage, Math.floor(this.#last / pageSize));
    for (let page = from; page <= to; page++) pages.push(page);
    if (this.#direction === -1) pages.reverse();
    const ahead = this.#direction === 1 ? to + 1 : from - 1;
    if (ahead >= 0 && ahead <= lastPage) pages.push(ahead);
    return pages;
  }

  #fetch(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const wanted = this.#wanted();
    this.#giveUp((page) => !wanted.includes(page));
    for (const page of wanted) {
      if (this.#flights.size >= 2) return;
      if (this.#flights.has(page) || this.#failures.has(page)) continue;
      if (!this.#options.store.isFresh(page)) void this.#ask(page);
    }
  }

  async #ask(page: number): Promise<void> {
    const { store, clock, ask, explain, changed, alsoKeep } = this.#options;
    const controller = new AbortController();
    const flight = { controller, since: clock.now() };
    this.#flights.set(page, flight);
    const isCurrent = (): boolean => this.#flights.get(page) === flight;
    try {
      const got = await ask(page, store.generation, controller.signal);
      if (!isCurrent()) return;
      this.#flights.delete(page);
      const kept = new Set([...this.#wanted(), ...alsoKeep()]);
      if (!store.put(got, (number) => kept.has(number))) {
        // The sheet moved on while this was on its way: its `sheet` event asks again.
        return;
      }
    } catch (error) {
      if (!isCurrent()) return;
      this.#flights.delete(page);
      const { message, hint } = explain(error);
      this.#failures.set(page, { message, hint, isStopped: false });
    }
    changed(page);
    if (!this.#isFast) this.#fetch();
  }

  #giveUp(isUnwanted: (page: number) => boolean): void {
    for (const [page, { controller }] of this.#flights) {
      if (!isUnwanted(page)) continue;
      this.#flights.delete(page);
      controller.abort();
    }
  }
}
