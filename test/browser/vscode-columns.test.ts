/** Columns made, changed and deleted by hand, in a real VS Code on the local workspace. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { seriousViolations } from '../support/host/axe.ts';
import { openSample } from '../support/host/run-steps.ts';
import { sharedWorkbench } from '../support/host/shared.ts';
import { faultsOfTab } from '../support/host/tab-walk.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  closeEditor,
  confirm,
  patiently,
  pick,
  pickBy,
  quickInput,
  reload,
  runCommand,
  screenshot,
  setTheme,
  webview,
  webviewFrame,
} from '../support/host/workbench.ts';

describe('VS Code: columns', function () {
  this.timeout(180_000);
  let workbench: Workbench;

  before(async () => {
    workbench = await sharedWorkbench();
    await openSample(workbench);
  });

  const view = () => webview(workbench);
  const header = (name: string | RegExp): Locator =>
    view().getByRole('columnheader', { name }).first();
  const hasColumns = (count: number): Promise<void> =>
    view().getByText(`${count} columns`).waitFor(patiently);
  const tab = (name: string | RegExp): Locator =>
    workbench.page.locator('.tabs-container').getByRole('tab', { name }).first();
  const box = (name: string): Locator => view().getByRole('textbox', { name });
  const choice = (name: string): Locator => view().getByRole('combobox', { name });

  it('adds a column with a form that says what is missing', async () => {
    await runCommand(workbench, 'Prompt Tables: Add Column to Sheet…');
    await box('Title').fill('How many words');
    await choice('Type').selectOption({ label: 'Count' });
    await choice('Unit').selectOption('words');
    await view().getByRole('button', { name: 'Add column' }).click();
    await view().getByRole('alert').getByText('Source is missing.').waitFor();
    await screenshot(workbench, 'column-form');
    await choice('Source').selectOption({ index: 1 });
    await workbench.page.keyboard.press('Control+Enter');
    await hasColumns(15);
    await screenshot(workbench, 'column-added');
  });

  it('shows what the service says beside the field', async () => {
    await runCommand(workbench, 'Prompt Tables: Add Column to Sheet…');
    await box('Title').fill('Pattern');
    await choice('Type').selectOption({ label: 'Regular expression' });
    await choice('Source').selectOption({ index: 1 });
    await box('Pattern').fill('(unfinished');
    await view().getByRole('button', { name: 'Add column' }).click();
    await view()
      .locator('[id="field-regex_pattern-fault"]')
      .filter({ hasText: /is not valid/ })
      .waitFor(patiently);
    await screenshot(workbench, 'column-refused');
    await view().getByRole('button', { name: 'Cancel' }).click();
    await hasColumns(15);
  });

  for (const theme of ['light', 'high-contrast', 'dark'] as const) {
    it(`can be read by everybody in the theme "${theme}"`, async () => {
      await setTheme(workbench, theme);
      await header(/.+/).waitFor(patiently);
      await runCommand(workbench, 'Prompt Tables: Add Column to Sheet…');
      await choice('Type').selectOption({ label: 'Compare' });
      await screenshot(workbench, `column-form-${theme}`);
      assert.deepEqual(await faultsOfTab(workbench), []);
      assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
      await view().getByRole('button', { name: 'Cancel' }).click();
    });
  }

  it('changes a column', async () => {
    await hasColumns(15);
    await pickBy(workbench, 'Prompt Tables: Edit Column of Sheet…', /How many words/);
    assert.equal(await choice('Unit').inputValue(), 'words');
    await box('Title').fill('How many letters');
    await choice('Unit').selectOption('chars');
    await view().getByRole('button', { name: 'Save column' }).click();
    await hasColumns(15);
  });

  it('is as it was when the window is loaded anew: moved columns, and the form that is open with what was typed', async () => {
    const titles = async (): Promise<readonly string[]> =>
      (await view().locator('.head .title').allInnerTexts()).slice(0, 3);
    const ordered = (...wanted: readonly string[]): Promise<void> =>
      view()
        .locator('.head .title')
        .first()
        .filter({ hasText: wanted[0] ?? '' })
        .waitFor(patiently);
    const [first = '', second = '', third = ''] = await titles();
    await view().locator('.rows > .row:not(.skeleton) > .cell').first().click();
    await workbench.page.keyboard.press('Alt+ArrowRight');
    await ordered(second);
    assert.deepEqual(await titles(), [second, first, third]);
    await runCommand(workbench, 'Prompt Tables: Add Column to Sheet…');
    await box('Title').fill('Half done');
    await choice('Type').selectOption({ label: 'Regular expression' });
    await choice('Source').selectOption({ index: 2 });
    await box('Pattern').fill('^[a-z]+$');
    await reload(workbench, '^[a-z]+$');
    await box('Pattern').waitFor(patiently);
    assert.equal(await box('Title').inputValue(), 'Half done');
    assert.equal(await choice('Type').inputValue(), 'REGEX');
    assert.equal(await box('Pattern').inputValue(), '^[a-z]+$');
    assert.notEqual(await choice('Source').inputValue(), '');
    // Neither the form that was saved nor those that were cancelled.
    assert.equal(await tab(/^(New column of|Column How)/).count(), 1);
    await view().getByRole('button', { name: 'Cancel' }).click();
    await hasColumns(15);
    await ordered(second);
    await screenshot(workbench, 'column-moved');
    assert.deepEqual(await titles(), [second, first, third]);
  });

  it('deletes a column after naming what reads it', async () => {
    await pickBy(workbench, 'Prompt Tables: Delete Column of Sheet…', /^word/);
    const question = workbench.page.locator('.monaco-dialog-box');
    await question.getByText('Delete the column word?').waitFor();
    await question
      .getByText(/stale or failing without it: circular, .*record, How many letters\./)
      .waitFor();
    await screenshot(workbench, 'column-delete');
    await confirm(workbench, 'Cancel');
    await hasColumns(15);
    await pickBy(workbench, 'Prompt Tables: Delete Column of Sheet…', /How many letters/);
    await confirm(workbench, 'Delete');
    await hasColumns(14);
  });

  it('makes conditions of which one is enough, and says how an address is called', async () => {
    await runCommand(workbench, 'Prompt Tables: Add Column to Sheet…');
    await choice('Type').selectOption({ label: 'HTTP request' });
    await choice('Method').selectOption('PATCH');
    await choice('Type').selectOption({ label: 'Condition' });
    await box('Title').fill('Is long');
    await choice('Compared column').selectOption('word');
    await choice('Operator').selectOption('!=');
    await box('Value to compare with').fill('ability');
    await choice('All of them').selectOption('false');
    await screenshot(workbench, 'column-condition');
    await view().getByRole('button', { name: 'Add column' }).click();
    await hasColumns(15);
    await pickBy(workbench, 'Prompt Tables: Edit Column of Sheet…', /Is long/);
    assert.equal(await choice('All of them').inputValue(), 'false');
    await view().getByRole('button', { name: 'Cancel' }).click();
    await hasColumns(15);
    await pickBy(workbench, 'Prompt Tables: Delete Column of Sheet…', /Is long/);
    await confirm(workbench, 'Delete');
    await hasColumns(14);
  });

  it('compares two columns row by row, and counts which is better', async () => {
    await pickBy(workbench, 'Prompt Tables: Compare Columns of Sheet…', /^definition/);
    await quickInput(workbench).getByText('Right column').waitFor();
    await pick(workbench, /^example/);
    await view().getByRole('heading', { name: 'definition ↔ example' }).waitFor(patiently);
    await view().getByText('Row 1 of 3,600').waitFor(patiently);
    await view().locator('del.change').first().waitFor();
    await view().locator('ins.change').first().waitFor();
    for (const theme of ['light', 'high-contrast', 'dark'] as const) {
      await setTheme(workbench, theme);
      await view().getByText('Row 1 of 3,600').waitFor(patiently);
      await screenshot(workbench, `compare-${theme}`);
      assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
    }
    await view().getByRole('button', { name: 'Next row' }).focus();
    await workbench.page.keyboard.press('1');
    await view().getByText('Row 2 of 3,600').waitFor();
    // Back at once, before the next row has come.
    await workbench.page.keyboard.press('3');
    await workbench.page.keyboard.press('k');
    await view().getByText('definition 1 · example 0 · ties 1').waitFor();
    await view().getByRole('button', { name: 'Tie', pressed: true }).waitFor();
    await choice('Score of the left column').selectOption({ label: 'frequency' });
    await choice('Score of the right column').selectOption({ label: 'frequency' });
    await view().getByRole('button', { name: 'Count wins by score' }).click();
    await view().getByText('definition 0 · example 0 · ties 3,600').waitFor(patiently);
    await screenshot(workbench, 'compare-wins');
    await view().getByRole('button', { name: 'Open in diff editor' }).click();
    await workbench.page.locator('.monaco-diff-editor').waitFor(patiently);
    await tab('definition ↔ example · row 2').waitFor();
    await screenshot(workbench, 'compare-diff');
    await closeEditor(workbench);
    await tab('definition ↔ example').click();
    await view().getByText('Row 2 of 3,600').waitFor(patiently);
    await closeEditor(workbench);
  });
});
