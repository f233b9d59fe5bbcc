import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startGridPages, type GridPages } from './support/grid-page.ts';
import { canBeReadByEverybody } from './support/page-link.ts';
import { cellAt, focusGrid, noFaults, press, shownText } from './support/grid-steps.ts';
import { until } from '../support/until.ts';

/** Everything at once: progress, details, an edit in conflict, a notice. */
async function fillView(page: Page): Promise<void> {
  await page.evaluate(() => {
    const loaded = { rows: 400, median: 900, p95: 2400, negative: 1 };
    peer.operations({
      totals: peer
        .current()
        .totals.map((one) => (one.metric === 'latency' ? { ...one, loaded } : one)),
      operations: [
        {
          operationId: 'o',
          status: 'running',
          total: 100,
          completed: 30,
          failed: 2,
          pending: 68,
          finished: false,
        },
      ],
    });
    peer.emit('unsaved', {
      changed: [
        { columnId: 'c1', rowIndex: 1, text: 'mine', state: 'conflict', current: 'theirs' },
        { columnId: 'c1', rowIndex: 0, text: 'waiting', state: 'waiting' },
      ],
      gone: [],
      counts: { sending: 0, waiting: 1, conflict: 1, refused: 0 },
      canUndo: true,
      canRedo: false,
    });
    peer.emit('problem', { message: 'The service is slow.', retry: true });
  });
  await focusGrid(page);
  await press(page, 'ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Control+i');
  await page.locator('.detail-body').getByText('exec-42').waitFor();
}

describe('Grid: what is seen and heard', function () {
  this.timeout(90_000);
  let pages: GridPages;
  before(async () => {
    pages = await startGridPages();
  });
  after(() => pages.close());

  it('can be read by everybody with all that it can show, menus and editor included', async () => {
    const page = await pages.open();
    await fillView(page);
    await canBeReadByEverybody(page, 'grid-full');
    await page.getByRole('button', { name: 'More actions' }).click();
    await canBeReadByEverybody(page, 'grid-menu');
    await press(page, 'Escape');
    await cellAt(page, 6, 0).dblclick();
    await canBeReadByEverybody(page, 'grid-editor');
    await noFaults(page);
    await pages.done(page);
  });

  it('shows what the service has refused, its reason and the way out, to everybody', async () => {
    const page = await pages.open();
    await page.evaluate(() => {
      const message = 'The answer must be one of: yes, no, not sure.';
      const refused = [1, 2, 4].map((rowIndex) => ({
        ...{ columnId: 'c1', rowIndex, message },
        ...{ text: `maybe ${rowIndex}`, state: 'refused' as const },
      }));
      peer.emit('unsaved', {
        ...{ changed: refused, gone: [], canUndo: true, canRedo: false },
        counts: { sending: 0, waiting: 0, conflict: 0, refused: 3 },
      });
    });
    const cell = cellAt(page, 1, 1);
    await cell.click();
    await until(
      'the cell says so',
      async () => (await cell.getAttribute('aria-label')) === 'Not accepted, maybe 1',
    );
    const notice = page.getByText('The answer must be one of: yes, no, not sure.').first();
    await notice.waitFor();
    await canBeReadByEverybody(page, 'grid-refused');
    await noFaults(page);
    await pages.done(page);
  });

  it('keeps null, empty, missing, not run, text, number, boolean and JSON apart for eyes and ears', async () => {
    const page = await pages.open();
    const of = async (row: number, column: number): Promise<string> => {
      const cell = cellAt(page, row, column);
      const look = ((await cell.getAttribute('class')) ?? '').match(/k-\w+/)?.[0] ?? '';
      const text = (await cell.textContent()) ?? '';
      return `${look} | ${text.trim()} | ${(await cell.getAttribute('aria-label')) ?? text}`;
    };
    assert.equal(await of(2, 1), 'k-null | null | null, no value');
    assert.equal(await of(3, 1), 'k-empty | empty | empty text');
    assert.equal(await of(4, 1), 'k-missing | no cell | no cell');
    assert.equal(await of(5, 1), 'k-text | null | null');
    assert.equal(await of(8, 1), 'k-text | 42 | 42');
    const seen = new Set<string>();
    for (let row = 0; row < 25; row++) {
      for (const column of [2, 4, 5, 6])
        seen.add((await cellAt(page, row, column).getAttribute('aria-label')) ?? '');
    }
    const labels = [...seen].join('\n');
    for (const part of [
      /^Not run yet$/m,
      /^Completed, [\d.]+, number$/m,
      /^Completed, true, boolean$/m,
      /^Stale, \{.*\}, JSON$/m,
      /^Failed, TypeError/m,
      /^Queued, /m,
      /^Running, /m,
      /^Canceled, /m,
    ]) {
      assert.match(labels, part);
    }
    await pages.done(page);
  });

  it('shows each status with a word, a shape and a colour of its own', async () => {
    const page = await pages.open();
    const looks = await page.$$eval('.rows .badge:not([hidden])', (badges) =>
      badges.map((badge) => {
        const word = badge.textContent.trim();
        const shape = getComputedStyle(badge, '::before').clipPath;
        return `${word}|${getComputedStyle(badge).color}|${shape}`;
      }),
    );
    const words = new Map(looks.map((look) => [look.split('|')[0], look]));
    for (const word of [
      'Completed',
      'Stale',
      'Queued',
      'Running',
      'Failed',
      'Canceled',
      'Not run',
    ]) {
      assert.ok(words.has(word), word);
    }
    const shapes = [...words.values()].map((look) => look.split('|')[2]);
    assert.equal(new Set(shapes).size, shapes.length);
    await pages.done(page);
  });

  it('shows numbers as they were sent, past what a double holds', async () => {
    const page = await pages.open();
    const row = await page.evaluate(() => {
      const label = [...document.querySelectorAll('.rows [aria-colindex="6"]')].find((cell) =>
        cell.getAttribute('aria-label')?.includes('9007199254740993'),
      );
      return label?.getAttribute('aria-label') ?? '';
    });
    assert.match(row, /\b9007199254740993, number/);
    await pages.done(page);
  });

  it('sets Hebrew from the right, isolated, and leaves its neighbours alone', async () => {
    const page = await pages.open();
    const direction = (row: number): Promise<string> =>
      cellAt(page, row, 1)
        .locator('.value')
        .evaluate(
          (element) =>
            `${getComputedStyle(element).direction} ${getComputedStyle(element).unicodeBidi}`,
        );
    assert.equal(await direction(6), 'rtl isolate');
    // No letter from the right is in it, and what reorders others is shown as a sign.
    assert.equal(await direction(5), 'ltr normal');
    await pages.done(page);
  });

  it('makes characters that could disguise a text visible, and says so', async () => {
    const page = await pages.open();
    assert.equal(await shownText(page, 7, 1), 'safe⟨RLO⟩gnp.exe');
    assert.equal(
      await cellAt(page, 7, 1).getAttribute('aria-label'),
      'safe⟨RLO⟩gnp.exe, with hidden characters',
    );
    assert.equal(await shownText(page, 9, 1), 'line one↵line two⇥end');
    await pages.done(page);
  });

  it('sets everything that comes from the service as text', async () => {
    const page = await pages.open();
    await page.evaluate(() => {
      const html = '<img src=x onerror="peer.faults.push(1)"><script>peer.faults.push(2)</script>';
      const { columns } = peer.current();
      peer.sheet({
        title: html,
        tableTitle: html,
        columns: columns.map((column) => ({ ...column, title: html })),
      });
      peer.emit('problem', { message: html, retry: false });
      peer.cells([
        {
          rowIndex: 0,
          page: 0,
          place: 0,
          columnId: 'c0',
          text: html,
          kind: 4,
          status: '',
          cut: false,
        },
      ]);
    });
    await until('it is drawn', async () =>
      ((await shownText(page, 0, 0)) ?? '').startsWith('<img'),
    );
    assert.equal(await page.locator('img, script:not([src], [nonce])').count(), 0);
    await noFaults(page);
    await pages.done(page);
  });

  it('tells rows, columns and places as the ARIA grid pattern asks', async () => {
    const page = await pages.open({ rows: 1_000_000 });
    const grid = page.getByRole('grid');
    assert.equal(await grid.getAttribute('aria-rowcount'), '1000001');
    assert.equal(await grid.getAttribute('aria-colcount'), '21');
    assert.equal(await page.locator('.head').getAttribute('aria-rowindex'), '1');
    assert.equal(await cellAt(page, 0, 2).getAttribute('aria-readonly'), 'true');
    assert.equal(await cellAt(page, 0, 0).getAttribute('aria-readonly'), null);
    const live = page.locator('[aria-live]');
    assert.deepEqual(
      await live.evaluateAll((all) => all.map((each) => each.getAttribute('aria-live'))),
      ['polite'],
    );
    await pages.done(page);
  });

  it('fits 320 pixels and 200% zoom: nothing is cut off that is needed', async () => {
    const page = await pages.open({ width: 340, height: 500 });
    await fillView(page);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    assert.ok(overflow <= 0, `${overflow} px too wide`);
    for (const name of ['Run', 'More actions', 'Close details']) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 340, `${name} ${JSON.stringify(box)}`);
    }
    assert.ok(await cellAt(page, 0, 3).isVisible());
    await pages.done(page);
  });

  it('has targets of at least 24 pixels', async () => {
    const page = await pages.open();
    await fillView(page);
    const small = await page.$$eval('button', (buttons) =>
      buttons
        .map((each) => ({ name: each.title, box: each.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
        .map(({ name }) => name),
    );
    assert.deepEqual(small, []);
    await pages.done(page);
  });

  it('shows the cursor, the selection and the states with forced colours', async () => {
    const page = await pages.open({ theme: 'light', forcedColors: true });
    await fillView(page);
    const selected = await cellAt(page, 1, 2).evaluate(
      (cell) => getComputedStyle(cell).backgroundColor,
    );
    const other = await cellAt(page, 5, 2).evaluate(
      (cell) => getComputedStyle(cell).backgroundColor,
    );
    assert.notEqual(selected, other);
    await pages.done(page);
  });

  it('does not move anything by itself with reduced motion', async () => {
    const page = await pages.open({ reducedMotion: true });
    const running = await page.$$eval('.rows .s-running > .badge', (badges) =>
      badges.map((badge) => getComputedStyle(badge, '::before').animationName),
    );
    assert.ok(running.length > 0 && running.every((name) => name === 'none'));
    await pages.done(page);
  });

  it('draws its icons after the first rows, where their places are kept', async () => {
    const [drawn, without] = [await pages.open(), await pages.open({ withoutIcons: true })];
    await until(
      'the icons are drawn',
      async () => (await drawn.locator('.icon:empty').count()) === 0,
    );
    const boxes = (page: Page): Promise<readonly string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll('.icon, .button, .head .title, .row .value')].map((each) => {
          const { x, y, width, height } = each.getBoundingClientRect();
          return [x, y, width, height].map(Math.round).join(' ');
        }),
      );
    assert.ok((await boxes(drawn)).length > 100);
    await until('both are laid out alike', async () => {
      assert.deepEqual(await boxes(without), await boxes(drawn));
      return true;
    });
    // Those of a menu that is opened later are there at once.
    await drawn.getByRole('button', { name: 'More actions' }).click();
    await drawn.getByRole('menuitem').first().waitFor();
    assert.equal(await drawn.locator('.icon:empty').count(), 0);
    assert.ok((await drawn.locator('.icon path').count()) > 10);
    for (const page of [drawn, without]) await pages.done(page);
  });

  it('grows its rows with the editor font', async () => {
    const page = await pages.open();
    await page.evaluate(() =>
      document.documentElement.style.setProperty('--vscode-editor-font-size', '24px'),
    );
    await until(
      'rows are higher',
      async () => ((await cellAt(page, 2, 0).boundingBox())?.height ?? 0) > 36,
    );
    await pages.done(page);
  });
});
