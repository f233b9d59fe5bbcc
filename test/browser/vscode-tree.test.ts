import assert from 'node:assert/strict';
import type { Client } from '../../src/core/index.ts';
import { sharedWorkbench } from '../support/host/shared.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import {
  answer,
  chooseInMenu,
  confirm,
  runCommand,
  screenshot,
  treeItem,
  webview,
  type Workbench,
} from '../support/host/workbench.ts';
import { localWorkspace } from './support/local.ts';

describe('VS Code: the tree of tables by hand', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let client: Client;
  let title = '';
  let tables = 0;

  before(async () => {
    workbench = await sharedWorkbench();
    client = await localWorkspace(workbench);
  });
  beforeEach(async () => {
    await tidyUp(workbench);
    tables += 1;
    title = `Made by hand ${tables}`;
  });
  afterEach(async () => {
    for await (const table of client.tables.list({ name: title })) {
      if (table.title === title) await client.tables.delete(table.id);
    }
  });
  after(() => client.close());

  const table = () => treeItem(workbench, new RegExp(`Table ${title}, 1 sheet`));
  const filterBy = async (text: string): Promise<void> => {
    await runCommand(workbench, 'Prompt Tables: Filter Tables by Name…');
    await answer(workbench, text);
  };

  /** Made by another program, with one sheet that is called like it. */
  async function makeTable(): Promise<void> {
    const { table: made, default_sheet: sheet } = await client.tables.create({ title });
    assert.ok(sheet);
    await client.tables.sheets.update(
      { tableId: made.id, sheetId: sheet.id },
      { title: `Sheet of ${title}` },
    );
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await table().waitFor();
  }

  it('makes a table, which comes with a sheet, and renames that from its menu', async () => {
    await runCommand(workbench, 'Prompt Tables: New Table…');
    await answer(workbench, title);
    await table().waitFor();
    await table().locator('.monaco-tl-twistie').click();
    const sheet = treeItem(workbench, /^Sheet .*, 1 row/);
    await sheet.waitFor();
    await chooseInMenu(workbench, sheet, 'Rename Sheet…');
    await answer(workbench, `First of ${title}`);
    await treeItem(workbench, new RegExp(`Sheet First of ${title}`)).waitFor();
  });

  it('saves a version, restores it after asking, and keeps what is expanded over a refresh', async () => {
    await makeTable();
    const sheet = (rows = '') => treeItem(workbench, new RegExp(`Sheet Sheet of ${title}${rows}`));
    await table().locator('.monaco-tl-twistie').click();
    await chooseInMenu(workbench, sheet(), 'Save Sheet Version…');
    await answer(workbench, 'Before the change');
    await sheet().locator('.monaco-tl-twistie').click();
    await treeItem(workbench, /Saved versions/)
      .locator('.monaco-tl-twistie')
      .click();
    const version = treeItem(workbench, /Saved version Before the change, number \d/);
    await version.waitFor();
    // A version that the sheet is at cannot be restored.
    await sheet().click();
    await webview(workbench).getByRole('grid').waitFor();
    await runCommand(workbench, 'Prompt Tables: Add Row');
    await sheet(', 2 rows').waitFor();
    await chooseInMenu(workbench, version, 'Restore Sheet Version…');
    await workbench.page
      .locator('.monaco-dialog-box')
      .getByText('Workspace: Local workspace')
      .waitFor();
    await screenshot(workbench, 'tree-restore');
    await confirm(workbench, 'Restore');
    await sheet(', 1 row').waitFor();
    const versions = workbench.page.getByRole('treeitem', { name: /^Saved version .*number/ });
    await versions.nth(1).waitFor();
    const before = await versions.count();
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await sheet(', 1 row').waitFor();
    await versions.nth(before - 1).waitFor();
  });

  it('filters tables by name, and says so when none fits', async () => {
    await makeTable();
    await filterBy(title.toUpperCase());
    await table().waitFor();
    await filterBy('no table is called this');
    await workbench.page.getByText('No tables match the filter.').waitFor();
    await workbench.page.getByRole('button', { name: 'Clear the Filter' }).click();
    await table().waitFor();
  });

  it('deletes a table only after naming it and the workspace', async () => {
    await makeTable();
    await chooseInMenu(workbench, table(), 'Delete Table…');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText(`Delete the table ${title} with all its sheets?`).waitFor();
    await confirm(workbench, 'Cancel');
    assert.ok(await table().isVisible());
    await chooseInMenu(workbench, table(), 'Delete Table…');
    await confirm(workbench, 'Delete');
    await table().waitFor({ state: 'detached' });
  });
});
