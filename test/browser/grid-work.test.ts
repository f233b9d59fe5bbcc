import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { seriousViolations } from '../support/host/axe.ts';
import { canBeReadByEverybody } from './support/page-link.ts';
import {
  activePlace,
  asked,
  cellAt,
  eachOnItsOwnPage,
  focusGrid,
  pasteInto,
  press,
  rowsLoaded,
  titleAt,
} from './support/grid-steps.ts';
import { until } from '../support/until.ts';

describe('Grid: work on many rows', function () {
  this.timeout(60_000);
  let page: Page;
  eachOnItsOwnPage((opened) => (page = opened), { rows: 1000 });

  it('pastes a block from a spreadsheet at the cursor and selects it', async () => {
    await press(page, 'ArrowRight', 'ArrowDown');
    await pasteInto(page, 'a\t"b\nc"\n1\tnull\n');
    await until('it was asked for', async () => (await asked(page, 'change')).length === 1);
    const [change] = await asked<{
      kind: string;
      position: number;
      columnIds: string[];
      block: unknown;
    }>(page, 'change');
    assert.equal(change?.kind, 'paste');
    assert.equal(change.position, 1);
    assert.deepEqual(change.columnIds.slice(0, 2), ['c1', 'c2']);
    assert.deepEqual(change.block, [
      ['a', 'b\nc'],
      ['1', null],
    ]);
    await page.getByText('2 × 2 cells selected').waitFor();
    const offer = page.getByText(/Changed 4 cells\. .*undoes it/);
    await offer.waitFor();
    await press(page, 'Control+z');
    await until('it is undone', () => page.evaluate(() => peer.of('undo').length === 1));
    await until('what is undone is not offered to be undone', async () => !(await offer.count()));
  });

  it('lets one text for one cell be looked at before it is kept', async () => {
    await pasteInto(page, 'one');
    await page.locator('textarea.editor').waitFor();
    assert.equal(await page.locator('textarea.editor').inputValue(), 'one');
    await press(page, 'Escape');
    assert.deepEqual(await asked(page, 'change'), []);
  });

  it('fills down, empties and sets to null what is selected', async () => {
    await press(page, 'Shift+ArrowDown', 'Control+d', 'Delete');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Set to null' }).click();
    await until('all were asked for', async () => (await asked(page, 'change')).length === 3);
    const changes = await asked<{ kind: string; to?: string }>(page, 'change');
    assert.deepEqual(
      changes.map(({ kind, to }) => [kind, to]),
      [
        ['fill', undefined],
        ['clear', 'empty'],
        ['clear', 'null'],
      ],
    );
  });

  it('finds: hits one after another, and never silent about rows that were not looked at', async () => {
    await press(page, 'Control+f');
    await page.keyboard.type('refund');
    const bar = page.getByRole('search');
    await bar.getByText(/1 of \d+ in 300 loaded rows of 1,000/).waitFor();
    const marked = page.locator('.cell.hit');
    const values = await until('hits are marked', async () => {
      const texts = await marked.allTextContents();
      return texts.length > 1 && texts;
    });
    // A long value is cut before the word may come.
    for (const value of values) assert.match(value, /refund|…/i);
    const first = await activePlace(page);
    await press(page, 'Enter');
    await bar.getByText(/^2 of/).waitFor();
    assert.notDeepEqual(await activePlace(page), first);
    await press(page, 'Shift+Enter', 'Shift+Enter');
    await bar.getByText(/^(\d+) of \1 in/).waitFor();
    await bar.getByRole('button', { name: 'Search all rows' }).click();
    await bar.getByText(/in all 1,000 rows/).waitFor();
    await bar.getByRole('button', { name: 'Match case' }).click();
    await until('with the case', async () =>
      (await asked<{ matchCase: boolean }>(page, 'find')).some(({ matchCase }) => matchCase),
    );
    assert.deepEqual(await seriousViolations(page), []);
    await press(page, 'Escape');
    assert.ok(await bar.isHidden());
    assert.equal(await marked.count(), 0);
    assert.ok(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'));
  });

  it('finds in a narrow editor, with the way out in the first line', async () => {
    await page.setViewportSize({ width: 420, height: 700 });
    await press(page, 'Control+f');
    await page.keyboard.type('refund');
    const bar = page.getByRole('search');
    await bar.getByText(/1 of \d+ in/).waitFor();
    const middle = async (part: Locator): Promise<number> => {
      const box = await part.boundingBox();
      assert.ok(box !== null);
      assert.ok(box.x >= 0 && box.x + box.width <= 420);
      return box.y + box.height / 2;
    };
    const first = await middle(bar.getByRole('textbox'));
    for (const name of ['Match case', 'Previous hit', 'Next hit', 'Close'])
      assert.ok(Math.abs((await middle(bar.getByRole('button', { name }))) - first) < 3, name);
    await bar.getByRole('button', { name: 'Close' }).click();
    await bar.waitFor({ state: 'hidden' });
  });

  it('says in place what is wrong with a pattern', async () => {
    await page.evaluate(() => peer.fail('find', "The pattern can't be used."));
    await press(page, 'Control+f');
    await page.keyboard.type('(');
    await page.getByRole('search').getByText("The pattern can't be used.").waitFor();
    assert.equal(await page.locator('.cell.hit').count(), 0);
  });

  it('filters and sorts with the keyboard only, and says from how many rows', async () => {
    await page.getByRole('button', { name: 'Filter and sort rows' }).focus();
    await press(page, 'Enter');
    const bar = page.getByRole('group', { name: 'Filter and sort rows' });
    await bar.getByRole('combobox', { name: 'Comparison' }).selectOption('above');
    await bar.getByRole('textbox', { name: 'Value' }).fill('5');
    await bar.getByRole('button', { name: 'Add sort' }).click();
    await bar.getByRole('combobox', { name: 'Direction' }).selectOption('desc');
    await bar.getByRole('textbox', { name: 'Value' }).press('Enter');
    await page.getByText('12 rows found in 300 loaded rows of 1,000.').waitFor();
    const [view] = await asked<{ query: unknown; scope: string }>(page, 'setView');
    assert.deepEqual(view, {
      query: {
        conditions: [{ columnId: 'c0', operator: 'above', operand: '5' }],
        match: 'all',
        sort: [{ columnId: 'c0', direction: 'desc' }],
      },
      scope: 'loaded',
    });
    await rowsLoaded(page);
    await page.getByRole('button', { name: 'Read all rows' }).click();
    await page.getByText('40 rows found in all 1,000 rows.').waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.locator('.view-note').getByRole('button', { name: 'Show all rows' }).click();
    await until('all rows are there', async () => page.locator('.view-note').isHidden());
  });

  it('can be read by everybody while it finds and filters', async () => {
    await page.getByRole('button', { name: 'Filter and sort rows' }).click();
    const bar = page.getByRole('group', { name: 'Filter and sort rows' });
    await bar.getByRole('combobox', { name: 'Column' }).selectOption({ label: 'Any column' });
    await bar.getByRole('textbox', { name: 'Value' }).fill('e');
    await bar.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText(/Any column contains “e”/).waitFor();
    await focusGrid(page);
    await press(page, 'Control+f');
    await page.keyboard.type('e');
    await page.locator('.cell.hit').nth(3).waitFor();
    await canBeReadByEverybody(page, 'grid-work');
  });

  it('offers work on the column in the menu of its title', async () => {
    await titleAt(page, 1).locator('.title-menu').click();
    for (const name of [
      'Sort smallest first',
      'Filter by this column…',
      'Add column left…',
      'Duplicate',
    ]) {
      await page.getByRole('menuitem', { name }).waitFor();
    }
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await until('it was asked for', async () => (await asked(page, 'columnAction')).length === 1);
    assert.deepEqual(await asked(page, 'columnAction'), [{ action: 'rename', columnId: 'c1' }]);
    await titleAt(page, 1).locator('.title-menu').click();
    await page.getByRole('menuitem', { name: 'Sort largest first' }).click();
    await page.getByText('sorted by “Category” ↓').waitFor();
  });

  it('keeps the place of a column where the service can, and says where it can not', async () => {
    await page.evaluate(() =>
      peer.answer('moveColumn', () => ({
        kept: false,
        message: 'It has moved on this screen only.',
      })),
    );
    await press(page, 'ArrowRight', 'Alt+ArrowRight');
    await page.getByText('It has moved on this screen only.').waitFor();
    assert.deepEqual(await asked(page, 'moveColumn'), [{ columnId: 'c1', beforeId: 'c3' }]);
  });

  it('sums up the selection', async () => {
    await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown');
    const line = page.getByRole('group', { name: 'Sum of the selection' });
    for (const text of ['sum 10', 'avg 2.5', 'min 1', 'max 4', 'null 1', 'distinct 5']) {
      await line.getByText(text).waitFor();
    }
    await press(page, 'ArrowDown');
    await until('nothing is summed up', async () => !(await line.getByText('sum 10').isVisible()));
  });

  it('offers the answers of a column that people fill in', async () => {
    await page.evaluate(() => {
      const columns = peer
        .current()
        .columns.map((column) =>
          column.id === 'c1'
            ? { ...column, input: { kind: 'choice' as const, options: ['good', 'bad'] } }
            : column,
        );
      peer.sheet({ columns });
    });
    await press(page, 'ArrowRight', 'Enter');
    await page.getByRole('menuitemcheckbox', { name: 'good' }).waitFor();
    await press(page, 'ArrowDown', 'Enter');
    await until('it was sent', async () => (await asked(page, 'edit')).length === 1);
    const [edit] = await asked<{ text: string }>(page, 'edit');
    assert.equal(edit?.text, 'bad');
    await until('the cell shows it', async () =>
      ((await cellAt(page, 0, 1).textContent()) ?? '').includes('bad'),
    );
  });
});
