/** Names, errors and links of strangers in every place where VS Code shows text, in a real window. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Client, silentLogger } from '../../src/core/index.ts';
import type { SheetPlace } from '../service/support/api.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import {
  answer,
  askBy,
  chooseInMenu,
  confirm,
  dismiss,
  notification,
  patiently,
  pick,
  pickBy,
  quickInput,
  runCommand,
  screenshot,
  statusItem,
  treeItem,
  webview,
  type Workbench,
} from '../support/host/workbench.ts';
import { startFakeProvider, type FakeProvider } from '../support/providers/fake-provider.ts';
import type { TroubledService } from './support/hostile.ts';
import {
  asShown,
  hostile,
  hostilePart,
  isClean,
  isText,
  startTroubledService,
} from './support/hostile.ts';
import { connectedWorkbench, setVariable } from './support/prompt-hands.ts';

describe('VS Code: text of strangers', function () {
  this.timeout(240_000);
  let workbench: Workbench;
  let service: RunningService;
  let troubled: TroubledService;
  let provider: FakeProvider;
  let sheet: SheetPlace;
  let judged = 0;
  const prompt = hostile('Prompt');
  const snippet = 'Snippet **b** $(squirrel) <u>u</u>';

  before(async () => {
    service = await RunningService.start();
    troubled = await startTroubledService(service.ready.url ?? '');
    provider = await startFakeProvider(() => ({
      status: 400,
      body: { error: { message: hostile('Refused'), type: 'invalid_request_error' } },
    }));
    sheet = await makeSheet();
    await makeRegistry(service.ready.url ?? '');
    workbench = await connectedWorkbench(troubled.url, firstKey);
    fs.writeFileSync(
      promptFile(),
      `---\nprompt: use\nmodel:\n  provider: openai\n  name: gpt-test\n---\n\n=== user\nDo @@@${snippet}@@@ now.\n`,
    );
    await runCommand(workbench, 'Prompt Tables: Edit Connection…');
    await answer(workbench, hostile('Workspace'));
    await quickInput(workbench).getByText('Address of the service').waitFor();
    await answer(workbench);
    await workspaceItem().waitFor(patiently);
    await setVariable(workbench, 'OPENAI_API_KEY', 'sk-hostile-0000000000000000');
    await setVariable(workbench, 'OPENAI_BASE_URL', `${provider.url}/v1`);
  });
  beforeEach(async () => {
    troubled.trouble(/^/);
    await tidyUp(workbench);
  });
  after(async () => {
    await tidyUp(workbench);
    fs.rmSync(promptFile());
    await runCommand(workbench, 'Prompt Tables: Remove Connection…');
    await confirm(workbench, 'Remove');
    await workspaceItem().waitFor({ state: 'detached' });
    await provider.close();
    await troubled.close();
    await service.stop();
  });

  /** With a column that judges its one row, stale. */
  async function makeSheet(table = hostile('Table')): Promise<SheetPlace> {
    const { api } = service;
    const made = await api.newSheet();
    await api.expect(200, 'PATCH', made.path.replace(/\/sheets\/.*/, ''), { title: table });
    await api.expect(200, 'PATCH', made.path, { title: hostile('Sheet') });
    const add = async (body: object): Promise<string> =>
      (await api.expect(201, 'POST', `${made.path}/columns`, body)).column.id;
    const wanted = await add({ title: 'Wanted', type: 'TEXT' });
    await api.expect(201, 'POST', `${made.path}/rows`, {
      count: 1,
      values: [{ [made.columnId]: hostile('Value'), [wanted]: 'x' }],
    });
    await add({
      title: hostile('Same'),
      type: 'COMPARE',
      config: { sources: ['Column A', 'Wanted'], comparison_type: { type: 'STRING' } },
    });
    return made;
  }

  /** A prompt, a label of it, a folder and a workflow. */
  async function makeRegistry(baseURL: string): Promise<void> {
    const client = new Client({
      ...{ apiKey: firstKey, baseURL, logger: silentLogger, environment: {} },
      throwOnError: true,
    });
    await client.templates.publish({
      promptName: prompt,
      promptTemplate: {
        type: 'chat',
        messages: [{ role: 'user', content: [{ type: 'text', text: `Say ${asShown}.` }] }],
        input_variables: [],
      },
      metadata: {
        model: { provider: 'openai', name: hostile('Model'), parameters: {} },
      },
      commitMessage: hostile('Why').slice(0, 72),
      releaseLabels: [hostilePart('Label')],
    });
    await client.templates.publish({
      promptName: snippet,
      promptTemplate: {
        type: 'completion',
        content: [{ type: 'text', text: `\`\`\`\`\n${asShown}` }],
        input_variables: [],
      },
    });
    await client.folders.create({ name: hostilePart('Folder') });
    await client.workflows.create({
      name: hostile('Workflow'),
      nodes: [
        {
          name: 'answer',
          node_type: 'VARIABLE',
          configuration: { value: { type: 'string', value: asShown } },
          is_output_node: true,
        },
      ],
    });
    await client.close();
  }

  const page = () => workbench.page;
  const promptFile = (): string => path.join(workbench.host.workspace, 'use.prompt');
  const hover = (): Locator => page().locator('.monaco-hover:visible').filter({ hasText: 'Fix' });
  const toast = (text: string | RegExp): Locator => notification(workbench, text);
  const tab = (text: string | RegExp): Locator =>
    page().locator('.tabs-container .tab', { hasText: text });

  /** What an item tells when the pointer rests on it. */
  async function tooltipOf(item: Locator): Promise<void> {
    await page().mouse.move(900, 300);
    await item.hover({ position: { x: 60, y: 8 } });
    await isText(workbench, hover());
    await page().keyboard.press('Escape');
    await page().mouse.move(900, 500);
    await hover().first().waitFor({ state: 'hidden' });
  }

  /** It stays text under a click as well. */
  async function isHarmless(message: Locator, text?: string): Promise<void> {
    await isText(workbench, message, text);
    await message.getByText('Fix').first().click();
    await page().waitForTimeout(300);
    assert.equal(await quickInput(workbench).isVisible(), false);
  }

  const workspaceItem = (): Locator => statusItem(workbench, /Workspace \[Fix/);
  const tableItem = (): Locator => treeItem(workbench, /Table Table \[Fix/);
  const sheetItem = (): Locator => treeItem(workbench, /Sheet Sheet \[Fix/);
  async function unfold(item: Locator): Promise<void> {
    await item.waitFor(patiently);
    if ((await item.getAttribute('aria-expanded')) === 'true') return;
    await item.locator('.monaco-tl-twistie').click();
  }

  const clear = (): Promise<void> =>
    runCommand(workbench, 'Notifications: Clear All Notifications');

  it('in boxes that ask, and in the status bar', async () => {
    const item = workspaceItem();
    await item.waitFor(patiently);
    await isClean(page());
    assert.equal(await item.locator('.codicon-cloud').count(), 1);
    await tooltipOf(item);
    await askBy(workbench, 'Prompt Tables: Edit Connection…', (box) =>
      box.getByText(/Edit Workspace/),
    );
    await isText(workbench, quickInput(workbench).locator('.quick-input-title'));
    await dismiss(workbench);
    await askBy(workbench, 'Prompt Tables: Switch Workspace…', (box) =>
      box.getByText(/Workspace \[/),
    );
    await isText(workbench, quickInput(workbench).getByRole('option', { name: /Workspace \[/ }));
    await dismiss(workbench);
  });

  it('in the trees, their descriptions and tooltips', async () => {
    await isText(workbench, tableItem());
    await tooltipOf(tableItem());
    await unfold(tableItem());
    await isText(workbench, sheetItem());
    await tooltipOf(sheetItem());
    await isText(workbench, page().locator('.pane-header .description', { hasText: 'Fix' }));
    await screenshot(workbench, 'hostile-tree');
  });

  it('in lists to choose from, also while they are filtered', async () => {
    await askBy(workbench, 'Prompt Tables: Evaluate Sheet…', (box) => box.getByText(/Table \[/));
    const option = quickInput(workbench).getByRole('option', { name: /Table \[/ });
    await isText(workbench, option);
    for (const typed of ['Fix', '(comm', '$', 'squirrel']) {
      await quickInput(workbench).locator('input[type=text]').fill(typed);
      await page().waitForTimeout(200);
      await isClean(page());
    }
    await quickInput(workbench).locator('input[type=text]').fill('');
    await isText(workbench, option);
    await screenshot(workbench, 'hostile-pick');
    await dismiss(workbench);
  });

  it('in questions that wait for an answer', async () => {
    await chooseInMenu(workbench, tableItem(), 'Delete Table…');
    const dialog = page().locator('.monaco-dialog-box');
    await isText(workbench, dialog);
    await screenshot(workbench, 'hostile-question');
    await confirm(workbench, 'Cancel');
  });

  it('in notifications of what a service says, where a click does nothing', async () => {
    troubled.trouble(/^PATCH .*\/sheets\//, 400, { message: hostile('Refusal') });
    await unfold(tableItem());
    await chooseInMenu(workbench, sheetItem(), 'Rename Sheet…');
    await answer(workbench, 'another');
    const message = toast(/Refusal/);
    await isHarmless(message);
    await screenshot(workbench, 'hostile-notification');
  });

  async function follow(link: string): Promise<void> {
    await runCommand(workbench, 'Developer: Open URL');
    await answer(workbench, link);
    await confirm(workbench, /^Open/);
  }

  it('in links, which only open what is there', async () => {
    const start = 'code-oss://prompt-tables.prompt-tables/sheet?';
    const link = (base: string, sheetId = sheet.sheetId): string =>
      start +
      encodeURIComponent(
        new URLSearchParams({ base, table: sheet.tableId, sheet: sheetId }).toString(),
      );
    await follow(link('[Fix](command:workbench.action.showCommands)'));
    await toast('The link names no sheet').waitFor(patiently);
    await isClean(page());
    await clear();
    await follow(link('https://evil.example/[Fix](command:workbench.action.showCommands)'));
    const message = toast('The link points to https://evil.example, which');
    await message.waitFor(patiently);
    await isClean(page());
    await message.getByRole('button', { name: 'Connect…' }).click();
    const address = quickInput(workbench).locator('input[type=text]');
    await address.waitFor();
    assert.doesNotMatch(await address.inputValue(), /evil/);
    await dismiss(workbench);
    await clear();
    await follow(link(troubled.url, crypto.randomUUID()));
    await isText(workbench, toast("The sheet of the link isn't in Workspace"));
    assert.equal(await page().locator('.tabs-container .tab').count(), 0);
    await clear();
    await follow(link(troubled.url));
    // Tabs have the beginning of a long title.
    await isText(workbench, tab(/Sheet \[Fix/), '[Fix](command');
    await webview(workbench).getByRole('grid').waitFor(patiently);
    await screenshot(workbench, 'hostile-sheet');
    await isClean(page());
  });

  it('in what is under way', async () => {
    const release = troubled.hold(/^POST .*\/sheets/);
    const transfer = await page().evaluateHandle(
      (name) => {
        const made = new DataTransfer();
        made.items.add(new File(['city\nOslo\n'], name, { type: 'text/csv' }));
        return made;
      },
      `${hostilePart('File')}.csv`,
    );
    for (const event of ['dragenter', 'dragover', 'drop']) {
      await tableItem().dispatchEvent(event, { dataTransfer: transfer });
      await page().waitForTimeout(600);
    }
    // The file is shown first; its sheet is made when that is wanted.
    await isText(workbench, tab(/Import File \[Fix/), '[Fix](command');
    const heading = webview(workbench).getByRole('heading', { name: /^Import File \[Fix/ });
    await heading.waitFor(patiently);
    await webview(workbench).getByRole('button', { name: 'Import', exact: true }).click();
    await page().waitForTimeout(1000);
    await isClean(page());
    await screenshot(workbench, 'hostile-progress');
    release();
    await isText(workbench, tab(/File \[Fix/), '[Fix](command');
  });

  it('in the Test Explorer and its messages', async () => {
    judged += 1;
    await makeSheet(hostile(`Judged ${judged}`));
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await pickBy(workbench, 'Prompt Tables: Evaluate Sheet…', new RegExp(`^Judged ${judged} \\[`));
    await pick(workbench, /Sheet \[/);
    await confirm(workbench, /^Run \d cells/);
    const row = treeItem(workbench, /Row 2: Value.*\(Failed\)/);
    await row.waitFor(patiently);
    await isText(workbench, row);
    await isText(workbench, treeItem(workbench, /^Sheet \[/));
    await runCommand(workbench, 'Test Results: Focus on Test Results View');
    const message = page()
      .locator('.test-output-peek-tree')
      .getByText(/Same \[/)
      .first();
    await isText(workbench, message, '[Fix](command');
    await message.click();
    await page().waitForTimeout(1000);
    await screenshot(workbench, 'hostile-tests');
    await isClean(page());
  });

  it('in prompts, their folders and labels, and what is asked about them', async () => {
    await runCommand(workbench, 'Prompt Tables: Focus on Prompts View');
    await isText(workbench, treeItem(workbench, /Folder Folder \[Fix/), '[Fix](command');
    const item = treeItem(workbench, /Prompt Prompt \[Fix/);
    await isText(workbench, item);
    await tooltipOf(item);
    await unfold(item);
    const label = treeItem(workbench, /Label Label \[Fix/);
    await isText(workbench, label, '[Fix](command');
    await chooseInMenu(workbench, label, /^Remove Prompt Label/);
    await isText(workbench, page().locator('.monaco-dialog-box'));
    await confirm(workbench, 'Cancel');
    await chooseInMenu(workbench, label, /^Open Prompt/);
    await page().locator('.monaco-editor').getByText('Say').first().waitFor(patiently);
    await isText(workbench, tab(/Prompt \[Fix/), '-(squirrel)');
    // The icons of our own are icons.
    await page().locator('.codelens-decoration .codicon-play').first().waitFor(patiently);
    await screenshot(workbench, 'hostile-prompt');
    await isClean(page());
  });

  it('in the hover of a document that names a stranger', async () => {
    await page().keyboard.press('Control+P');
    await quickInput(workbench).locator('input[type=text]').fill('use.prompt');
    await pick(workbench, /^use\.prompt/);
    const named = page().locator('.monaco-editor .view-line').getByText('Snippet').first();
    await named.waitFor(patiently);
    await named.click();
    await runCommand(workbench, 'Show or Focus Hover');
    const shown = page().locator('.monaco-hover:visible');
    await isText(workbench, shown.filter({ hasText: 'version 1' }), snippet);
    await isText(workbench, shown.filter({ hasText: 'version 1' }));
    await screenshot(workbench, 'hostile-hover');
    await page().keyboard.press('Escape');
  });

  it('in what a provider says, and in the runs', async () => {
    const item = treeItem(workbench, /Prompt Prompt \[Fix/);
    await chooseInMenu(workbench, item, /^Run Prompt/);
    await pick(workbench, /^Latest version/);
    await isText(workbench, tab(/Run Prompt \[Fix/));
    const view = webview(workbench);
    await view.getByRole('button', { name: /^Run/ }).click();
    await view
      .getByText(/Refused/)
      .first()
      .waitFor(patiently);
    assert.equal(await view.locator('a[href*="command:"], .codicon-squirrel, u').count(), 0);
    for (const part of ['.head', '.problems'])
      assert.match(await view.locator(part).innerText(), /\ufffdgpj\.\ufffd/);
    await isClean(page());
    await screenshot(workbench, 'hostile-run');
    await runCommand(workbench, 'Prompt Tables: Focus on Runs View');
    const run = treeItem(workbench, /Prompt \[Fix/);
    await isText(workbench, run);
    await tooltipOf(run);
  });

  it('in workflows', async () => {
    await runCommand(workbench, 'Prompt Tables: Focus on Workflows View');
    const workflow = treeItem(workbench, /Workflow Workflow \[Fix/);
    await isText(workbench, workflow);
    await tooltipOf(workflow);
    await chooseInMenu(workbench, workflow, /^Run Workflow/);
    await pick(workbench, /^Latest version/);
    await isText(workbench, tab(/Run Workflow \[Fix/));
  });
});
