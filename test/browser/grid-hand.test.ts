/** The grid as a hand meets it: keys while typing, rows that move, views that are small. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { picture } from '../support/host/workbench.ts';
import { activePlace, asked, cellAt, eachOnItsOwnPage, press } from './support/grid-steps.ts';
import { until } from '../support/until.ts';

describe('Grid: by hand', function () {
  this.timeout(60_000);
  let page: Page;
  eachOnItsOwnPage((opened) => (page = opened), { rows: 1000 });

  const editor = () => page.locator('textarea.editor');

  describe('a cell that is being edited', () => {
    /** The keys that come out of the page: VS Code listens on its window. */
    async function keysThatReach(keys: readonly string[]): Promise<string[]> {
      await page.evaluate(() => {
        const seen: string[] = [];
        Object.assign(globalThis, { seen });
        window.addEventListener('keydown', (event) => {
          if (!['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) seen.push(event.key);
          event.preventDefault();
        });
      });
      await press(page, ...keys);
      return page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
    }

    it('leaves every key to VS Code that its text field does not use', async () => {
      await press(page, 'ArrowRight', 'F2');
      await page.keyboard.type('draft');
      const text = await editor().inputValue();
      const ours = ['F1', 'Control+Shift+P', 'Control+p', 'Control+b', 'Control+`'];
      const more = ['Control+k', 'Control+w', 'Control+Tab', 'Control+1', 'Control+Shift+F', 'F5'];
      const other = ['Alt+ArrowLeft', 'Control+j', 'Control+Shift+E', 'Control+,', 'F11'];
      const keys = [...ours, ...more, ...other];
      const last = keys.map((key) => key.split('+').at(-1)?.toLowerCase());
      assert.deepEqual(
        (await keysThatReach(keys)).map((key) => key.toLowerCase()),
        last,
      );
      assert.equal(await editor().inputValue(), text);
      assert.deepEqual(await asked(page, 'edit'), []);
      assert.deepEqual(await activePlace(page), { row: 0, column: 1 });
    });

    it('keeps the keys of its text field', async () => {
      await press(page, 'ArrowRight', 'F2');
      const keys = ['a', 'Shift+B', 'Space', 'ArrowLeft', 'Control+ArrowLeft', 'Home', 'End'];
      const more = ['Backspace', 'Delete', 'Control+a', 'Control+c', 'Control+v', 'Control+x'];
      const other = ['Control+z', 'Control+y', 'Control+Shift+Z', 'Control+Backspace', 'PageDown'];
      assert.deepEqual(await keysThatReach([...keys, ...more, ...other]), []);
      assert.ok(await editor().isVisible());
    });

    it('keeps its draft while the palette has the focus', async () => {
      await press(page, 'ArrowRight', 'F2', 'End');
      await page.keyboard.type(' draft');
      const text = await editor().inputValue();
      // The window of the page loses the focus, its document keeps it.
      await page.evaluate(() => {
        document.hasFocus = () => false;
        (document.activeElement as HTMLElement).dispatchEvent(new FocusEvent('blur'));
      });
      assert.equal(await editor().inputValue(), text);
      assert.ok(await editor().isVisible());
      assert.deepEqual(await asked(page, 'edit'), []);
    });

    it('is left as it was when only its line ends would be others', async () => {
      await page.evaluate(() => {
        const { generation } = peer.current();
        const patch = { rowIndex: 0, page: 0, place: 0, columnId: 'c1', kind: 4 };
        peer.cells([{ ...patch, text: 'a\r\nb\rc', status: '', cut: false }], generation);
      });
      await until('the cell is there', async () =>
        ((await cellAt(page, 0, 1).textContent()) ?? '').includes('a'),
      );
      await press(page, 'ArrowRight', 'F2');
      assert.equal(await editor().inputValue(), 'a\nb\nc');
      await press(page, 'Enter');
      assert.ok(await editor().isHidden());
      assert.deepEqual(await asked(page, 'edit'), []);
    });

    it('stays with its row when a row above is deleted elsewhere', async () => {
      await cellAt(page, 5, 1).click();
      await press(page, 'F2', 'End');
      await page.keyboard.type('!');
      const text = await editor().inputValue();
      const before = (await editor().boundingBox())?.y ?? 0;
      await page.evaluate(() => {
        // Rows from the third on move up by one.
        const { generation } = peer.current();
        peer.answer('rows', (params) => {
          const { page: number } = params as { page: number };
          return peer.page(number, generation + 1, 2);
        });
        peer.sheet({ rowCount: 999, generation: generation + 1 });
      });
      await until('the editor moved', async () => {
        const now = (await editor().boundingBox())?.y ?? before;
        return Math.abs(before - now - 26) < 8;
      });
      assert.equal(await editor().inputValue(), text);
      assert.match((await editor().getAttribute('aria-label')) ?? '', /row 5$/);
      await press(page, 'Enter');
      const [edit] = await asked<{ rowIndex: number; text: string }>(page, 'edit');
      assert.deepEqual([edit?.rowIndex, edit?.text], [5, text]);
      assert.deepEqual(await activePlace(page), { row: 5, column: 1 });
    });

    it('says when its row is gone, and keeps the text', async () => {
      await cellAt(page, 2, 1).click();
      await press(page, 'F2', 'End');
      await page.keyboard.type('!');
      const text = await editor().inputValue();
      await page.evaluate(() => {
        const { generation } = peer.current();
        peer.answer('rows', (params) => {
          const { page: number } = params as { page: number };
          return peer.page(number, generation + 1, 2);
        });
        peer.sheet({ rowCount: 999, generation: generation + 1 });
      });
      await page.getByText('The row you are editing no longer exists').waitFor();
      assert.equal(await editor().inputValue(), text);
    });
  });

  it('goes to the next hit with Enter after all rows were searched', async () => {
    await press(page, 'Control+f');
    await page.keyboard.type('refund');
    const bar = page.getByRole('search');
    await bar.getByRole('button', { name: 'Search all rows' }).click();
    await bar.getByText(/1 of \d+ in all 1,000 rows/).waitFor();
    await press(page, 'Enter');
    await bar.getByText(/^2 of \d+ in all/).waitFor();
    assert.ok(await editor().isHidden());
  });

  describe('a small view', () => {
    const rowsInView = (): Promise<number> =>
      page.evaluate(() => {
        const area = document.querySelector('.stage')?.getBoundingClientRect();
        const head = document.querySelector('.head')?.getBoundingClientRect();
        if (area === undefined || head === undefined) return 0;
        const bottom = Math.min(area.bottom, innerHeight);
        return [...document.querySelectorAll('.rows > .row')].filter((row) => {
          const { top, bottom: end } = row.getBoundingClientRect();
          return top >= head.bottom - 1 && end <= bottom + 1;
        }).length;
      });

    for (const [name, width, height, least] of [
      ['at 200 % zoom', 590, 300, 3],
      ['of 720 × 450', 670, 340, 3],
      ['of a split editor', 360, 260, 2],
    ] as const) {
      it(`keeps rows in sight ${name} with every bar open`, async () => {
        await page.setViewportSize({ width, height });
        await press(page, 'Control+f');
        await page.keyboard.type('refund');
        await page.getByRole('button', { name: 'Filter and sort rows' }).click();
        const bar = page.getByRole('group', { name: 'Filter and sort rows' });
        for (let lines = 0; lines < 3; lines += 1)
          await bar.getByRole('button', { name: 'Add condition' }).click();
        await bar.getByRole('textbox', { name: 'Value' }).first().fill('e');
        await bar.getByRole('button', { name: 'Apply', exact: true }).click();
        await page.locator('.view-note').waitFor({ state: 'attached' });
        await until('rows are in sight', async () => (await rowsInView()) >= least);
        // What is scrolled away comes back with the focus.
        await press(page, 'Control+f');
        const find = page.getByRole('textbox', { name: 'Find' });
        await find.focus();
        await until('it is in sight', async () => {
          const box = await find.boundingBox();
          const bars = await page.locator('.bars').boundingBox();
          return box !== null && bars !== null && box.y >= bars.y - 1;
        });
        await picture(page, `grid-small-${width}`);
      });
    }
  });

  it('shows whose workspace it is, however long the names are', async () => {
    await page.setViewportSize({ width: 800, height: 400 });
    await page.evaluate(() => {
      const long = 'An uncommonly long name that somebody pasted '.repeat(6);
      const connection = { id: 'x', name: 'Production workspace', local: false };
      peer.sheet({ title: long, tableTitle: long, connection });
    });
    const name = page.locator('.connection-name');
    await name.getByText('Production workspace').waitFor();
    const isWhole = await name.evaluate((element) => element.scrollWidth <= element.clientWidth);
    assert.ok(isWhole, 'the name of the workspace is cut');
    const sheet = await page.locator('.sheet-name').boundingBox();
    assert.ok((sheet?.width ?? 0) > 120, `the sheet has ${sheet?.width} pixels`);
    await picture(page, 'grid-names');
  });
});
