import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { RunStatus } from '../../src/protocol/run.ts';
import { startGridPages, type GridPages } from './support/grid-page.ts';
import { focusGrid, noFaults, press, titleAt } from './support/grid-steps.ts';
import { emit, startRunPages } from './support/run-page.ts';
import { englishIn } from './support/texts.ts';
import { until } from '../support/until.ts';

/** Names and values that are the user's or the service's. */
const data = [
  ...['.rows', '.head .title', '.sheet-title', '.connection-name', '.json-tree'],
  ...['.detail-title', '.totals-name'],
  // Titles of columns to choose from.
  ...['[aria-label="Spalte"] option', '[aria-label="Sortieren nach"] option'],
].join(', ');

/** Everything at once: progress, details, an edit in conflict, a selection. */
async function fillView(page: Page): Promise<void> {
  await page.evaluate(() => {
    peer.operations({
      operations: [
        {
          ...{ operationId: 'o', status: 'running', finished: false },
          ...{ total: 1000, completed: 300, failed: 2, pending: 698 },
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
  });
  await focusGrid(page);
  await press(page, 'ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'Control+i');
  await page.locator('.detail-body').getByText('exec-42').waitFor();
}

describe('Pages in the display language', function () {
  this.timeout(60_000);
  let pages: GridPages;
  before(async () => {
    pages = await startGridPages();
  });
  after(() => pages.close());

  it('show the grid in German: bars, menus, details, states of cells', async () => {
    const page = await pages.open({ language: 'de' });
    await fillView(page);
    assert.deepEqual(await englishIn(page, 'de', data), []);
    await page.getByRole('button', { name: 'Zeile hinzufügen' }).waitFor();
    await page.getByText('2.310 veraltet').waitFor();
    await page.getByText('302 von 1.000 Zellen').first().waitFor();
    assert.match(
      (await titleAt(page, 0).getAttribute('aria-label')) ?? '',
      /bearbeitbar|berechnet/,
    );
    assert.match(
      (await page
        .locator('.rows [aria-label*="Noch nicht gespeichert"]')
        .getAttribute('aria-label')) ?? '',
      /^Noch nicht gespeichert, waiting$/,
    );

    await page.getByRole('button', { name: 'Weitere Aktionen' }).click();
    await page.getByRole('menuitem', { name: 'Mit Spaltentiteln kopieren' }).waitFor();
    const english = await englishIn(page, 'de', data);
    // Columns can be hidden and shown there, by their titles.
    assert.deepEqual(
      english.filter((text) => !/^(?:Column \d+|Notes|Score|Answer|Passed) /.test(text)),
      [],
    );
    assert.match((await page.locator('.menu').textContent()) ?? '', /Strg\+Umschalt\+C/);
    await press(page, 'Escape');

    await page.getByRole('button', { name: 'Ausführen', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Alle veralteten Zellen ausführen' }).waitFor();
    assert.deepEqual(await englishIn(page, 'de', data), []);
    await press(page, 'Escape');
    await noFaults(page);
    await pages.done(page);
  });

  it('find and filter in German', async () => {
    const page = await pages.open({ language: 'de' });
    await focusGrid(page);
    await press(page, 'Control+f');
    await page.keyboard.type('1');
    await page.getByText(/^\d+ von [\d.]+ in: /).waitFor();
    await page.getByRole('button', { name: 'Zeilen filtern und sortieren' }).click();
    await page.getByRole('button', { name: 'Anwenden', exact: true }).waitFor();
    assert.deepEqual(await englishIn(page, 'de', data), []);
    await page.getByRole('button', { name: 'Anwenden', exact: true }).click();
    await page
      .getByText('12 Zeilen gefunden, durchsucht: 300 geladene von 100.000 Zeilen.')
      .waitFor();
    assert.deepEqual(await englishIn(page, 'de', data), []);
    await noFaults(page);
    await pages.done(page);
  });

  it('show the grid in Japanese', async () => {
    const page = await pages.open({ language: 'ja' });
    await fillView(page);
    assert.deepEqual(await englishIn(page, 'ja', data), []);
    await page.getByRole('button', { name: '行を追加' }).waitFor();
    await noFaults(page);
    await pages.done(page);
  });

  it('show numbers of another language where there are no texts of it', async () => {
    const page = await pages.open({ language: 'en-IN' });
    await page.getByText('1,00,000 rows').waitFor();
    await pages.done(page);
  });

  it('run a prompt in German, with its numbers', async () => {
    const runs = await startRunPages();
    try {
      const page = await runs.open(undefined, 1100, 'de');
      const running: RunStatus = { runId: 1, state: 'running', elapsedMs: 10 };
      await emit(page, 'started', running);
      assert.deepEqual(await englishIn(page, 'de', '.form .name'), []);
      const status: RunStatus = {
        ...running,
        ...{ state: 'done', elapsedMs: 2500, firstTokenMs: 500 },
        ...{ inputTokens: 1200, outputTokens: 34, priceUsd: 0.0123, requestId: 7 },
      };
      await emit(page, 'progress', {
        status,
        changes: [{ id: 'c0', kind: 'text', text: 'Hallo', replace: false }],
      });
      await page.getByRole('button', { name: 'Erneut ausführen' }).waitFor();
      const foot = page.locator('.status-line');
      await until('its numbers are shown', async () =>
        /2,5 s.*1\.200.*0,0123\s\$/.test((await foot.textContent()) ?? ''),
      );
      assert.equal(await foot.getAttribute('aria-label'), 'Lauf');
      assert.deepEqual(await englishIn(page, 'de', '.form .name'), []);
    } finally {
      await runs.close();
    }
  });
});
