/** Clipboard, keys and tabs of a sheet by hand, in a real VS Code on a real service. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  closeEditor,
  dismiss,
  patiently,
  pick,
  pickBy,
  quickInput,
  reload,
  runCommand,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { hosted, makeSheet, openSheet, type Hosted, type MadeSheet } from './support/hosted.ts';
import { until } from '../support/until.ts';

describe('VS Code: a sheet by hand', function () {
  this.timeout(240_000);
  let window: Hosted;
  let sheet: MadeSheet;

  before(async () => {
    window = await hosted();
  });
  beforeEach(async () => {
    const rows = ['a, b\nc, d', 'leave', '', '', ''].map((word) => [word, '']);
    sheet = await makeSheet(window, ['word', 'note'], rows);
    await openSheet(window, sheet);
  });

  const view = () => webview(window.workbench);
  const page = () => window.workbench.page;
  const editor = (): Locator => view().locator('textarea.editor');
  const cell = (row: number, column: number): Locator =>
    view().locator(`.rows > .row[aria-rowindex="${row + 2}"] > [aria-colindex="${column + 2}"]`);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page().keyboard.press(key);
  };
  const says = (text: string | RegExp): Promise<void> =>
    view().getByText(text).first().waitFor(patiently);
  /** What the service holds in the first column. */
  async function words(): Promise<(string | null)[]> {
    const { data } = await window.service.api.get(`${sheet.path}/rows?limit=100`);
    return data.map(({ cells }) => {
      const value: unknown = cells[sheet.columnId]?.value;
      return typeof value === 'string' ? value : null;
    });
  }

  async function filterBy(text: string): Promise<void> {
    await runCommand(window.workbench, 'Prompt Tables: Filter and Sort Rows…');
    const bar = view().getByRole('group', { name: 'Filter and sort rows' });
    await bar.getByRole('textbox', { name: 'Value' }).fill(text);
    await bar.getByRole('button', { name: 'Apply', exact: true }).click();
    await says(/^1 row found in /);
  }

  async function writeClipboard(text: string): Promise<void> {
    // The page itself must have the focus to write it.
    await press('F1');
    await page().evaluate((given) => navigator.clipboard.writeText(given), text);
    await press('Escape');
  }

  /** Waits until the service holds these, from a row on. */
  async function holds(from: number, expected: readonly string[]): Promise<void> {
    await until('the service holds them', async () => {
      assert.deepEqual((await words()).slice(from), expected);
      return true;
    });
  }

  it('copies one cell, and pastes it as that one cell', async () => {
    await cell(0, 0).click();
    await press('Control+c');
    await says('Copied 1 cell.');
    await cell(2, 0).click();
    await press('Control+v');
    await editor().waitFor(patiently);
    assert.equal(await editor().inputValue(), 'a, b\nc, d');
    await press('Enter');
    await cell(2, 0).getByText(/c, d/).waitFor(patiently);
    await holds(1, ['leave', 'a, b\nc, d', '', '']);
    // Onto several cells it goes into each of them.
    await cell(3, 0).click();
    await press('Shift+ArrowDown', 'Control+v');
    await says('Changed 2 cells.');
    await holds(3, ['a, b\nc, d', 'a, b\nc, d']);
    await press('Control+z');
    await says('Undid the changes of 2 of 2 cells.');
  });

  it('asks what lines of an editor are, and cuts', async () => {
    await writeClipboard('x, y\nz, w\n');
    await cell(2, 0).click();
    await press('Control+v');
    await quickInput(window.workbench).getByText('Comma-Separated Values').waitFor(patiently);
    await screenshot(window.workbench, 'grid-paste-as');
    await pick(window.workbench, /^Lines, One Cell Each/);
    await says('Changed 2 cells.');
    await holds(2, ['x, y', 'z, w', '']);
    await cell(2, 0).click();
    await press('Shift+ArrowDown', 'Control+x');
    await holds(2, ['', '', '']);
  });

  it('asks what the clipboard is by the palette', async () => {
    await writeClipboard('x, y\nz, w\n');
    await cell(2, 0).click();
    await runCommand(window.workbench, 'Prompt Tables: Paste As…');
    await pick(window.workbench, /^One Cell/);
    await editor().waitFor(patiently);
    assert.equal(await editor().inputValue(), 'x, y\nz, w');
    await press('Escape');
  });

  it('opens the palette while a cell is edited, and keeps the draft', async () => {
    await cell(1, 0).click();
    await press('F2', 'End');
    await page().keyboard.type('!');
    for (const keys of ['F1', 'Control+Shift+P', 'Control+p']) {
      await editor().focus();
      await press(keys);
      await quickInput(window.workbench).waitFor(patiently);
      // What is typed goes to the palette: the grid does not take the focus back.
      const typed = quickInput(window.workbench).locator('input[type=text]');
      await typed.and(page().locator(':focus')).waitFor(patiently);
      await page().keyboard.type('zzz');
      await until('the palette to have what is typed', async () =>
        (await typed.inputValue()).endsWith('zzz'),
      );
      await dismiss(window.workbench);
      assert.equal(await editor().inputValue(), 'leave!', keys);
    }
    // VS Code may give the focus back to the grid, which stores the draft as a click elsewhere does.
    if (await editor().isVisible()) await press('Enter');
    await cell(1, 0).getByText('leave!').waitFor(patiently);
  });

  it('has one tab of a sheet, filtered as it was, also when a reload has left it in the background', async () => {
    const { workbench } = window;
    const other = await makeSheet(window, ['second'], [['b']]);
    await filterBy('leave');
    await pickBy(workbench, 'Prompt Tables: Open Sheet…', new RegExp(`^${other.table}(,|$|\\s)`));
    await pick(workbench, /^Answers/);
    await view()
      .getByRole('columnheader', { name: /second/ })
      .waitFor(patiently);
    const tabs = page().locator('.tabs-container .tab');
    await tabs.filter({ hasText: other.table }).waitFor(patiently);
    assert.equal(await tabs.count(), 2);
    await reload(
      workbench,
      `"sheetId":"${sheet.sheetId}"`,
      `"sheetId":"${other.sheetId}"`,
      '"operand":"leave"',
    );
    await view()
      .getByRole('columnheader', { name: /second/ })
      .waitFor(patiently);
    await pickBy(workbench, 'Prompt Tables: Open Sheet…', new RegExp(`^${sheet.table}(,|$|\\s)`));
    await pick(workbench, /^Answers/);
    await view().getByRole('columnheader', { name: /note/ }).waitFor(patiently);
    await says(/contains “leave”/);
    assert.equal(await tabs.count(), 2);
    await tabs.filter({ hasText: sheet.table }).waitFor(patiently);
  });

  it('follows a new name, and closes when its sheet was deleted', async () => {
    const { api } = window.service;
    await api.expect(200, 'PATCH', sheet.path, { title: 'Renamed elsewhere' });
    const tab = page().locator('.tabs-container .tab', { hasText: 'Renamed elsewhere' });
    await tab.waitFor(patiently);
    await view().locator('.sheet-name', { hasText: 'Renamed elsewhere' }).waitFor(patiently);
    await api.expect(200, 'DELETE', sheet.path);
    await says(/This sheet was deleted/);
    await screenshot(window.workbench, 'grid-deleted');
    await view().locator('.banners').getByRole('button', { name: 'Close' }).click();
    await tab.waitFor({ state: 'detached', ...patiently });
  });

  it('offers to export only the rows shown', async () => {
    await filterBy('leave');
    await press('Escape');
    await runCommand(window.workbench, 'Prompt Tables: Export Sheet…');
    await pick(window.workbench, /^CSV/);
    await quickInput(window.workbench).getByText('Only rows shown in the grid').waitFor(patiently);
    await screenshot(window.workbench, 'grid-export-shown');
    await dismiss(window.workbench);
    await closeEditor(window.workbench);
  });
});
