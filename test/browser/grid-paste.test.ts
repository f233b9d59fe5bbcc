import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { clipboards } from '../support/clipboards.ts';
import { startGridPages, type GridPages } from './support/grid-page.ts';
import { cellAt, focusGrid, noFaults, press, until } from './support/grid-steps.ts';

interface PasteChange {
  readonly kind: string;
  readonly position: number;
  readonly columnIds: readonly string[];
  readonly block: readonly (readonly (string | null)[])[];
  readonly selection: { readonly rows: unknown; readonly columnIds: readonly string[] };
}

describe('Grid: paste and cut', function () {
  this.timeout(60_000);
  let pages: GridPages;
  let page: Page;
  before(async () => {
    pages = await startGridPages();
  });
  after(() => pages.close());
  beforeEach(async () => {
    page = await pages.open({ rows: 1000 });
    await focusGrid(page);
  });
  afterEach(async () => {
    await noFaults(page);
    await pages.done(page);
  });

  const asked = <Value>(name: string): Promise<Value[]> =>
    page.evaluate((of) => [...peer.of(of)], name) as Promise<Value[]>;
  const editor = () => page.locator('textarea.editor');

  async function paste(text: string, html = ''): Promise<void> {
    await page.evaluate(
      (data) => {
        const clipboardData = new DataTransfer();
        if (data.text !== '') clipboardData.setData('text/plain', data.text);
        if (data.html !== '') clipboardData.setData('text/html', data.html);
        document
          .querySelector('.grid')
          ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
      },
      { text, html },
    );
  }

  /** The next change that the grid asks for. */
  async function changeAfter(act: () => Promise<void>): Promise<PasteChange> {
    const before = (await asked('change')).length;
    await act();
    await until('a change was asked for', async () => (await asked('change')).length > before);
    const change = (await asked<PasteChange>('change'))[before];
    assert.ok(change !== undefined);
    return change;
  }

  for (const { name, text, html, cells } of clipboards) {
    it(`reads ${name}`, async () => {
      const only = cells.length === 1 && cells[0]?.length === 1 ? cells[0][0] : undefined;
      if (only === undefined) {
        const { block } = await changeAfter(() => paste(text, html));
        assert.deepEqual(block, cells);
      } else {
        await paste(text, html);
        await editor().waitFor();
        assert.equal(await editor().inputValue(), only);
        await press(page, 'Escape');
      }
    });
  }

  it('reads a table of a page, with what spans several cells', async () => {
    const html =
      '<table><tr><td rowspan="2">A<br>B</td><td colspan="2"> c </td></tr><tr><td>d</td><td>e</td></tr></table>';
    const { block } = await changeAfter(() => paste('A B c d e', html));
    assert.deepEqual(block, [
      ['A\nB', 'c', ''],
      ['', 'd', 'e'],
    ]);
  });

  it('goes to the top left of the selection, whichever way it was selected', async () => {
    for (const [name, keys, position, columnId] of [
      ['upwards', ['Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp'], 6, 'c2'],
      ['leftwards', ['Shift+ArrowLeft', 'Shift+ArrowLeft'], 9, 'c0'],
      ['both', ['Shift+ArrowUp', 'Shift+ArrowLeft'], 8, 'c1'],
      ['downwards', ['Shift+ArrowDown', 'Shift+ArrowRight'], 9, 'c2'],
    ] as const) {
      await cellAt(page, 9, 2).click();
      await press(page, ...keys);
      const change = await changeAfter(() => paste('a\tb\nc\td\ne\tf\n'));
      assert.equal(change.position, position, name);
      assert.equal(change.columnIds[0], columnId, name);
    }
  });

  it('keeps a selection that the block fills several times over', async () => {
    await cellAt(page, 2, 0).click();
    await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown');
    const change = await changeAfter(() => paste('one\ntwo\n'));
    assert.deepEqual(change.selection.rows, [{ from: 2, to: 5 }]);
    assert.deepEqual(change.block, [['one'], ['two']]);
    await page.getByText('4 × 1 cells selected').waitFor();
  });

  it('brings back what the extension says was copied, also nothing, and text with returns', async () => {
    await page.evaluate(() => peer.answer('readPaste', () => [['a\r\nb']]));
    assert.deepEqual((await changeAfter(() => paste('a\r\nb'))).block, [['a\r\nb']]);
    await page.evaluate(() => peer.answer('readPaste', () => [[null]]));
    assert.deepEqual((await changeAfter(() => paste(''))).block, [[null]]);
    await page.evaluate(() => peer.answer('readPaste', () => null));
    await paste('one\ntwo');
    await page.getByText('Changed 4 cells.').first().waitFor();
    assert.equal((await asked('change')).length, 2);
  });

  it('cuts: copies, then empties, and asks nothing of its own', async () => {
    await press(page, 'Shift+ArrowDown');
    const change = await changeAfter(() => press(page, 'Control+x'));
    assert.equal(change.kind, 'clear');
    assert.deepEqual((await asked<{ selection: unknown }>('copy'))[0]?.selection, change.selection);
    // What could not be copied is not taken away.
    await page.evaluate(() => peer.fail('copy', 'Copying was stopped.'));
    await press(page, 'Control+x');
    await page.getByText('Copying was stopped.').waitFor();
    assert.equal((await asked('change')).length, 1);
  });

  it('has the palette ask what a text is', async () => {
    await page.evaluate(() => {
      peer.answer('readPaste', () => [['x'], ['y']]);
      return peer.ask('command', { command: 'pasteAs' });
    });
    await until('it was read', async () => (await asked('readPaste')).length === 1);
    assert.deepEqual(await asked('readPaste'), [{ text: null, table: null, isAsked: true }]);
    await until('it was pasted', async () => (await asked('change')).length === 1);
  });
});
