import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { clipboards } from '../support/clipboards.ts';
import { asked, cellAt, eachOnItsOwnPage, pasteInto, press } from './support/grid-steps.ts';
import { until } from '../support/until.ts';

interface PasteChange {
  readonly kind: string;
  readonly position: number;
  readonly columnIds: readonly string[];
  readonly block: readonly (readonly (string | null)[])[];
  readonly selection: { readonly rows: unknown; readonly columnIds: readonly string[] };
}

describe('Grid: paste and cut', function () {
  this.timeout(60_000);
  let page: Page;
  eachOnItsOwnPage((opened) => (page = opened), { rows: 1000 });

  const editor = () => page.locator('textarea.editor');

  /** The next change that the grid asks for. */
  async function changeAfter(act: () => Promise<void>): Promise<PasteChange> {
    const before = (await asked(page, 'change')).length;
    await act();
    await until(
      'a change was asked for',
      async () => (await asked(page, 'change')).length > before,
    );
    const change = (await asked<PasteChange>(page, 'change'))[before];
    assert.ok(change !== undefined);
    return change;
  }

  for (const { name, text, html, cells } of clipboards) {
    it(`reads ${name}`, async () => {
      const only = cells.length === 1 && cells[0]?.length === 1 ? cells[0][0] : undefined;
      if (only === undefined) {
        const { block } = await changeAfter(() => pasteInto(page, text, html));
        assert.deepEqual(block, cells);
      } else {
        await pasteInto(page, text, html);
        await editor().waitFor();
        assert.equal(await editor().inputValue(), only);
        await press(page, 'Escape');
      }
    });
  }

  it('reads a table of a page, with what spans several cells', async () => {
    const html =
      '<table><tr><td rowspan="2">A<br>B</td><td colspan="2"> c </td></tr><tr><td>d</td><td>e</td></tr></table>';
    const { block } = await changeAfter(() => pasteInto(page, 'A B c d e', html));
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
      const change = await changeAfter(() => pasteInto(page, 'a\tb\nc\td\ne\tf\n'));
      assert.equal(change.position, position, name);
      assert.equal(change.columnIds[0], columnId, name);
    }
  });

  it('keeps a selection that the block fills several times over', async () => {
    await cellAt(page, 2, 0).click();
    await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown');
    const change = await changeAfter(() => pasteInto(page, 'one\ntwo\n'));
    assert.deepEqual(change.selection.rows, [{ from: 2, to: 5 }]);
    assert.deepEqual(change.block, [['one'], ['two']]);
    await page.getByText('4 × 1 cells selected').waitFor();
  });

  it('brings back what the extension says was copied, also nothing, and text with returns', async () => {
    await page.evaluate(() => peer.answer('readPaste', () => [['a\r\nb']]));
    assert.deepEqual((await changeAfter(() => pasteInto(page, 'a\r\nb'))).block, [['a\r\nb']]);
    await page.evaluate(() => peer.answer('readPaste', () => [[null]]));
    assert.deepEqual((await changeAfter(() => pasteInto(page, ''))).block, [[null]]);
    await page.evaluate(() => peer.answer('readPaste', () => null));
    await pasteInto(page, 'one\ntwo');
    await page.getByText('Changed 4 cells.').first().waitFor();
    assert.equal((await asked(page, 'change')).length, 2);
  });

  it('cuts: copies, then empties, and asks nothing of its own', async () => {
    await press(page, 'Shift+ArrowDown');
    const change = await changeAfter(() => press(page, 'Control+x'));
    assert.equal(change.kind, 'clear');
    assert.deepEqual(
      (await asked<{ selection: unknown }>(page, 'copy'))[0]?.selection,
      change.selection,
    );
    // What could not be copied is not taken away.
    await page.evaluate(() => peer.fail('copy', 'Copying was stopped.'));
    await press(page, 'Control+x');
    await page.getByText('Copying was stopped.').waitFor();
    assert.equal((await asked(page, 'change')).length, 1);
  });

  it('has the palette ask what a text is', async () => {
    await page.evaluate(() => {
      peer.answer('readPaste', () => [['x'], ['y']]);
      return peer.ask('command', { command: 'pasteAs' });
    });
    await until('it was read', async () => (await asked(page, 'readPaste')).length === 1);
    assert.deepEqual(await asked(page, 'readPaste'), [{ text: null, table: null, isAsked: true }]);
    await until('it was pasted', async () => (await asked(page, 'change')).length === 1);
  });
});
