import assert from 'node:assert/strict';
import type { GridPage } from '../../../src/protocol/grid-cells.ts';
import { PageStore } from '../../../src/webview/grid/rows/store.ts';
import { PageWindow, type Clock } from '../../../src/webview/grid/rows/window.ts';

class FakeClock implements Clock {
  #now = 0;
  #timers: { readonly at: number; readonly action: () => void }[] = [];
  now(): number {
    return this.#now;
  }
  after(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }
  pass(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { action } of due) action();
  }
}

const pageOf = (page: number, generation: number): GridPage => ({
  page,
  generation,
  rowIndices: Array.from({ length: 100 }, (_, place) => page * 100 + place),
  statuses: [''],
  columns: {},
});

interface Asked {
  readonly page: number;
  readonly signal: AbortSignal;
  readonly answer: () => Promise<void>;
  readonly refuse: (error: Error) => Promise<void>;
}

function start(): { clock: FakeClock; store: PageStore; asked: Asked[]; pages: PageWindow } {
  const clock = new FakeClock();
  const store = new PageStore(5);
  const asked: Asked[] = [];
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const pages = new PageWindow({
    store,
    clock,
    ask: (page, generation, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        asked.push({
          page,
          signal,
          answer: () => {
            resolve(pageOf(page, generation));
            return settled();
          },
          refuse: (error) => {
            reject(error);
            return settled();
          },
        });
      }),
    explain: (error) => ({ message: (error as Error).message }),
    changed: () => undefined,
    alsoKeep: () => [],
  });
  return { clock, store, asked, pages };
}

const numbers = (asked: readonly Asked[]): number[] => asked.map(({ page }) => page);

describe('Which pages are asked for', () => {
  it('asks for those on screen and one ahead, two at a time', async () => {
    const { asked, pages } = start();
    pages.move(90, 120, 10_000);
    assert.deepEqual(numbers(asked), [0, 1]);
    await asked[0]!.answer();
    assert.deepEqual(numbers(asked), [0, 1, 2]);
    await asked[1]!.answer();
    await asked[2]!.answer();
    assert.equal(asked.length, 3);
  });

  it('asks for the page before when scrolling up', async () => {
    const { clock, asked, pages } = start();
    pages.move(950, 980, 10_000);
    for (const each of [...asked]) await each.answer();
    clock.pass(1000);
    pages.move(920, 950, 10_000);
    assert.equal(numbers(asked).at(-1), 8);
  });

  it('asks for nothing while rushing by, and for what is on screen once it settles', () => {
    const { clock, asked, pages } = start();
    pages.move(0, 30, 100_000);
    asked.length = 0;
    for (let step = 1; step <= 10; step++) {
      clock.pass(16);
      pages.move(step * 2000, step * 2000 + 30, 100_000);
    }
    // The first step could have been a single jump; what it asked for is given up again.
    assert.deepEqual(numbers(asked), [20, 21]);
    assert.ok(asked.every(({ signal }) => signal.aborted));
    clock.pass(80);
    assert.deepEqual(numbers(asked).slice(2), [200, 201]);
  });

  it('takes a single far jump at once', () => {
    const { clock, asked, pages } = start();
    pages.move(0, 30, 100_000);
    clock.pass(500);
    pages.move(90_000, 90_030, 100_000);
    assert.ok(numbers(asked).includes(900));
  });

  it('aborts what is no longer wanted', () => {
    const { clock, asked, pages } = start();
    pages.move(0, 30, 100_000);
    clock.pass(500);
    pages.move(50_000, 50_030, 100_000);
    assert.ok(asked[0]!.signal.aborted);
    assert.ok(!asked.at(-1)!.signal.aborted);
  });

  it('keeps a failure until it is retried, and does not ask again by itself', async () => {
    const { clock, asked, pages } = start();
    pages.move(0, 30, 100);
    await asked[0]!.refuse(new Error('no answer'));
    assert.equal(pages.failure(0)?.message, 'no answer');
    clock.pass(10_000);
    pages.move(1, 31, 100);
    assert.equal(asked.length, 1);
    pages.retry(0);
    assert.equal(asked.length, 2);
    await asked[1]!.answer();
    assert.equal(pages.failure(0), undefined);
  });

  it('drops an answer of another generation and asks again after a reset', async () => {
    const { store, asked, pages } = start();
    pages.move(0, 30, 100);
    store.renew(7, { keepDrawing: true });
    pages.reset();
    assert.ok(asked[0]!.signal.aborted);
    await asked[1]!.answer();
    assert.ok(store.isFresh(0));
  });

  it('tells how long the page on screen has been waited for, and stops waiting', () => {
    const { clock, asked, pages } = start();
    pages.move(0, 30, 10_000);
    clock.pass(400);
    assert.deepEqual(pages.waiting(), { page: 0, ms: 400 });
    pages.stop(0);
    assert.ok(asked[0]!.signal.aborted);
    assert.equal(pages.failure(0)?.isStopped, true);
  });
});

describe('Pages in memory', () => {
  it('stay within their number, least recently seen dropped first, the kept ones never', () => {
    const store = new PageStore(5);
    for (let page = 0; page < 5; page++) store.put(pageOf(page, 0), () => false);
    store.page(0);
    store.put(pageOf(9, 0), (page) => page === 1);
    assert.equal(store.size, 5);
    assert.equal(store.isFresh(0), true);
    assert.equal(store.isFresh(1), true);
    assert.equal(store.isFresh(2), false);
  });

  it('stay drawable over a new generation until their successors come', () => {
    const store = new PageStore(5);
    store.put(pageOf(0, 0), () => false);
    store.renew(1, { keepDrawing: true });
    assert.equal(store.rowIndex(5), 5);
    assert.equal(store.isFresh(0), false);
    assert.equal(
      store.put(pageOf(0, 0), () => false),
      false,
    );
    store.renew(2, { keepDrawing: false });
    assert.equal(store.rowIndex(5), undefined);
  });

  it('takes a change by the row, also when the row has moved to another place', () => {
    const store = new PageStore(5);
    const column = { text: ['a', 'b'], kind: [4, 4], status: [0, 0], cut: [], errors: {} };
    store.put(
      { page: 3, generation: 0, rowIndices: [70, 71], statuses: [''], columns: { c: column } },
      () => false,
    );
    const change = {
      rowIndex: 71,
      page: 0,
      place: 9,
      columnId: 'c',
      text: 'new',
      kind: 4,
      status: 'stale',
      cut: true,
    };
    assert.equal(store.patch(change), 301);
    assert.deepEqual(store.cell({ position: 301, columnId: 'c' }), {
      rowIndex: 71,
      kind: 'text',
      text: 'new',
      status: 'stale',
      isCut: true,
      error: undefined,
    });
    assert.equal(column.text[1], 'b', 'the message itself is left alone');
    assert.equal(store.patch({ ...change, rowIndex: 99 }), undefined);
    assert.deepEqual(store.cell({ position: 300, columnId: 'gone' })?.kind, 'missing');
  });
});
