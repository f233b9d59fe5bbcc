/** Columns made, changed, moved and deleted by hand, in a real VS Code on a real service. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  confirm,
  patiently,
  pickBy,
  reload,
  runCommand,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { hosted, makeSheet, openSheet, type Hosted, type MadeSheet } from './support/hosted.ts';

describe('VS Code: columns', function () {
  this.timeout(180_000);
  let window: Hosted;
  let sheet: MadeSheet;

  before(async () => {
    window = await hosted();
  });
  beforeEach(async () => {
    sheet = await makeSheet(window, ['word', 'topic', 'example'], [['abandon', 'motion', 'x']]);
  });

  const view = () => webview(window.workbench);
  const hasColumns = (count: number): Promise<void> =>
    view().getByText(`${count} columns`).waitFor(patiently);
  const tab = (name: string | RegExp): Locator =>
    window.workbench.page.locator('.tabs-container').getByRole('tab', { name }).first();
  const box = (name: string): Locator => view().getByRole('textbox', { name });
  const choice = (name: string): Locator => view().getByRole('combobox', { name });
  const addColumn = (title: string, config: object): Promise<unknown> =>
    window.service.api.expect(201, 'POST', `${sheet.path}/columns`, {
      ...{ title, type: 'COUNT', config },
    });

  it('are made in a form that shows what the service refuses, and changed', async () => {
    const { workbench } = window;
    await openSheet(window, sheet);
    await runCommand(workbench, 'Prompt Tables: Add Column…');
    await box('Title').fill('Pattern');
    await choice('Type').selectOption({ label: 'Regular expression' });
    await choice('Source').selectOption('word');
    await box('Pattern').fill('(unfinished');
    await view().getByRole('button', { name: 'Add column' }).click();
    await view()
      .locator('[id="field-regex_pattern-fault"]')
      .filter({ hasText: /is not valid/ })
      .waitFor(patiently);
    await screenshot(workbench, 'column-refused');
    await choice('Type').selectOption({ label: 'Count' });
    await choice('Unit').selectOption('words');
    await workbench.page.keyboard.press('Control+Enter');
    await hasColumns(4);
    await pickBy(workbench, 'Prompt Tables: Edit Column…', /^Pattern/);
    assert.equal(await choice('Unit').inputValue(), 'words');
    await box('Title').fill('How many letters');
    await choice('Unit').selectOption('chars');
    await view().getByRole('button', { name: 'Save column' }).click();
    await view()
      .getByRole('columnheader', { name: /How many letters/ })
      .waitFor(patiently);
    const { data } = await window.service.api.get(`${sheet.path}/columns`);
    assert.deepEqual(data.at(-1)?.config, { source: 'word', type: 'chars' });
  });

  it('are as they were when the window is loaded anew: moved, and the form that is open with what was typed', async () => {
    const { workbench } = window;
    await openSheet(window, sheet);
    const titles = async (): Promise<readonly string[]> =>
      (await view().locator('.head .title').allInnerTexts()).slice(0, 3);
    const ordered = (first: string): Promise<void> =>
      view().locator('.head .title').first().filter({ hasText: first }).waitFor(patiently);
    await view().locator('.rows > .row:not(.skeleton) > .cell').first().click();
    await workbench.page.keyboard.press('Alt+ArrowRight');
    await ordered('topic');
    assert.deepEqual(await titles(), ['topic', 'word', 'example']);
    await runCommand(workbench, 'Prompt Tables: Add Column…');
    await box('Title').fill('Half done');
    await choice('Type').selectOption({ label: 'Regular expression' });
    await choice('Source').selectOption('topic');
    await box('Pattern').fill('^[a-z]+$');
    await reload(workbench, '^[a-z]+$');
    await box('Pattern').waitFor(patiently);
    assert.equal(await box('Title').inputValue(), 'Half done');
    assert.equal(await choice('Type').inputValue(), 'REGEX');
    assert.equal(await box('Pattern').inputValue(), '^[a-z]+$');
    assert.equal(await choice('Source').inputValue(), 'topic');
    assert.equal(await tab(/^New column in/).count(), 1);
    await view().getByRole('button', { name: 'Cancel' }).click();
    await hasColumns(3);
    await ordered('topic');
    assert.deepEqual(await titles(), ['topic', 'word', 'example']);
  });

  it('are deleted after naming what reads them', async () => {
    const { workbench } = window;
    await addColumn('How long', { source: 'word', type: 'chars' });
    await addColumn('How long is that', { source: 'How long', type: 'chars' });
    await openSheet(window, { ...sheet, columns: { 'How long is that': '' } });
    await pickBy(workbench, 'Prompt Tables: Delete Column…', /^word/);
    const question = workbench.page.locator('.monaco-dialog-box');
    await question.getByText('Delete the column word?').waitFor();
    await question.getByText(/become stale or fail without it: .*How long/).waitFor();
    await screenshot(workbench, 'column-delete');
    await confirm(workbench, 'Cancel');
    await hasColumns(5);
    await pickBy(workbench, 'Prompt Tables: Delete Column…', /^How long is that/);
    await confirm(workbench, 'Delete');
    await hasColumns(4);
  });
});
