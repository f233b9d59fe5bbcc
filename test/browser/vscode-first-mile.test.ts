/** Restricted mode, tools of assistants, several windows and another language, in a real VS Code. */
import assert from 'node:assert/strict';
import type { BrowserContext, FrameLocator, Locator } from 'playwright-core';
import { inRoot } from '../../scripts/paths.mjs';
import { openSample } from '../support/host/run-steps.ts';
import { freshWorkbench } from '../support/host/shared.ts';
import {
  answer,
  askBy,
  closeEditor,
  dismiss,
  notification,
  openWorkbench,
  patiently,
  quickInput,
  reload,
  runCommand,
  screenshot,
  showView,
  statusItem,
  treeItem,
  webview,
  webviewFrame,
  type Workbench,
} from '../support/host/workbench.ts';
import { englishIn } from './support/texts.ts';

/** What the folder wants: to lift the guards, and something harmless. */
const ofFolder = {
  'promptTables.run.confirmAbove': 1_000_000,
  'promptTables.run.budgetUsd': 999,
  'promptTables.copy.formulaGuard': false,
  'promptTables.copy.limitMegabytes': 500,
  'promptTables.runs.keep': 0,
  'promptTables.prompts.cacheSeconds': 86_400,
  'promptTables.tree.pageSize': 7,
};
const canary = 'pl_canary_of_the_environment_4711';

const namesOfSettings = (box: Locator): Locator => box.getByLabel('Names of settings');

describe('VS Code: restricted mode, assistants, windows and languages', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let context: BrowserContext;

  before(async () => {
    const fresh = await freshWorkbench({
      restricted: true,
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
      },
      env: { PROMPTLAYER_API_KEY: canary, PROMPTLAYER_BASE_URL: 'http://127.0.0.1:9/elsewhere' },
      extensions: [inRoot('test', 'support', 'host', 'tool-caller')],
      files: {
        'workspace/.vscode/settings.json': JSON.stringify({
          'promptTables.baseUrl': 'http://127.0.0.1:9/of-the-folder',
          ...ofFolder,
        }),
        // What is of a machine is read from there, not from the user's settings.
        'user-data/Machine/settings.json': JSON.stringify({
          'promptTables.assistants.mcpServers': 'readOnly',
        }),
      },
    });
    workbench = fresh;
    ({ context } = fresh);
    await showView(workbench);
  });

  const dialog = (): Locator => workbench.page.locator('.monaco-dialog-box');

  it('in an untrusted folder uses neither key nor address of environment or folder', async () => {
    await workbench.page.locator('.statusbar').getByText('Restricted Mode').waitFor();
    await workbench.page.getByText("This workspace folder isn't trusted").first().waitFor();
    await screenshot(workbench, 'restricted-welcome');
    await runCommand(workbench, 'Prompt Tables: Connect to PromptLayer…');
    await quickInput(workbench).getByText('Address of the service').waitFor();
    const proposed = await quickInput(workbench).locator('input').first().inputValue();
    assert.equal(proposed, 'https://api.promptlayer.com');
    await answer(workbench);
    // Straight to the key: there is no choice that would offer the one of the environment.
    await quickInput(workbench).locator('input[type=password]').waitFor();
    await dismiss(workbench);
  });

  it('takes no guard of money or data from the settings of that folder', async () => {
    await askBy(workbench, 'Test: Read Settings', namesOfSettings);
    await answer(workbench, Object.keys(ofFolder).join(' '));
    // Only the last one is the folder's.
    await notification(workbench, 'Settings: [1,0,true,64,500,120,7]').waitFor();
    await runCommand(workbench, 'Notifications: Clear All Notifications');
  });

  it('works there with the local workspace', async () => {
    await runCommand(workbench, 'Prompt Tables: Use Local Workspace');
    await statusItem(workbench, 'Local workspace').waitFor();
    await runCommand(workbench, 'Prompt Tables: New Table…');
    await answer(workbench, 'First table');
    await treeItem(workbench, /First table/).waitFor(patiently);
  });

  it('lets an assistant read', async () => {
    await runCommand(workbench, 'Test: Call Tool');
    await answer(workbench, 'list_smart_tables');
    await answer(workbench, '{}');
    await notification(workbench, /"title":"First table"/).waitFor();
    await runCommand(workbench, 'Notifications: Clear All Notifications');
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

  it('has MCP servers, and takes what the folder wants, only once it is trusted', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Test: List Servers');
    await notification(workbench, 'Servers: []').waitFor();
    await runCommand(workbench, 'Workspaces: Manage Workspace Trust');
    await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    await page.locator('.statusbar').getByText('Restricted Mode').waitFor({ state: 'detached' });
    await page
      .locator('.modal-editor-header')
      .getByRole('button', { name: /^Close/ })
      .click();
    await page.getByText('You trust this folder').waitFor({ state: 'hidden' });
    await runCommand(workbench, 'Notifications: Clear All Notifications');
    await runCommand(workbench, 'Test: List Servers');
    await notification(workbench, 'Servers: ["Prompt Tables: Local workspace"]').waitFor();
    await runCommand(workbench, 'Notifications: Clear All Notifications');
    await askBy(workbench, 'Test: Read Settings', namesOfSettings);
    await answer(workbench, Object.keys(ofFolder).join(' '));
    await notification(workbench, `Settings: ${JSON.stringify(Object.values(ofFolder))}`).waitFor();
    await runCommand(workbench, 'Notifications: Clear All Notifications');
    await closeEditor(workbench);
  });

  it('shows a second window what the first has made, over the same local service', async () => {
    const other = await openWorkbench(context, workbench.host);
    await showView(other);
    await treeItem(other, /First table/).waitFor(patiently);
    await runCommand(other, 'Prompt Tables: New Table…');
    await answer(other, 'Second table');
    await treeItem(other, /Second table/).waitFor();
    await other.page.close();
    await workbench.page.bringToFront();
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await treeItem(workbench, /Second table/).waitFor();
    await treeItem(workbench, /First table/).waitFor();
  });

  it('speaks German where VS Code does', async () => {
    await workbench.page.addInitScript(() => {
      (globalThis as Record<string, unknown>)['_VSCODE_NLS_LANGUAGE'] = 'de';
    });
    await reload(workbench);
    await showView(workbench);
    await statusItem(workbench, 'Lokaler Arbeitsbereich').waitFor(patiently);
    await runCommand(workbench, 'Prompt Tables: Mit PromptLayer verbinden…');
    await quickInput(workbench).getByText('Adresse des Dienstes').waitFor();
    await screenshot(workbench, 'german');
    await dismiss(workbench);
    await treeItem(workbench, /Tabelle First table, 1 Blatt/).waitFor();
  });

  it('speaks German in the pages of its panels', async () => {
    const said = async (except: string): Promise<readonly string[]> =>
      englishIn(await webviewFrame(workbench), 'de', except);
    const view = (): FrameLocator => webview(workbench);
    await runCommand(workbench, 'Prompt Tables: Beispielblatt öffnen');
    await view().getByRole('button', { name: 'Zeile hinzufügen' }).waitFor(patiently);
    await view().locator('.rows > .row:not(.skeleton)').first().waitFor();
    await view()
      .getByText(/^[\d.]+ Zeilen$/)
      .waitFor();
    await screenshot(workbench, 'german-grid');
    assert.equal(await view().locator('html').getAttribute('lang'), 'de');
    assert.deepEqual(await said('.rows, .head .title, .sheet-title'), []);

    await runCommand(workbench, 'Prompt Tables: Spalte hinzufügen…');
    await view().getByLabel('Typ').selectOption({ label: 'Regulärer Ausdruck' });
    await screenshot(workbench, 'german-column-form');
    assert.deepEqual(await said('select:not(#type) option'), []);
    await view().getByRole('button', { name: 'Abbrechen' }).click();
    await view().getByRole('button', { name: 'Zeile hinzufügen' }).waitFor();

    await runCommand(workbench, 'Prompt Tables: Diagramme des Blatts anzeigen…');
    await view().getByRole('tab', { name: 'Latenz' }).waitFor();
    await view()
      .getByText(/Zeilen gelesen$/)
      .waitFor(patiently);
    await screenshot(workbench, 'german-charts');
    assert.deepEqual(await said('tbody th'), []);
  });
});
