import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import type { OperationProgress } from '../../src/protocol/grid-sheet.ts';
import {
  activePlace,
  cellAt,
  eachOnItsOwnPage,
  focusGrid,
  press,
  rowsLoaded,
  shownText,
} from './support/grid-steps.ts';
import { until } from '../support/until.ts';

const operation = (change: Partial<OperationProgress> = {}): OperationProgress => ({
  operationId: 'op-1',
  status: 'running',
  total: 1000,
  completed: 312,
  failed: 3,
  pending: 685,
  finished: false,
  ...change,
});

describe('Grid: live changes, problems and state', function () {
  this.timeout(60_000);
  let page: Page;
  const reopen = eachOnItsOwnPage((opened) => (page = opened), { focused: false });

  it('fills rows that come while the view is being resized', async () => {
    await reopen({ awaitRows: false, query: { delay: '1000' } });
    await page.locator('.rows > .skeleton').first().waitFor();
    await page.evaluate(async () => {
      const container = document.getElementById('grid')!;
      const end = performance.now() + 1600;
      for (let turn = 0; performance.now() < end; turn++) {
        container.style.height = turn % 2 === 0 ? '500px' : '520px';
        await new Promise(requestAnimationFrame);
      }
    });
    await until('every row is filled', () =>
      page.evaluate(() => document.querySelector('.rows > .skeleton') === null),
    );
  });

  it('draws once in the next frame what many messages say', async () => {
    await reopen({ query: { direct: '1' } });
    const drawn = await page.evaluate(async () => {
      const foot = document.querySelector('.status-line > .facts:last-child')!;
      let drawings = 0;
      const watch = new MutationObserver((records) => {
        drawings += records.length;
      });
      watch.observe(foot, { childList: true });
      for (let stale = 1; stale <= 20; stale++) {
        peer.operations({ statusCounts: { stale } });
        peer.sheet({ version: stale });
      }
      const atOnce = watch.takeRecords().length;
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return { atOnce, drawings, text: foot.textContent };
    });
    assert.deepEqual([drawn.atOnce, drawn.drawings], [0, 1]);
    assert.match(drawn.text, /Version 20.*20 stale/);
  });

  it('shows where an operation stands, cancels it, and says how it ended', async () => {
    await page.evaluate((each) => peer.operations({ operations: [each] }), operation());
    const bar = page.getByRole('progressbar');
    await bar.waitFor();
    assert.equal(await bar.getAttribute('aria-valuenow'), '32');
    await page.waitForTimeout(900);
    await page.evaluate(
      (each) => peer.operations({ operations: [each] }),
      operation({ completed: 512, pending: 485 }),
    );
    await page.getByText(/515 of 1,000 cells · 3 failed · \d+ cells\/s · .+ left/).waitFor();
    await page.locator('.progress-row').getByRole('button', { name: 'Cancel' }).click();
    await until('the cancellation is asked for', () =>
      page.evaluate(() => peer.of('cancelOperation').length === 1),
    );
    await page.getByText('Canceled. 42 cells kept their previous values.').waitFor();
    await page.evaluate(
      (each) => peer.operations({ operations: [each] }),
      operation({ status: 'cancelled', finished: true }),
    );
    await until('the row is gone', async () => (await page.locator('.progress-row').count()) === 0);
    await until('the end is announced', async () =>
      ((await page.locator('[role=status].visually-hidden').textContent()) ?? '').includes(
        'Run canceled',
      ),
    );
  });

  it('draws 300 changes a second in place while scrolling, without losing scroll or selection', async () => {
    await focusGrid(page);
    await press(page, 'ArrowDown', 'ArrowRight', 'ArrowRight');
    const reached = await page.evaluate(async () => {
      const scroller = document.querySelector('.scroller')!;
      for (let frame = 1; frame <= 60; frame++) {
        scroller.scrollTop = frame * 20;
        peer.cells(
          Array.from({ length: 5 }, (_, index) => ({
            rowIndex: frame + index,
            page: 0,
            place: frame + index,
            columnId: 'c2',
            text: `frame ${frame}`,
            kind: 4,
            status: 'completed',
            cut: false,
          })),
        );
        await new Promise(requestAnimationFrame);
      }
      return scroller.scrollTop;
    });
    assert.equal(reached, 1200);
    await until(
      'the last change is drawn',
      async () => (await shownText(page, 64, 2)) === 'frame 60',
    );
    await press(page, 'ArrowDown');
    assert.deepEqual(await activePlace(page), { row: 2, column: 2 });
  });

  it('tells percentiles of the rows that are loaded, and that values below zero are wrong', async () => {
    const foot = page.locator('.status-line');
    assert.equal(await foot.getByText(/p50|below zero/).count(), 0);
    const price = foot.locator('.totals', { hasText: 'Cost' });
    const latency = foot.locator('.totals', { hasText: 'Latency' });
    await page.evaluate(() => {
      const loaded = { rows: 400, median: 900, p95: 2400, negative: 0 };
      const { totals } = peer.current();
      peer.operations({
        totals: totals.map((one) =>
          one.metric === 'latency' ? { ...one, loaded } : { ...one, min: -0.5 },
        ),
      });
    });
    await latency.getByText('p50 900 ms').waitFor();
    await latency.getByText('p95 2.40 s').waitFor();
    await latency.getByText(/^400 of [\d,]+ rows loaded$/).waitFor();
    assert.equal(await latency.getByText('values below zero').count(), 0);
    await price.getByText('values below zero').waitFor();
    assert.match((await price.getAttribute('title')) ?? '', /they are included in the sum/);
  });

  it('drops changes of another generation and of rows it does not hold', async () => {
    const before = await shownText(page, 0, 2);
    await page.evaluate(() => {
      const patch = {
        rowIndex: 0,
        page: 0,
        place: 0,
        columnId: 'c2',
        text: 'no',
        kind: 4,
        status: '',
        cut: false,
      };
      peer.cells([patch], 99);
      peer.cells([{ ...patch, rowIndex: 90_000, page: 900 }]);
    });
    await page.waitForTimeout(200);
    assert.equal(await shownText(page, 0, 2), before);
  });

  it('fetches pages again when the sheet changed, and stays where it is', async () => {
    await page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 50_000));
    await rowsLoaded(page);
    const before = await page.evaluate(() => peer.of('rows').length);
    await page.evaluate(() => peer.sheet({ generation: 2, version: 18, rowCount: 100_001 }));
    await until('the pages are asked for again', () =>
      page.evaluate((count) => peer.of('rows').length > count, before),
    );
    await until(
      'the new count is told',
      async () => (await page.locator('.grid').getAttribute('aria-rowcount')) === '100002',
    );
    assert.equal(await page.evaluate(() => document.querySelector('.scroller')!.scrollTop), 50_000);
    await page.getByText('Version 18').waitFor();
  });

  it('shows a page that failed in its place, with Retry', async () => {
    await page.evaluate(() =>
      peer.fail('rows', 'The service did not answer in 30 s.', 'Check the connection.'),
    );
    await page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 500_000));
    const band = page.locator('.band');
    await band.first().waitFor();
    assert.match(
      (await band.first().textContent()) ?? '',
      /Rows [\d,]+ to [\d,]+: The service did not answer in 30 s\. Check the connection\./,
    );
    let asked = 0;
    await until(
      'those around it were asked for as well',
      async () => {
        const before = asked;
        asked = await page.evaluate(() => peer.of('rows').length);
        return asked === before;
      },
      { everyMs: 300 },
    );
    await page.waitForTimeout(500);
    assert.equal(
      await page.evaluate(() => peer.of('rows').length),
      asked,
      'does not ask again by itself',
    );
    await page.evaluate(() => peer.usual('rows'));
    // A band may go between two looks: what is there is looked for and selected in one step.
    await until('no page that failed is left', () =>
      page.evaluate(() => {
        const retry = document.querySelector<HTMLElement>('.band button');
        retry?.click();
        return retry === null;
      }),
    );
    await rowsLoaded(page);
  });

  it('shows a problem of the connection above the rows until it is over', async () => {
    await page.evaluate(() =>
      peer.emit('problem', {
        message: 'The key was refused.',
        hint: 'Set a new key.',
        retry: true,
      }),
    );
    await page.getByRole('alert').getByText('The key was refused. Set a new key.').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await until('it is tried again', () => page.evaluate(() => peer.of('reload').length === 1));
    await page.evaluate(() => peer.emit('problem', null));
    await until('it is gone', async () => (await page.getByRole('alert').count()) === 0);
  });

  it('reports and drops messages that do not fit, and goes on', async () => {
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.evaluate(() => {
      peer.raw({ nonsense: true });
      peer.raw(null);
      peer.raw({ kind: 'event', name: 'cells', payload: { generation: 'x' } });
      peer.raw({ kind: 'event', name: 'sheet', payload: { columns: 'many' } });
      peer.raw({ kind: 'event', name: 'unheard', payload: 1 });
      peer.raw({ kind: 'answer', id: 9999, result: {} });
    });
    await until('five faults are reported', async () => faults.length === 5);
    assert.match(faults.join('\n'), /“cells” isn't valid: generation/);
    assert.ok(await cellAt(page, 0, 0).isVisible());
    await page.evaluate(() => peer.answer('rows', () => ({ page: 1, rows: 'all' })));
    await page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 800_000));
    await page.locator('.band').getByText("isn't valid").first().waitFor();
  });

  it('shows why a sheet cannot be opened, and opens it on Retry', async () => {
    await reopen({ awaitRows: false, query: { refuse: '1' } });
    await page.getByText('The sheet was deleted.').waitFor();
    await page.evaluate(() => peer.usual('ready'));
    await page.getByRole('button', { name: 'Retry' }).click();
    await rowsLoaded(page);
  });

  it('comes back after a reload where it was: position, cursor, sideways scroll, details', async () => {
    await focusGrid(page);
    await page.evaluate(() => peer.ask('command', { command: 'goToRow', argument: '40000' }));
    await press(page, 'End', 'ArrowLeft', 'Control+i');
    await rowsLoaded(page);
    const place = () =>
      page.evaluate(() => {
        const { firstPosition, scrollLeft } = peer.state() as Record<string, number>;
        return { firstPosition, scrollLeft };
      });
    await until('it is kept how far it was scrolled', () =>
      page.evaluate(() => {
        const { scrollLeft = 0, firstPosition = 0 } = (peer.state() ?? {}) as Record<
          string,
          number
        >;
        const scroller = document.querySelector('.scroller')!;
        return firstPosition > 30_000 && scrollLeft > 0 && scrollLeft === scroller.scrollLeft;
      }),
    );
    const first = await place();
    await page.reload();
    await page.waitForSelector('.rows > .row:not(.skeleton)');
    await page.locator('.details').waitFor();
    await until('the cursor is back', async () => (await activePlace(page))?.row === 39_999);
    assert.deepEqual(await activePlace(page), { row: 39_999, column: 18 });
    await until('it is scrolled as far', async () => isDeepStrictEqual(await place(), first));
    assert.equal(
      await page.evaluate(() => (peer.state() as { connectionId: string }).connectionId),
      'local',
    );
    assert.ok(
      (await page.evaluate(() => (peer.of('rows')[0] as { page: number }).page)) > 300,
      'the first page asked for is the one on screen',
    );
  });

  it('marks an answer that was cut off, and tells it to those who do not see the badge', async () => {
    await page.evaluate(() => {
      const patch = { rowIndex: 0, page: 0, place: 0, columnId: 'c1', cut: false, kind: 4 };
      peer.cells([{ ...patch, text: 'Half an ans', status: 'cutOff' }]);
    });
    const cell = cellAt(page, 0, 1);
    await until('the badge is there', async () => (await cell.innerText()).includes('Cut off'));
    assert.match((await cell.getAttribute('aria-label')) ?? '', /^Cut off, Half an ans/);
  });
});

describe('Grid: details of a cell', function () {
  this.timeout(60_000);
  let page: Page;
  eachOnItsOwnPage((opened) => (page = opened));

  it('shows the whole value, its kind, metrics, execution and versions', async () => {
    await press(page, 'ArrowRight', 'ArrowRight', 'Control+i');
    const body = page.locator('.detail-body');
    await body.getByText('exec-42').waitFor();
    const text = (await body.textContent()) ?? '';
    for (const part of [
      'CODE_EXECUTION',
      '$0.000123',
      '1.23 s',
      'b3f1c0de',
      '2026-11-27T10:00:00.123456+00:00',
      'about 412',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    await press(page, 'ArrowRight');
    await until(
      'the long text is whole',
      async () => ((await body.textContent()) ?? '').length > 2000,
    );
  });

  it('shows JSON as a tree that the keyboard folds, with exact numbers', async () => {
    await page.evaluate(() => peer.ask('command', { command: 'goToColumn', argument: 'c6' }));
    await press(page, 'Control+i');
    const tree = page.getByRole('tree');
    await tree.waitFor();
    assert.ok(((await tree.textContent()) ?? '').includes('9007199254740993'));
    await tree.locator('[tabindex="0"]').focus();
    await press(page, 'ArrowLeft');
    assert.equal(
      await tree.locator('[role=treeitem]').first().getAttribute('aria-expanded'),
      'false',
    );
    await press(page, 'ArrowRight', 'ArrowDown', 'ArrowDown');
    assert.match(
      (await page.evaluate(() => document.activeElement?.textContent)) ?? '',
      /^big: 9007199254740993/,
    );
    await press(page, 'Escape');
    assert.ok(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'));
  });

  it('asks only for the cell it stops at, and shows errors with Retry', async () => {
    await press(page, 'Control+i');
    await page.locator('.detail-body').getByText('Row index').waitFor();
    await page.evaluate(() => peer.fail('cell', 'The cell could not be read.'));
    await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown');
    // A slow machine takes a moment between two keys for the stop, and shows that cell's error first.
    await until('the last cell was asked for', () =>
      page.evaluate(() => JSON.stringify(peer.of('cell').at(-1)).includes('"rowIndex":3')),
    );
    await page.locator('.detail-body').getByText('The cell could not be read.').waitFor();
    await page.evaluate(() => peer.usual('cell'));
    await page.locator('.detail-body').getByRole('button', { name: 'Retry' }).click();
    await page.locator('.detail-body').getByText('Row index').waitFor();
  });

  it('can be made wider by keyboard and keeps its size', async () => {
    await press(page, 'Control+i', 'Tab', 'ArrowLeft', 'ArrowLeft');
    await until(
      'it is wider',
      async () => ((await page.locator('.details').boundingBox())?.width ?? 0) > 400,
    );
    await until('its size is kept', () =>
      page.evaluate(
        () => ((peer.state() as { detailsSize?: number } | null)?.detailsSize ?? 0) > 400,
      ),
    );
    await page.reload();
    await page.waitForSelector('.rows > .row:not(.skeleton)');
    await until(
      'it is as wide',
      async () => ((await page.locator('.details').boundingBox())?.width ?? 0) > 400,
    );
  });

  it('opens a value in an editor and runs a cell from there', async () => {
    await press(page, 'ArrowRight', 'ArrowRight', 'Control+i');
    await page.getByRole('button', { name: 'Open value in an editor' }).click();
    await until('it is opened', () => page.evaluate(() => peer.of('openValue').length === 1));
    assert.deepEqual(await page.evaluate(() => peer.of('openValue')), [
      { columnId: 'c2', rowIndex: 0 },
    ]);
    await page.getByRole('button', { name: 'Run this cell' }).click();
    await until('it is run', () => page.evaluate(() => peer.of('run').length === 1));
  });
});
