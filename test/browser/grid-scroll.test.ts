import assert from 'node:assert/strict';
import { startGridPages, type GridPages } from './support/grid-page.ts';
import { cellAt, focusGrid, noFaults, press, rowsLoaded, shownText } from './support/grid-steps.ts';
import { until } from '../support/until.ts';

describe('Grid: scrolling', function () {
  this.timeout(60_000);
  let pages: GridPages;
  before(async () => {
    pages = await startGridPages();
  });
  after(() => pages.close());

  it('shows the first rows with one or two requests, and asks for no more than it needs', async () => {
    const page = await pages.open();
    assert.match((await shownText(page, 0, 0)) ?? '', /^How do I get my \w+ 0\?$/);
    const asked = await page.evaluate(() => peer.of('rows').length);
    assert.ok(asked <= 2, `${asked} requests`);
    await noFaults(page);
    await pages.done(page);
  });

  it('keeps a bounded number of elements and pages over 100,000 rows of 20 columns', async () => {
    const page = await pages.open();
    for (let step = 1; step <= 60; step++) {
      await page.evaluate(
        (top) => (document.querySelector('.scroller')!.scrollTop = top),
        step * 40_000,
      );
      if (step % 10 === 0) await rowsLoaded(page);
    }
    await rowsLoaded(page);
    const elements = await page.evaluate(() => document.querySelectorAll('.rows *').length);
    assert.ok(elements < 2500, `${elements} elements`);
    const heap = await page.evaluate(() => {
      const { memory } = performance as unknown as { memory?: { usedJSHeapSize: number } };
      return (memory?.usedJSHeapSize ?? 0) / 1048576;
    });
    assert.ok(heap < 150, `${heap.toFixed(0)} MB`);
    await noFaults(page);
    await pages.done(page);
  });

  it('reaches the last of 1,000,000 rows and returns to the first', async () => {
    const page = await pages.open({ rows: 1_000_000 });
    await focusGrid(page);
    await press(page, 'Control+End');
    await rowsLoaded(page);
    assert.equal(await cellAt(page, 999_999, -1).textContent(), '1000000');
    assert.ok(await cellAt(page, 999_999, -1).isVisible());
    assert.match((await shownText(page, 999_999, 19)) ?? '', /^v\d+$/);
    await press(page, 'Control+Home');
    await rowsLoaded(page);
    assert.ok(await cellAt(page, 0, 0).isVisible());
    await pages.done(page);
  });

  it('reaches the last row by the scrollbar alone', async () => {
    const page = await pages.open({ rows: 1_000_000 });
    await page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 1e9));
    await rowsLoaded(page);
    assert.ok(await cellAt(page, 999_999, 0).isVisible());
    await pages.done(page);
  });

  it('scrolls one to one by the wheel, also where the scrollbar stands for more', async () => {
    const page = await pages.open({ rows: 1_000_000 });
    await page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 4_000_000));
    await rowsLoaded(page);
    const first = (): Promise<number> =>
      page.evaluate(() => {
        const box = document.querySelector('.scroller')!.getBoundingClientRect();
        const element = document.elementFromPoint(box.left + 10, box.top + 45);
        return Number(element?.closest('.row')?.getAttribute('aria-rowindex'));
      });
    await page.waitForTimeout(300);
    const before = await first();
    await page.mouse.move(500, 400);
    for (let turn = 0; turn < 10; turn++) {
      await page.mouse.wheel(0, 100);
      await page.waitForTimeout(30);
    }
    const moved = async (): Promise<number> => (await first()) - before;
    await until('1,000 pixels are scrolled', async () => (await moved()) > 33);
    await rowsLoaded(page);
    const rows = await moved();
    assert.ok(rows > 33 && rows < 41, `moved ${rows} rows by 1,000 pixels`);
    await pages.done(page);
  });

  it('draws placeholders while rushing by, and asks once when it settles', async () => {
    const page = await pages.open({ query: { delay: '30' } });
    const before = await page.evaluate(() => peer.of('rows').length);
    const stops = await page.evaluate(async () => {
      const scroller = document.querySelector('.scroller')!;
      let last = performance.now();
      let stopped = 0;
      for (let frame = 1; frame <= 60; frame++) {
        scroller.scrollTop = frame * 30_000;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        // Where this machine took its time, it has settled there.
        if (now - last > 40) stopped += 1;
        last = now;
      }
      return stopped;
    });
    await rowsLoaded(page);
    const asked = (await page.evaluate(() => peer.of('rows').length)) - before;
    assert.ok(
      asked <= 8 + 3 * stops,
      `${asked} requests for 60 frames over 60 × 11 pages, with ${stops} stops`,
    );
    await noFaults(page);
    await pages.done(page);
  });

  it('aborts requests for pages that are no longer wanted', async () => {
    const page = await pages.open();
    await page.evaluate(() => {
      peer.answer(
        'rows',
        (_, signal) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('aborted'))),
          ),
      );
    });
    const before = await page.evaluate(() => peer.of('rows').length);
    await page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 500_000));
    await until('the page is asked for', () =>
      page.evaluate((count) => peer.of('rows').length > count, before),
    );
    await page.evaluate(() => {
      peer.usual('rows');
      document.querySelector('.scroller')!.scrollTop = 1_500_000;
    });
    await until('the old request is aborted', () => page.evaluate(() => peer.aborted.length > 0));
    await rowsLoaded(page);
    await pages.done(page);
  });

  it('says how far the walk to a far page is, and stops it on Cancel', async () => {
    const page = await pages.open({ rows: 1_000_000 });
    await page.evaluate(() => {
      peer.answer('rows', (params, signal) => {
        peer.emit('walk', { target: (params as { page: number }).page, reached: 312, pages: 1000 });
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      });
    });
    await focusGrid(page);
    await press(page, 'Control+End');
    const note = page.locator('.walk-note');
    await note.waitFor();
    await until('the note counts pages', async () =>
      /page 312 of 1,000/.test((await note.textContent()) ?? ''),
    );
    await until(
      'places of rows are drawn',
      async () => (await page.locator('.row.skeleton').count()) > 10,
    );
    await note.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.band').waitFor();
    assert.match((await page.locator('.band').textContent()) ?? '', /Loading was stopped/);
    assert.ok(await page.evaluate(() => peer.aborted.length > 0));
    await page.evaluate(() => peer.usual('rows'));
    await page.getByRole('button', { name: 'Load these rows' }).click();
    await rowsLoaded(page);
    await pages.done(page);
  });

  it('tells the extension which pages are on screen', async () => {
    const page = await pages.open();
    await page.evaluate(() => peer.ask('command', { command: 'goToRow', argument: '5020' }));
    await until('the pages are told', () =>
      page.evaluate(() => {
        const last = peer.reported('visiblePages').at(-1) as
          { first: number; last: number } | undefined;
        return last !== undefined && last.first >= 49 && last.last === 50;
      }),
    );
    await pages.done(page);
  });

  it('grows as pages come while the number of rows is unknown', async () => {
    const page = await pages.open({ rows: 'unknown', query: { endRows: '250' } });
    assert.equal(await page.locator('.grid').getAttribute('aria-rowcount'), '-1');
    await focusGrid(page);
    for (let turn = 0; turn < 6; turn++) {
      await press(page, 'Control+End');
      await rowsLoaded(page);
    }
    await until(
      'the end is known',
      async () => (await page.locator('.grid').getAttribute('aria-rowcount')) === '251',
    );
    await press(page, 'Control+End');
    await until('the last row is shown', () => cellAt(page, 249, 19).isVisible());
    await noFaults(page);
    await pages.done(page);
  });

  it('draws only the columns in view of a hundred', async () => {
    const page = await pages.open({ query: { columns: '100' } });
    assert.ok((await page.locator('.row[aria-rowindex="2"] > .cell').count()) < 12);
    await focusGrid(page);
    await press(page, 'End');
    await cellAt(page, 0, 99).waitFor();
    await cellAt(page, 0, 0).waitFor({ state: 'detached' });
    const order = await page.$$eval('.row[aria-rowindex="2"] > .cell', (cells) =>
      cells.map((cell) => Number(cell.getAttribute('aria-colindex'))),
    );
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    await pages.done(page);
  });

  it('keeps rows in the order of the page after scrolling both ways', async () => {
    const page = await pages.open();
    for (const top of [300, 900, 700, 5000, 4800, 0, 120]) {
      await page.evaluate((to) => (document.querySelector('.scroller')!.scrollTop = to), top);
      await rowsLoaded(page);
      const rows = await page.$$eval('.rows > .row', (all) =>
        all.map((row) => Number(row.getAttribute('aria-rowindex'))),
      );
      assert.deepEqual(
        rows,
        rows.map((_, index) => rows[0]! + index),
      );
    }
    await pages.done(page);
  });
});

describe('Grid: scrolling with two device pixels per pixel', function () {
  this.timeout(60_000);
  it('reaches the last of 1,000,000 rows', async () => {
    const pages = await startGridPages(['--force-device-scale-factor=2', '--window-size=1320,900']);
    try {
      const page = await pages.open({ rows: 1_000_000 });
      assert.equal(await page.evaluate(() => devicePixelRatio), 2);
      await page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 1e9));
      await rowsLoaded(page);
      await cellAt(page, 999_999, 0).waitFor();
      await noFaults(page);
    } finally {
      await pages.close();
    }
  });
});
