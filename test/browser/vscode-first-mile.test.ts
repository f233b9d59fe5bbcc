/** Restricted mode, tools of assistants, several windows and another language, in a real VS Code. */
import assert from 'node:assert/strict';
import type { BrowserContext, FrameLocator, Locator } from 'playwright-core';
import type { Client } from '../../src/core/index.ts';
import { startPromptService } from '../host/support/prompt-service.ts';
import { connect } from '../support/host/connect.ts';
import { openSample } from '../support/host/run-steps.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import { trustFolder } from '../support/host/trust.ts';
import {
  answer,
  askBy,
  confirm,
  dismiss,
  notification,
  openWorkbench,
  patiently,
  quickInput,
  runCommand,
  screenshot,
  showView,
  statusItem,
  treeItem,
  webview,
  webviewFrame,
  type Workbench,
} from '../support/host/workbench.ts';
import { localWorkspace } from './support/local.ts';
import { ofFolder, restrictedWorkbench } from './support/restricted.ts';
import { englishIn } from './support/texts.ts';

const namesOfSettings = (box: Locator): Locator => box.getByLabel('Names of settings');

describe('VS Code: restricted mode, assistants, windows and languages', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let context: BrowserContext;
  let client: Client;
  let title = '';
  let tables = 0;

  before(async () => {
    const restricted = await restrictedWorkbench();
    ({ workbench } = restricted);
    ({ context } = restricted.workbench);
    client = await localWorkspace(workbench);
  });
  beforeEach(async () => {
    await tidyUp(workbench);
    tables += 1;
    title = `Table no. ${tables}`;
  });
  after(() => client.close());

  /** In the local workspace, by another program. */
  async function makeTable(): Promise<void> {
    await client.tables.create({ title });
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await treeItem(workbench, `Table ${title}`).waitFor();
  }
  const clear = (): Promise<void> =>
    runCommand(workbench, 'Notifications: Clear All Notifications');
  async function readSettings(): Promise<void> {
    await askBy(workbench, 'Test: Read Settings', namesOfSettings);
    await answer(workbench, Object.keys(ofFolder).join(' '));
  }

  const dialog = (): Locator => workbench.page.locator('.monaco-dialog-box');

  /** Where no workspace is in use, as after the one in use has been removed. */
  async function showWelcome(): Promise<void> {
    const service = await startPromptService();
    await connect(workbench, { url: service.url, apiKey: 'pl_0123456789abcdef', name: 'Removed' });
    await runCommand(workbench, 'Prompt Tables: Remove Connection…');
    await confirm(workbench, 'Remove');
    const { page } = workbench;
    await page.getByText("This workspace folder isn't trusted").first().waitFor(patiently);
    await screenshot(workbench, 'restricted-welcome');
    await service.close();
  }

  it('in an untrusted folder uses neither key, address nor guard of environment or folder, until it is trusted', async () => {
    await trustFolder(workbench, false);
    await runCommand(workbench, 'Prompt Tables: Connect to PromptLayer…');
    await quickInput(workbench).getByText('Address of the service').waitFor();
    const proposed = await quickInput(workbench).locator('input').first().inputValue();
    assert.equal(proposed, 'https://api.promptlayer.com');
    await answer(workbench);
    // Straight to the key: there is no choice that would offer the one of the environment.
    await quickInput(workbench).locator('input[type=password]').waitFor();
    await dismiss(workbench);
    await showWelcome();
    await readSettings();
    // Only the last one is the folder's: the others guard money and data.
    await notification(workbench, 'Settings: [1,0,true,64,500,120,7]').waitFor();
    await clear();
    // The local workspace works there all the same.
    await runCommand(workbench, 'Prompt Tables: Use Local Workspace');
    await statusItem(workbench, 'Local workspace').waitFor();
    await runCommand(workbench, 'Prompt Tables: New Table…');
    await answer(workbench, title);
    await treeItem(workbench, `Table ${title}`).waitFor(patiently);
    await runCommand(workbench, 'Test: List Servers');
    await notification(workbench, 'Servers: []').waitFor();

    await trustFolder(workbench, true);
    await clear();
    await runCommand(workbench, 'Test: List Servers');
    await notification(workbench, 'Servers: ["Prompt Tables: Local workspace"]').waitFor();
    await clear();
    await readSettings();
    await notification(workbench, `Settings: ${JSON.stringify(Object.values(ofFolder))}`).waitFor();
  });

  it('lets an assistant read', async () => {
    await makeTable();
    await runCommand(workbench, 'Test: Call Tool');
    await answer(workbench, 'list_smart_tables');
    await answer(workbench, '{}');
    await notification(workbench, `"title":"${title}"`).waitFor();
  });

  it('asks before an assistant runs cells, naming workspace, place, rows, cells and cost', async () => {
    await openSample(workbench);
    await runCommand(workbench, 'Test: Call Tool');
    await answer(workbench, 'recalculate_sheet_cells');
    await answer(
      workbench,
      '{"table":"Word definitions","sheet":"WordNet senses","row_indices":[2,4],"scope":"all"}',
    );
    await dialog().waitFor();
    await screenshot(workbench, 'assistant-question-run');
    const asked = await dialog().innerText();
    for (const part of [
      'Workspace: Local workspace',
      'Sheet: Word definitions / ',
      'Rows (row_index): 2, 4',
      /Cells: (?:up to )?\d+ cells/,
      'Estimated cost: ',
    ])
      assert.ok(typeof part === 'string' ? asked.includes(part) : part.test(asked), asked);
    await workbench.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });

  it('shows in a second window, which speaks German, what the first has made, and the first what the second has', async () => {
    await makeTable();
    const german = await openWorkbench(context, workbench.host, { language: 'de' });
    try {
      await showView(german);
      await statusItem(german, 'Lokaler Arbeitsbereich').waitFor(patiently);
      await runCommand(german, 'Prompt Tables: Mit PromptLayer verbinden…');
      await quickInput(german).getByText('Adresse des Dienstes').waitFor();
      await screenshot(german, 'german');
      await dismiss(german);
      await treeItem(german, `Tabelle ${title}, 1 Blatt`).waitFor(patiently);
      await runCommand(german, 'Prompt Tables: Neue Tabelle…');
      await answer(german, `${title}, the second`);
      await treeItem(german, `${title}, the second`).waitFor();
      await panelsSpeakGerman(german);
    } finally {
      await german.page.close();
      await workbench.page.bringToFront();
    }
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await treeItem(workbench, `Table ${title}, the second`).waitFor();
    await treeItem(workbench, `Table ${title}, 1 sheet`).waitFor();
  });

  async function panelsSpeakGerman(german: Workbench): Promise<void> {
    const said = async (except: string): Promise<readonly string[]> =>
      englishIn(await webviewFrame(german), 'de', except);
    const view = (): FrameLocator => webview(german);
    await runCommand(german, 'Prompt Tables: Beispielblatt öffnen');
    await view().getByRole('button', { name: 'Zeile hinzufügen' }).waitFor(patiently);
    await view().locator('.rows > .row:not(.skeleton)').first().waitFor();
    await view()
      .getByText(/^[\d.]+ Zeilen$/)
      .waitFor();
    await screenshot(german, 'german-grid');
    assert.equal(await view().locator('html').getAttribute('lang'), 'de');
    assert.deepEqual(await said('.rows, .head .title, .sheet-title'), []);

    await runCommand(german, 'Prompt Tables: Spalte hinzufügen…');
    await view().getByLabel('Typ').selectOption({ label: 'Regulärer Ausdruck' });
    await screenshot(german, 'german-column-form');
    assert.deepEqual(await said('select:not(#type) option'), []);
    await view().getByRole('button', { name: 'Abbrechen' }).click();
    await view().getByRole('button', { name: 'Zeile hinzufügen' }).waitFor();

    await runCommand(german, 'Prompt Tables: Diagramme des Blatts anzeigen…');
    await view().getByRole('tab', { name: 'Latenz' }).waitFor();
    await view()
      .getByText(/Zeilen gelesen$/)
      .waitFor(patiently);
    await screenshot(german, 'german-charts');
    assert.deepEqual(await said('tbody th'), []);
  }
});
