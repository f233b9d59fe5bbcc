/** What a person does with a sheet, in a real VS Code. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Client } from '../../src/core/index.ts';
import { openSample } from '../support/host/run-steps.ts';
import { sharedWorkbench } from '../support/host/shared.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import {
  answer,
  closeEditor,
  confirm,
  patiently,
  pickBy,
  reload,
  runCommand,
  screenshot,
  statusItem,
  treeItem,
  webview,
  type Workbench,
} from '../support/host/workbench.ts';
import { announced, localWorkspace } from './support/local.ts';

type Title = 'word' | 'topic' | 'review';

describe('VS Code: working in a sheet', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let client: Client;
  let texts = 0;
  /** Places of some of the sample's columns, whatever order it has. */
  const columns: Record<Title, number> = { word: 0, topic: 0, review: 0 };

  before(async () => {
    workbench = await sharedWorkbench();
    client = await localWorkspace(workbench);
    await openSample(workbench);
    for (const title of ['topic', 'review', 'word'] as const) {
      columns[title] = await placeOf(title);
    }
  });
  beforeEach(async () => {
    await tidyUp(workbench);
    await openSample(workbench);
  });
  after(() => client.close());

  /** That no cell has yet, also when a test is tried again. */
  const newText = (): string => {
    texts += 1;
    return `typed ${texts} at ${Date.now()}`;
  };
  const row = (position: number): Locator =>
    webview(workbench).locator(`[role=row][aria-rowindex="${position + 2}"]`);
  const cell = (position: number, column: number): Locator =>
    row(position).locator(`[role=gridcell][aria-colindex="${column + 2}"]`);
  const tabs = (): Locator => workbench.page.getByRole('tab', { name: /WordNet senses/ });
  const press = (keys: string): Promise<void> => workbench.page.keyboard.press(keys);

  /** Brings the column into view: columns far to the side are not in the page. */
  async function placeOf(title: Title): Promise<number> {
    await pickBy(workbench, 'Prompt Tables: Go to Column…', new RegExp(`^${title}(,|$)`));
    const header = webview(workbench)
      .getByRole('columnheader')
      .filter({ has: webview(workbench).getByText(title, { exact: true }) });
    return Number(await header.first().getAttribute('aria-colindex')) - 2;
  }

  async function goTo(rowNumber: string, column: RegExp): Promise<void> {
    await runCommand(workbench, 'Prompt Tables: Go to Row…');
    await answer(workbench, rowNumber);
    await pickBy(workbench, 'Prompt Tables: Go to Column…', column);
  }

  const servicePid = (): number => announced(workbench)?.pid ?? assert.fail('no service');

  const topic = (position: number): Locator => cell(position, columns.topic);
  /** Nothing of it is unsaved. */
  const savedTopic = (position: number): Locator =>
    topic(position).and(webview(workbench).locator(':not([class*="u-"])'));
  async function typeTopic(text: string): Promise<void> {
    await press('F2');
    const editor = webview(workbench).getByRole('textbox', { name: /^Edit topic/ });
    await editor.fill(text);
    await screenshot(workbench, 'grid-editing');
    await press('Enter');
  }

  it('opens from the tree, in one tab however often it is clicked', async () => {
    await tidyUp(workbench);
    const sheet = treeItem(workbench, /WordNet senses/);
    if (!(await sheet.isVisible())) await treeItem(workbench, /Word definitions/).click();
    await sheet.click();
    await cell(0, columns.word).getByText('abandon').waitFor(patiently);
    await sheet.click();
    await sheet.click();
    assert.equal(await tabs().count(), 1);
  });

  /** With no cell that has been computed. */
  async function openNewSample(): Promise<void> {
    await tidyUp(workbench);
    for await (const { id, title } of client.tables.list({ name: 'Word definitions' })) {
      if (title === 'Word definitions') await client.tables.delete(id);
    }
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await treeItem(workbench, /Table Word definitions/).waitFor({ state: 'detached' });
    await openSample(workbench);
    await treeItem(workbench, /Table Word definitions/)
      .locator('.monaco-tl-twistie')
      .click();
    await treeItem(workbench, /WordNet senses/).waitFor();
  }

  it('runs cells after naming their number, shows progress, cancels, and opens a value in an editor', async () => {
    await openNewSample();
    const view = webview(workbench);
    await pickBy(workbench, 'Prompt Tables: Go to Column…', /^review/);
    await view.getByRole('button', { name: /^Run/ }).first().click();
    await view.getByRole('menuitem', { name: /Run all stale cells/ }).click();
    await workbench.page.locator('.monaco-dialog-box').waitFor();
    await screenshot(workbench, 'grid-run-question');
    await confirm(workbench, /Run 28,800 cells/);
    await cell(0, columns.review).getByText('Completed').waitFor(patiently);
    // Nothing is expanded below the sheet: its own line tells, and cancels. At once, since a fast
    // machine has computed all of it within seconds.
    const running = treeItem(workbench, /Sheet WordNet senses, running, \d+ %/);
    await running.waitFor(patiently);
    await treeItem(workbench, 'Table Word definitions, running, 2 sheets').waitFor();
    await running.hover();
    await running.getByRole('button', { name: 'Cancel Operation' }).click();
    const said = statusItem(
      workbench,
      /^Canceled: [\d,]+ queued and \d+ running cells kept their previous values\.$/,
    );
    const label = said.locator('.statusbar-item-label');
    assert.ok(await label.evaluate((text) => text.scrollWidth <= text.clientWidth), 'is cut off');
    await view.locator('.progress-text').first().waitFor({ state: 'hidden' });
    await treeItem(workbench, /Sheet WordNet senses, 3,600 rows/).waitFor(patiently);
    await treeItem(workbench, 'Table Word definitions, 2 sheets').waitFor();
    await view
      .getByText(/[\d,]+ stale/)
      .first()
      .waitFor();
    await screenshot(workbench, 'grid-cancelled');

    // Laid out and read-only.
    await cell(0, columns.review).click();
    await runCommand(workbench, 'Prompt Tables: Open Value in Editor');
    const { page } = workbench;
    await page.getByRole('tab', { name: /review · 1\.json/ }).waitFor();
    await page.locator('.monaco-editor').getByText('"grade"').first().waitFor();
    await screenshot(workbench, 'grid-value');
    await closeEditor(workbench);
    await cell(0, columns.review).waitFor();
  });

  it('is where it was after the window is reloaded, and keeps an edit through an outage and that', async () => {
    const pid = servicePid();
    const text = newText();
    await goTo('2000', /^topic/);
    await topic(1999).click();
    process.kill(pid, 'SIGSTOP');
    try {
      await typeTopic(text);
      await webview(workbench).getByRole('alert').first().waitFor();
      await screenshot(workbench, 'grid-outage');
      // Enter has gone on to the next row.
      await reload(workbench, '"position":2000');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await webview(workbench)
      .locator('[role=row][aria-rowindex="2001"]:not(.skeleton)')
      .waitFor(patiently);
    assert.equal(await tabs().count(), 1);
    await savedTopic(1999).getByText(text).waitFor(patiently);
    await webview(workbench).getByRole('alert').first().waitFor({ state: 'hidden' });
  });

  it('goes on by itself when the service was killed', async () => {
    const text = newText();
    process.kill(servicePid(), 'SIGKILL');
    await goTo('1998', /^topic/);
    await topic(1997).click();
    await typeTopic(text);
    await savedTopic(1997).getByText(text).waitFor(patiently);
    await webview(workbench)
      .getByRole('alert')
      .first()
      .waitFor({ state: 'hidden', ...patiently });
  });

  it('can be worked with by keyboard alone', async () => {
    await tidyUp(workbench);
    await runCommand(workbench, 'Prompt Tables: Focus on Tables View');
    const sheet = treeItem(workbench, /WordNet senses/);
    const table = treeItem(workbench, /Word definitions/);
    // A key is lost while the tree is still taking the focus.
    await table.waitFor(patiently);
    await workbench.page.locator('.monaco-list:focus').waitFor();
    await press('Home');
    if ((await table.getAttribute('aria-expanded')) === 'false') await press('ArrowRight');
    await sheet.waitFor();
    await press('ArrowDown');
    await press('Enter');
    await webview(workbench).locator('[role=row]:not(.skeleton)').nth(3).waitFor(patiently);
    await press('Control+Home');
    await cell(0, columns.word).getByText('abandon').waitFor();
    await press('ArrowDown');
    for (let step = 0; step < columns.topic; step += 1) await press('ArrowRight');
    await press('F2');
    await webview(workbench)
      .getByRole('textbox', { name: /^Edit topic/ })
      .waitFor();
    await press('Escape');
    await webview(workbench)
      .getByRole('textbox', { name: /^Edit topic/ })
      .waitFor({ state: 'hidden' });
  });
});
