import assert from 'node:assert/strict';
import { sharedWorkbench } from '../support/host/shared.ts';
import {
  closeEditor,
  answer,
  chooseInMenu,
  confirm,
  runCommand,
  screenshot,
  showView,
  statusItem,
  treeItem,
  webview,
  type Workbench,
} from '../support/host/workbench.ts';

describe('VS Code: the tree of tables by hand', function () {
  this.timeout(120_000);
  let workbench: Workbench;

  before(async () => {
    workbench = await sharedWorkbench();
    await showView(workbench);
    await runCommand(workbench, 'Prompt Tables: Use Local Workspace');
    await statusItem(workbench, 'Local workspace').waitFor();
  });

  /** Opens an item's context menu and chooses in it. */
  async function choose(item: string | RegExp, entry: string): Promise<void> {
    await chooseInMenu(workbench, treeItem(workbench, item), entry);
  }

  it('makes a table, which comes with a sheet', async () => {
    await runCommand(workbench, 'Prompt Tables: New Table…');
    await answer(workbench, 'Made by hand');
    await treeItem(workbench, /Table Made by hand, 1 sheet/).waitFor();
    await treeItem(workbench, /Table Made by hand/)
      .locator('.monaco-tl-twistie')
      .click();
    await treeItem(workbench, /^Sheet .*, 1 row/).waitFor();
  });

  it('renames a sheet from its menu', async () => {
    await choose(/^Sheet .*, 1 row/, 'Rename Sheet…');
    await answer(workbench, 'First sheet');
    await treeItem(workbench, /Sheet First sheet/).waitFor();
  });

  it('saves a version and restores it after asking', async () => {
    await choose(/Sheet First sheet/, 'Save Sheet Version…');
    await answer(workbench, 'Before the change');
    await treeItem(workbench, /Sheet First sheet/)
      .locator('.monaco-tl-twistie')
      .click();
    await treeItem(workbench, /Saved versions/)
      .locator('.monaco-tl-twistie')
      .click();
    await treeItem(workbench, /Saved version Before the change, number 1/).waitFor();
    // A version that the sheet is at cannot be restored.
    await treeItem(workbench, /Sheet First sheet/).click();
    await webview(workbench).getByRole('grid').waitFor();
    await runCommand(workbench, 'Prompt Tables: Add Row');
    await treeItem(workbench, /Sheet First sheet, 2 rows/).waitFor();
    await choose(/Saved version Before the change/, 'Restore Sheet Version…');
    await workbench.page
      .locator('.monaco-dialog-box')
      .getByText('Workspace: Local workspace')
      .waitFor();
    await screenshot(workbench, 'tree-restore');
    await confirm(workbench, 'Restore');
    await treeItem(workbench, /Saved version .*number 2/).waitFor();
    await treeItem(workbench, /Sheet First sheet, 1 row/).waitFor();
    await closeEditor(workbench);
  });

  it('keeps what is expanded over a refresh', async () => {
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await workbench.page.waitForTimeout(1000);
    assert.ok(await treeItem(workbench, /Saved version .*number 2/).isVisible());
  });

  it('filters tables by name, and says so when none fits', async () => {
    await runCommand(workbench, 'Prompt Tables: Filter Tables by Name…');
    await answer(workbench, 'by HAND');
    await treeItem(workbench, /Table Made by hand/).waitFor();
    await runCommand(workbench, 'Prompt Tables: Filter Tables by Name…');
    await answer(workbench, 'no table is called this');
    await workbench.page.getByText('No tables match the filter.').waitFor();
    await workbench.page.getByRole('button', { name: 'Clear the Filter' }).click();
    await treeItem(workbench, /Table Made by hand/).waitFor();
  });

  it('deletes a table only after naming it and the workspace', async () => {
    await choose(/Table Made by hand/, 'Delete Table…');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Delete the table Made by hand with all its sheets?').waitFor();
    await confirm(workbench, 'Cancel');
    assert.ok(await treeItem(workbench, /Table Made by hand/).isVisible());
    await choose(/Table Made by hand/, 'Delete Table…');
    await confirm(workbench, 'Delete');
    await treeItem(workbench, /Table Made by hand/).waitFor({ state: 'detached' });
  });
});
