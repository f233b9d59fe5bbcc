import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { startGridPages, type GridPages } from './support/grid-page.ts';
import {
  activePlace,
  asked,
  cellAt,
  eachOnItsOwnPage,
  focusGrid,
  noFaults,
  press,
  rowsLoaded,
  titleAt,
} from './support/grid-steps.ts';
import { until } from '../support/until.ts';

describe('Grid: keyboard only', function () {
  this.timeout(60_000);
  let page: Page;
  eachOnItsOwnPage((opened) => (page = opened));

  /** What has the focus, as it is read. */
  const focusIsOn = (name: string): Promise<true> =>
    until(`the focus is on “${name}”`, () =>
      page.evaluate((text) => document.activeElement?.textContent.includes(text) === true, name),
    );
  const lastCopy = (): Promise<unknown> => page.evaluate(() => peer.of('copy').at(-1));

  it('moves by arrows, Home, End, Ctrl+Home, Ctrl+End, PageUp and PageDown', async () => {
    await press(page, 'ArrowDown', 'ArrowDown', 'ArrowRight');
    assert.deepEqual(await activePlace(page), { row: 2, column: 1 });
    await press(page, 'End');
    assert.deepEqual(await activePlace(page), { row: 2, column: 19 });
    await press(page, 'Home');
    assert.deepEqual(await activePlace(page), { row: 2, column: 0 });
    await press(page, 'PageDown');
    const down = await activePlace(page);
    assert.ok(down && down.row > 15 && down.row < 40, JSON.stringify(down));
    await press(page, 'PageUp');
    assert.deepEqual(await activePlace(page), { row: 2, column: 0 });
    await press(page, 'Control+End');
    await rowsLoaded(page);
    assert.deepEqual(await activePlace(page), { row: 99_999, column: 19 });
    await press(page, 'Control+Home');
    await rowsLoaded(page);
    assert.deepEqual(await activePlace(page), { row: 0, column: 0 });
  });

  it('keeps the focus and the cursor in view while rows are recycled', async () => {
    for (let turn = 0; turn < 120; turn++) await page.keyboard.press('ArrowDown');
    await rowsLoaded(page);
    assert.deepEqual(await activePlace(page), { row: 120, column: 0 });
    assert.ok(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'));
    assert.ok(await cellAt(page, 120, 0).isVisible());
  });

  it('extends the selection with Shift, and copies just that', async () => {
    await press(
      page,
      'ArrowRight',
      'Shift+ArrowRight',
      'Shift+ArrowDown',
      'Shift+ArrowDown',
      'Control+c',
    );
    assert.deepEqual(await lastCopy(), {
      selection: {
        cursor: { position: 0, columnId: 'c1' },
        rows: [{ from: 0, to: 2 }],
        columnIds: ['c1', 'c2'],
      },
      format: 'tsv',
      headers: false,
    });
    assert.equal(await page.locator('[aria-selected="true"]').count(), 6);
  });

  it('selects a column, a row and everything', async () => {
    await press(page, 'ArrowRight', 'Control+ ', 'Control+c');
    assert.deepEqual(((await lastCopy()) as { selection: unknown }).selection, {
      cursor: { position: 0, columnId: 'c1' },
      rows: [{ from: 0, to: 99_999 }],
      columnIds: ['c1'],
    });
    await press(page, 'Escape', 'ArrowDown', 'Shift+ ', 'Control+c');
    const row = (await lastCopy()) as { selection: { rows: unknown; columnIds: string[] } };
    assert.deepEqual(row.selection.rows, [{ from: 1, to: 1 }]);
    assert.equal(row.selection.columnIds.length, 20);
    await press(page, 'Control+a', 'Control+c');
    const all = (await lastCopy()) as { selection: { rows: unknown; columnIds: string[] } };
    assert.deepEqual(all.selection.rows, [{ from: 0, to: 99_999 }]);
    assert.equal(all.selection.columnIds.length, 20);
  });

  it('reaches the titles from the first row, and their menu with Enter', async () => {
    await press(page, 'ArrowRight', 'ArrowUp');
    assert.deepEqual(await activePlace(page), { row: -1, column: 1 });
    await press(page, 'Enter');
    await page.getByRole('menu').waitFor();
    await focusIsOn('Pin column');
    await press(page, 'Enter');
    await until(
      'the column is pinned',
      async () => (await titleAt(page, 0).textContent())?.includes('Category') === true,
    );
    assert.deepEqual(
      await page.evaluate(() => (peer.reported('layout').at(-1) as { pinned: string[] }).pinned),
      ['c1'],
    );
    assert.ok(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'));
    assert.deepEqual(await activePlace(page), { row: -1, column: 0 });
  });

  it('turns the order of the rows around from the row number title', async () => {
    await press(page, 'ArrowUp', 'ArrowLeft');
    assert.deepEqual(await activePlace(page), { row: -1, column: -1 });
    await press(page, 'Enter');
    await until('the order is asked for', () =>
      page.evaluate(() => peer.of('setOrder').length === 1),
    );
    await rowsLoaded(page);
    await until(
      'the sort state is told',
      async () => (await page.locator('#head-number').getAttribute('aria-sort')) === 'descending',
    );
  });

  it('moves and widens the column under the cursor', async () => {
    await press(page, 'Alt+ArrowRight', 'Alt+Shift+ArrowRight');
    const layout = (await page.evaluate(() => peer.reported('layout').at(-1))) as {
      order: string[];
      widths: Record<string, number>;
    };
    assert.deepEqual(layout.order.slice(0, 3), ['c1', 'c0', 'c2']);
    assert.equal(layout.widths['c0'], 196);
    assert.deepEqual(await activePlace(page), { row: 0, column: 1 });
  });

  it('leaves by Tab, by Escape and by F6, and comes back', async () => {
    await press(page, 'F6');
    // Without details the rows are the last part: the key is left to VS Code.
    assert.ok(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'));
    await press(page, 'Shift+F6');
    assert.ok(
      await page.evaluate(() => document.activeElement?.closest('[role=toolbar]') !== null),
    );
    await press(page, 'F6', 'Escape');
    assert.ok(
      await page.evaluate(() => document.activeElement?.closest('[role=toolbar]') !== null),
    );
    await press(page, 'Tab');
    assert.ok(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'));
    await press(page, 'Tab');
    assert.ok(await page.evaluate(() => document.activeElement?.getAttribute('role') !== 'grid'));
  });

  it('goes through the toolbar with arrows and runs from its menu', async () => {
    await press(page, 'ArrowRight', 'ArrowRight', 'Shift+F6', 'Enter');
    await focusIsOn('Run this cell');
    await press(page, 'Enter');
    await until('the run is asked for', () => page.evaluate(() => peer.of('run').length === 1));
    assert.deepEqual(await page.evaluate(() => peer.of('run')), [
      { kind: 'cell', cell: { columnId: 'c2', rowIndex: 0 } },
    ]);
    await press(page, 'ArrowRight');
    await focusIsOn('Add row');
  });

  it('offers every scope of a run', async () => {
    await press(page, 'ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'Shift+F6');
    const scopes: unknown[] = [];
    for (const label of [
      'Run selected cells',
      'Run 2 selected rows',
      'Run column “Answer”',
      'Run stale cells of “Answer”',
      'Run all stale cells',
      'Run 12 failed cells',
    ]) {
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('menuitem', { name: label, exact: true }).click();
      await until('it is asked for', async () => (await asked(page, 'run')).length > scopes.length);
      scopes.push((await asked(page, 'run')).at(-1));
    }
    assert.deepEqual(scopes, [
      {
        kind: 'selection',
        selection: {
          cursor: { position: 0, columnId: 'c2' },
          rows: [{ from: 0, to: 1 }],
          columnIds: ['c2'],
        },
      },
      { kind: 'rows', rows: [{ from: 0, to: 1 }] },
      { kind: 'column', columnId: 'c2', onlyStale: false },
      { kind: 'column', columnId: 'c2', onlyStale: true },
      { kind: 'stale' },
      { kind: 'failed' },
    ]);
  });

  it('disables runs that have nothing to run, and says why', async () => {
    await page.evaluate(() => peer.sheet({ statusCounts: { completed: 3 } }));
    await page.getByRole('button', { name: 'Run' }).click();
    const item = (name: string): Locator => page.getByRole('menuitem', { name, exact: true });
    const cell = item('Run this cell');
    assert.equal(await cell.getAttribute('aria-disabled'), 'true');
    assert.match((await cell.getAttribute('title')) ?? '', /“Question” isn't computed/);
    assert.equal(await item('Run all stale cells').getAttribute('title'), 'No cell is stale.');
    // The first that can be chosen has the focus; a click on another one does nothing.
    await focusIsOn('Run this row');
    await cell.click({ force: true });
    assert.deepEqual(await asked(page, 'run'), []);
  });

  it('asks VS Code for its menu with what is under the cursor', async () => {
    await page.evaluate(() => {
      document.addEventListener('contextmenu', (event) => {
        event.preventDefault();
        const found: unknown[] = [];
        let element =
          event.target instanceof Element ? event.target.closest('[data-vscode-context]') : null;
        while (element) {
          found.push(JSON.parse(element.getAttribute('data-vscode-context')!));
          element = element.parentElement?.closest('[data-vscode-context]') ?? null;
        }
        Object.assign(globalThis, { asked: found });
      });
    });
    await press(page, 'ArrowDown', 'Shift+F10');
    await until('it is asked', () => page.evaluate('asked !== undefined'));
    assert.deepEqual(await page.evaluate('asked'), [
      {
        webviewSection: 'cell',
        position: 1,
        rowIndex: 1,
        columnId: 'c0',
        'promptTables.cellEditable': true,
        'promptTables.cellComputed': false,
        'promptTables.selectionComputed': false,
        'promptTables.sheetComputed': true,
        preventDefaultContextMenuItems: true,
      },
      { preventDefaultContextMenuItems: true },
    ]);
    await cellAt(page, 3, -1).click({ button: 'right' });
    await until('it is asked', () => page.evaluate('asked[0].webviewSection === "row"'));
    assert.equal(await page.evaluate('asked[0].rowIndex'), 3);
    await titleAt(page, 2).click({ button: 'right' });
    await until('it is asked', () => page.evaluate('asked[0].webviewSection === "column"'));
    assert.equal(await page.evaluate('asked[0].columnId'), 'c2');
    assert.equal(await page.evaluate('asked[0]["promptTables.cellComputed"]'), true);
  });

  it('carries out the commands of the extension and answers what is selected', async () => {
    await page.evaluate(() => peer.ask('command', { command: 'goToRow', argument: '50001' }));
    await rowsLoaded(page);
    assert.deepEqual(await activePlace(page), { row: 50_000, column: 0 });
    await page.evaluate(() => peer.ask('command', { command: 'goToColumn', argument: 'c5' }));
    assert.deepEqual(await page.evaluate(() => peer.ask('selection', null)), {
      cursor: { position: 50_000, columnId: 'c5' },
      rows: [{ from: 50_000, to: 50_000 }],
      columnIds: ['c5'],
    });
    await page.evaluate(() => peer.ask('command', { command: 'copyAsJson' }));
    await until(
      'it is copied',
      async () => ((await lastCopy()) as { format: string }).format === 'json',
    );
    await page.evaluate(() => peer.ask('command', { command: 'hideColumn', argument: 'c5' }));
    assert.deepEqual(
      await page.evaluate(() => (peer.reported('layout').at(-1) as { hidden: string[] }).hidden),
      ['c5'],
    );
    await page.evaluate(() => peer.ask('command', { command: 'showColumns' }));
    assert.deepEqual(
      await page.evaluate(() => (peer.reported('layout').at(-1) as { hidden: string[] }).hidden),
      [],
    );
  });

  it('adds a row and goes to it', async () => {
    await page.getByRole('button', { name: 'Add row' }).click();
    await until('the cursor is in the new row', async () => {
      const rowCount = await page.locator('.grid').getAttribute('aria-rowcount');
      return rowCount === '100002';
    });
    assert.deepEqual(await page.evaluate(() => peer.of('addRows')), [{ count: 1 }]);
  });
});

describe('Grid: pinned, hidden and reordered columns', function () {
  this.timeout(60_000);
  let pages: GridPages;
  before(async () => {
    pages = await startGridPages();
  });
  after(() => pages.close());

  it('copies the columns that are seen, in the order they are seen in', async () => {
    const layout = {
      widths: {},
      hidden: ['c2'],
      pinned: ['c5'],
      order: ['c4', 'c0', 'c3', 'c1', 'c5'],
    };
    const page = await pages.open({ query: { layout: JSON.stringify(layout) } });
    await focusGrid(page);
    await press(
      page,
      'Shift+ArrowRight',
      'Shift+ArrowRight',
      'Shift+ArrowRight',
      'Shift+ArrowRight',
      'Control+c',
    );
    const { selection } = (await page.evaluate(() => peer.of('copy').at(-1))) as {
      selection: { columnIds: string[] };
    };
    const titles = await page.$$eval('.head .title-text', (all) =>
      all.slice(0, 5).map((each) => each.textContent),
    );
    assert.deepEqual(titles, ['Passed', 'Score', 'Question', 'Context', 'Category']);
    assert.deepEqual(selection.columnIds, ['c5', 'c4', 'c0', 'c3', 'c1']);
    await pages.done(page);
  });

  it('keeps pinned columns in view while scrolling sideways', async () => {
    const layout = { widths: {}, hidden: [], pinned: ['c5'], order: [] };
    const page = await pages.open({ query: { layout: JSON.stringify(layout) } });
    await page.evaluate(() => (document.querySelector('.scroller')!.scrollLeft = 1500));
    await until('another column is in view', () => cellAt(page, 0, 12).isVisible());
    const box = await until('it stands beside the numbers', async () => {
      const pinned = (await cellAt(page, 0, 0).boundingBox())!;
      const numbers = (await cellAt(page, 0, -1).boundingBox())!;
      return pinned.x === numbers.x + numbers.width && pinned;
    });
    await focusGrid(page);
    await press(page, 'End', 'Home', 'ArrowRight');
    await until('the cursor is not under the pinned column', async () => {
      const second = (await cellAt(page, 0, 1).boundingBox())!;
      return second.x >= box.x + box.width;
    });
    await noFaults(page);
    await pages.done(page);
  });

  it('resizes and reorders by dragging', async () => {
    const page = await pages.open();
    const box = (await titleAt(page, 0).boundingBox())!;
    await page.mouse.move(box.x + box.width - 3, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 57, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await until('it is told', () =>
      page.evaluate(
        () =>
          (peer.reported('layout').at(-1) as { widths: Record<string, number> }).widths['c0'] ===
          240,
      ),
    );
    await until('it is drawn', async () => (await cellAt(page, 5, 0).boundingBox())?.width === 240);
    const second = (await titleAt(page, 1).boundingBox())!;
    await page.mouse.move(second.x + 60, second.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 40, box.y + 10, { steps: 6 });
    await page.mouse.up();
    await until('it is told', () =>
      page.evaluate(() =>
        (peer.reported('layout').at(-1) as { order: string[] }).order.join().startsWith('c1,c0,'),
      ),
    );
    await noFaults(page);
    await pages.done(page);
  });

  it('selects by dragging over cells, row numbers and titles', async () => {
    const page = await pages.open();
    await cellAt(page, 1, 0).hover();
    await page.mouse.down();
    await cellAt(page, 4, 1).hover();
    await page.mouse.up();
    const selected = (): Promise<unknown> => page.evaluate(() => peer.ask('selection', null));
    assert.deepEqual(await selected(), {
      cursor: { position: 1, columnId: 'c0' },
      rows: [{ from: 1, to: 4 }],
      columnIds: ['c0', 'c1'],
    });
    await cellAt(page, 2, -1).click();
    await cellAt(page, 6, -1).click({ modifiers: ['Control'] });
    assert.deepEqual(((await selected()) as { rows: unknown }).rows, [
      { from: 2, to: 2 },
      { from: 6, to: 6 },
    ]);
    await titleAt(page, 1).click();
    assert.deepEqual(((await selected()) as { columnIds: unknown }).columnIds, ['c1']);
    await pages.done(page);
  });
});
