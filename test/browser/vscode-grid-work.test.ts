/** Work on many rows and on columns in a grid, in a real VS Code on the local workspace. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { seriousViolations } from '../support/host/axe.ts';
import { openSample } from '../support/host/run-steps.ts';
import { sharedWorkbench } from '../support/host/shared.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  answer,
  confirm,
  patiently,
  reload,
  runCommand,
  screenshot,
  setTheme,
  webview,
  webviewFrame,
} from '../support/host/workbench.ts';

describe('VS Code: work in a grid', function () {
  this.timeout(180_000);
  let workbench: Workbench;

  before(async () => {
    workbench = await sharedWorkbench();
    await openSample(workbench);
  });

  const view = () => webview(workbench);
  const header = (name: string | RegExp): Locator =>
    view().getByRole('columnheader', { name }).first();
  const menuItem = (name: string): Locator => view().getByRole('menuitem', { name });
  const says = (text: string | RegExp): Promise<void> =>
    view().getByText(text).first().waitFor(patiently);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };

  async function openColumnMenu(name: string | RegExp): Promise<void> {
    await header(name).hover();
    await header(name).locator('.title-menu').click();
  }

  it('finds a word in the rows', async () => {
    await runCommand(workbench, 'Prompt Tables: Find in Sheet…');
    await view().getByRole('textbox', { name: 'Find' }).fill('leave');
    await says(/^[\d,]+ of [\d,]+ in [\d,]+ of 3,600 rows, those that are loaded$/);
    await screenshot(workbench, 'grid-find');
    await view().getByRole('textbox', { name: 'Find' }).press('Escape');
  });

  it('sorts by a column, filters, and shows all again', async () => {
    await openColumnMenu(/TEXT/);
    await menuItem('Sort largest first').click();
    await says(/^[\d,]+ rows from [\d,]+ of 3,600 rows, those that are loaded\./);
    await runCommand(workbench, 'Prompt Tables: Filter and Sort Rows…');
    const bar = view().getByRole('group', { name: 'Filter and sort rows' });
    await bar.getByRole('button', { name: 'Add condition' }).click();
    await bar.getByRole('combobox', { name: 'Column' }).selectOption({ label: 'Any column' });
    await bar.getByRole('textbox', { name: 'Value' }).fill('e');
    await bar.getByRole('button', { name: 'Apply', exact: true }).click();
    await says(/Any column contains “e”; sorted by/);
    await screenshot(workbench, 'grid-filter');
  });

  it('comes back filtered when the window is loaded anew', async () => {
    await reload(workbench, '"sheetId"', '"operand":"e"');
    await says(/Any column contains “e”; sorted by/);
    await view().locator('.view-note').getByRole('button', { name: 'Show all rows' }).click();
    await view().locator('.view-note').waitFor({ state: 'hidden' });
  });

  it('duplicates and renames a column', async () => {
    await openColumnMenu(/TEXT/);
    await menuItem('Duplicate').click();
    await header(/\(copy\)/).waitFor(patiently);
    await openColumnMenu(/\(copy\)/);
    await menuItem('Rename…').click();
    await answer(workbench, 'Second question');
    await header(/Second question/).waitFor(patiently);
    await screenshot(workbench, 'grid-columns');
  });

  it('fills the new column with a pasted block, and takes it back in one step', async () => {
    await header(/Second question/).click();
    await press('Escape', 'ArrowDown');
    await view()
      .getByRole('grid')
      .evaluate((grid) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'one\ntwo\nthree\n');
        grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
      });
    await says('Changed 3 cells.');
    await says(/values 3/);
    await says(/distinct 3/);
    await screenshot(workbench, 'grid-pasted');
    await press('Control+z');
    await view().getByRole('gridcell', { name: 'three' }).waitFor({ state: 'detached' });
  });

  for (const theme of ['light', 'high-contrast'] as const) {
    it(`can be read by everybody in the theme "${theme}"`, async () => {
      await setTheme(workbench, theme);
      await header(/Second question/).waitFor(patiently);
      await runCommand(workbench, 'Prompt Tables: Filter and Sort Rows…');
      const bar = view().getByRole('group', { name: 'Filter and sort rows' });
      await bar.getByRole('button', { name: 'Add condition' }).waitFor();
      await runCommand(workbench, 'Prompt Tables: Find in Sheet…');
      await view().getByRole('textbox', { name: 'Find' }).fill('e');
      await view().locator('.cell.hit').nth(3).waitFor();
      await screenshot(workbench, `grid-work-${theme}`);
      assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
      await view().getByRole('textbox', { name: 'Find' }).press('Escape');
      await bar.getByRole('button', { name: 'Close' }).click();
    });
  }

  it('deletes the column again', async () => {
    await openColumnMenu(/Second question/);
    await menuItem('Delete…').click();
    await confirm(workbench, 'Delete');
    await header(/Second question/).waitFor({ state: 'detached', ...patiently });
  });
});
