import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  activePlace,
  cellAt,
  eachOnItsOwnPage,
  press,
  rowsLoaded,
  shownText,
} from './support/grid-steps.ts';
import { until } from '../support/until.ts';

describe('Grid: editing', function () {
  this.timeout(60_000);
  let page: Page;
  eachOnItsOwnPage((opened) => (page = opened));

  const edits = (): Promise<unknown[]> => page.evaluate(() => [...peer.of('edit')]);
  const editor = (): ReturnType<Page['locator']> => page.locator('textarea.editor');

  it('commits with Enter and goes down, showing the text at once', async () => {
    const base = await shownText(page, 0, 1);
    await press(page, 'ArrowRight', 'Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(' more');
    await press(page, 'Enter');
    await until('the edit is sent', async () => (await edits()).length === 1);
    assert.deepEqual(await edits(), [{ columnId: 'c1', rowIndex: 0, text: `${base} more`, base }]);
    assert.deepEqual(await activePlace(page), { row: 1, column: 1 });
    await until('the cell shows it', async () => (await shownText(page, 0, 1)) === `${base} more`);
  });

  it('begins with what is typed, commits with Tab, and goes right', async () => {
    await press(page, 'ArrowRight', 'ArrowDown');
    await page.keyboard.type('new');
    await press(page, 'Tab');
    assert.equal(((await edits()) as { text: string }[])[0]?.text, 'new');
    assert.deepEqual(await activePlace(page), { row: 1, column: 2 });
  });

  it('commits with Ctrl+S and keeps the cursor where it is', async () => {
    await press(page, 'ArrowRight', 'F2', 'End');
    await page.keyboard.type('!');
    await press(page, 'Control+s');
    assert.equal((await edits()).length, 1);
    assert.deepEqual(await activePlace(page), { row: 0, column: 1 });
    assert.ok(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'));
  });

  it('reverts with Escape and sends nothing; nor does an edit that changes nothing', async () => {
    await press(page, 'F2');
    await page.keyboard.type('gone');
    await press(page, 'Escape');
    await press(page, 'F2', 'Enter');
    assert.deepEqual(await edits(), []);
    assert.ok(await editor().isHidden());
  });

  it('writes several lines with Alt+Enter', async () => {
    await press(page, 'ArrowRight');
    await page.keyboard.type('one');
    await press(page, 'Alt+Enter');
    await page.keyboard.type('two');
    await press(page, 'Enter');
    assert.equal(((await edits()) as { text: string }[])[0]?.text, 'one\ntwo');
  });

  it('fetches the whole of a shortened text before it can be edited', async () => {
    await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'F2');
    await until('the whole text is there', async () => (await editor().inputValue()).length > 2000);
    await press(page, 'Control+End');
    await page.keyboard.type('END');
    await press(page, 'Enter');
    await until('the edit is sent', async () => (await edits()).length === 1);
    const [edit] = (await edits()) as { text: string; base: string }[];
    assert.equal(edit!.text, `${edit!.base}END`);
    assert.ok(edit!.base.length > 2000);
  });

  it('empties cells with Delete: null becomes empty text', async () => {
    await press(page, 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Delete');
    await until('the edit is sent', async () => (await edits()).length === 1);
    assert.deepEqual(await edits(), [{ columnId: 'c1', rowIndex: 2, text: '', base: null }]);
    await until(
      'the cell says so',
      async () => (await cellAt(page, 2, 1).getAttribute('aria-label')) === 'empty text',
    );
  });

  it('does not open an editor on a computed cell, and says why', async () => {
    await press(page, 'ArrowRight', 'ArrowRight', 'F2');
    assert.ok(await editor().isHidden());
    await page.getByText("is computed, so its cells can't be edited").waitFor();
  });

  it('shows an edit as being saved, and keeps it as not saved while the service is out of reach', async () => {
    await page.evaluate(() =>
      peer.answer(
        'edit',
        () => new Promise((resolve) => Object.assign(globalThis, { resolveEdit: resolve })),
      ),
    );
    await press(page, 'ArrowRight');
    await page.keyboard.type('mine');
    await press(page, 'Enter');
    await until(
      'it is shown',
      async () => (await cellAt(page, 0, 1).textContent()) === 'Saving mine',
    );
    assert.equal(await cellAt(page, 0, 1).getAttribute('aria-label'), 'Saving, mine');
    await page.evaluate(
      'resolveEdit({ outcome: "waiting", message: "The service does not answer." })',
    );
    await until(
      'it waits',
      async () => (await cellAt(page, 0, 1).textContent()) === 'Not saved yet mine',
    );
    await page.evaluate(() =>
      peer.emit('unsaved', {
        changed: [],
        gone: [{ rowIndex: 0, columnId: 'c1' }],
        counts: { sending: 0, waiting: 0, conflict: 0, refused: 0 },
        canUndo: true,
        canRedo: false,
      }),
    );
    await until(
      'it is saved',
      async () => !((await cellAt(page, 0, 1).textContent()) ?? '').startsWith('Not saved'),
    );
    assert.ok(await page.getByRole('button', { name: 'Undo edit' }).isEnabled());
  });

  it('shows a conflict with both texts and lets the user choose', async () => {
    await page.evaluate(() =>
      peer.answer('edit', () => ({ outcome: 'conflict', current: 'theirs' })),
    );
    await press(page, 'ArrowRight');
    await page.keyboard.type('mine');
    await press(page, 'Enter');
    await page.getByText('someone changed this cell to “theirs” while you typed “mine”').waitFor();
    await until('the cell says so', async () =>
      /^Conflict/.test((await cellAt(page, 0, 1).textContent()) ?? ''),
    );
    await page.getByRole('button', { name: 'Use theirs' }).click();
    await until('the choice is sent', () =>
      page.evaluate(() => peer.of('resolveEdit').length === 1),
    );
    assert.deepEqual(await page.evaluate(() => peer.of('resolveEdit')), [
      { columnId: 'c1', rowIndex: 0, keep: 'theirs' },
    ]);
    await until('the cell shows theirs', async () => (await shownText(page, 0, 1)) === 'theirs');
    await page.getByRole('button', { name: 'Use theirs' }).waitFor({ state: 'detached' });
  });

  it('shows what the cell holds in the end when an edit was undone on its way', async () => {
    await page.evaluate(() =>
      peer.answer('edit', () => ({
        ...{ outcome: 'saved', version: 18, staleCount: 0 },
        text: 'as it was',
      })),
    );
    await press(page, 'ArrowRight');
    await page.keyboard.type('mine');
    await press(page, 'Enter');
    await until('the edit is back', async () => (await shownText(page, 0, 1)) === 'as it was');
  });

  it('shows why an edit was refused, and keeps the text to edit again', async () => {
    await page.evaluate(() =>
      peer.answer('edit', () => ({ outcome: 'refused', message: 'The row was deleted.' })),
    );
    await press(page, 'ArrowRight');
    await page.keyboard.type('mine');
    await press(page, 'Enter');
    await page.getByText('your text was not accepted. The row was deleted.').waitFor();
    await page.getByRole('button', { name: 'Edit again' }).click();
    await until('it is edited', async () => (await editor().inputValue()) === 'mine');
    await press(page, 'Escape');
  });

  it('loses neither text, selection nor scroll while cells on screen change', async () => {
    await page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 3000));
    await rowsLoaded(page);
    await cellAt(page, 120, 1).dblclick();
    await page.keyboard.press('End');
    await page.keyboard.type(' typing');
    const top = await page.evaluate(() => document.querySelector('.scroller')!.scrollTop);
    await page.evaluate(async () => {
      for (let turn = 0; turn < 20; turn++) {
        peer.cells(
          Array.from({ length: 20 }, (_, index) => ({
            rowIndex: 110 + index,
            page: 1,
            place: 10 + index,
            columnId: index % 2 ? 'c1' : 'c2',
            text: `live ${turn}`,
            kind: 4,
            status: index % 2 ? '' : 'completed',
            cut: false,
          })),
        );
        await new Promise(requestAnimationFrame);
      }
    });
    await until('the patches are drawn', async () => (await shownText(page, 121, 1)) === 'live 19');
    assert.match(await editor().inputValue(), / typing$/);
    assert.ok(await editor().evaluate((element) => element === document.activeElement));
    assert.equal(await page.evaluate(() => document.querySelector('.scroller')!.scrollTop), top);
    assert.deepEqual(await activePlace(page), { row: 120, column: 1 });
    await press(page, 'Enter');
    assert.match(((await edits()) as { text: string }[])[0]?.text ?? '', / typing$/);
  });

  it('follows its cell when the rows scroll, and commits when another cell is clicked', async () => {
    await cellAt(page, 3, 0).dblclick();
    await page.keyboard.type('x');
    const before = await editor().boundingBox();
    await page.evaluate(() => (document.querySelector('.scroller')!.scrollTop = 54));
    await until('the editor moved', async () => {
      const now = await editor().boundingBox();
      return Math.abs((before?.y ?? 0) - (now?.y ?? 0) - 54) < 2;
    });
    await cellAt(page, 8, 1).click();
    await until('it is sent', async () => (await edits()).length === 1);
  });

  it('brings back a text that was being typed when the view went away', async () => {
    await press(page, 'ArrowRight', 'ArrowDown');
    await page.keyboard.type('half a sentence');
    await until('the draft is kept', () =>
      page.evaluate(() => JSON.stringify(peer.state()).includes('half a sentence')),
    );
    await page.reload();
    await page.waitForSelector('.rows > .row:not(.skeleton)');
    await until(
      'the text is back',
      async () => (await editor().inputValue()) === 'half a sentence',
    );
    await press(page, 'Enter');
    assert.equal(((await edits()) as { text: string }[])[0]?.text, 'half a sentence');
  });

  it('undoes and redoes through the extension and goes to the cell', async () => {
    await page.evaluate(() => peer.answer('undo', () => ({ at: { columnId: 'c3', rowIndex: 5 } })));
    await press(page, 'Control+z');
    await until(
      'the cursor is there',
      async () => JSON.stringify(await activePlace(page)) === '{"row":5,"column":3}',
    );
    await press(page, 'Control+y');
    await until('it is redone', () => page.evaluate(() => peer.of('redo').length === 1));
  });
});
