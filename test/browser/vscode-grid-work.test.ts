/** Work on many rows and on columns in a grid, in a real VS Code on a real service. */
import type { Locator } from 'playwright-core';
import {
  answer,
  confirm,
  patiently,
  runCommand,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { hosted, makeSheet, openSheet, type Hosted } from './support/hosted.ts';

describe('VS Code: work in a grid', function () {
  this.timeout(180_000);
  let window: Hosted;

  before(async () => {
    window = await hosted();
  });
  beforeEach(async () => {
    const rows = ['abandon', 'leave', 'forsake', 'why'].map((word) => [word, '']);
    await openSheet(window, await makeSheet(window, ['word', 'note'], rows));
  });

  const view = () => webview(window.workbench);
  const header = (name: string | RegExp): Locator =>
    view().getByRole('columnheader', { name }).first();
  const menuItem = (name: string): Locator => view().getByRole('menuitem', { name });
  const says = (text: string | RegExp): Promise<void> =>
    view().getByText(text).first().waitFor(patiently);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await window.workbench.page.keyboard.press(key);
  };
  async function openColumnMenu(name: string | RegExp): Promise<void> {
    await header(name).hover();
    await header(name).locator('.title-menu').click();
  }

  it('finds, sorts and filters by the palette', async () => {
    const { workbench } = window;
    await runCommand(workbench, 'Prompt Tables: Find in Sheet…');
    await view().getByRole('textbox', { name: 'Find' }).fill('leave');
    await says(/^1 of 1 in /);
    await view().getByRole('textbox', { name: 'Find' }).press('Escape');
    await openColumnMenu(/word/);
    await menuItem('Sort largest first').click();
    await says(/^4 rows found in /);
    await runCommand(workbench, 'Prompt Tables: Filter and Sort Rows…');
    const bar = view().getByRole('group', { name: 'Filter and sort rows' });
    await bar.getByRole('button', { name: 'Add condition' }).click();
    await bar.getByRole('combobox', { name: 'Column' }).selectOption({ label: 'Any column' });
    await bar.getByRole('textbox', { name: 'Value' }).fill('e');
    await bar.getByRole('button', { name: 'Apply', exact: true }).click();
    await says(/Any column contains “e”; sorted by/);
    await screenshot(workbench, 'grid-filter');
    await view().locator('.view-note').getByRole('button', { name: 'Show all rows' }).click();
    await view().locator('.view-note').waitFor({ state: 'hidden' });
  });

  it('duplicates, renames and deletes a column, and takes a pasted block back in one step', async () => {
    const { workbench } = window;
    await openColumnMenu(/note/);
    await menuItem('Duplicate').click();
    await header(/\(copy\)/).waitFor(patiently);
    await openColumnMenu(/\(copy\)/);
    await menuItem('Rename…').click();
    await answer(workbench, 'Second note');
    await header(/Second note/).waitFor(patiently);
    await header(/Second note/).click();
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
    await openColumnMenu(/Second note/);
    await menuItem('Delete…').click();
    await confirm(workbench, 'Delete');
    await header(/Second note/).waitFor({ state: 'detached', ...patiently });
  });
});
