/** What a person does with runs that are over, and where values come from. The steps build on each other. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { Model } from '../host/support/prompt-service.ts';
import { startModel } from '../host/support/prompt-service.ts';
import { Client, silentLogger } from '../../src/core/index.ts';
import type { SheetPlace } from '../service/support/api.ts';
import { firstKey, RunningService, secondKey } from '../service/support/running-service.ts';
import { addDemoPrompts } from '../support/demo-prompts.ts';
import { connect } from '../support/host/connect.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  anOption,
  answer,
  answerFile,
  askBy,
  chooseInMenu,
  closeEditor,
  confirm,
  notification,
  patiently,
  pick,
  quickInput,
  runCommand,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { connectedWorkbench, setVariable, until } from './support/prompt-hands.ts';

const rowCount = 250;
const needle = 'a needle far behind';

describe('VS Code: runs that are over', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let model: Model;
  let client: Client;
  let sheet: SheetPlace;

  before(async () => {
    [service, model] = await Promise.all([RunningService.start(), startModel()]);
    const { api } = service;
    const baseURL = service.ready.url ?? '';
    client = new Client({ apiKey: firstKey, baseURL, logger: silentLogger, environment: {} });
    await addDemoPrompts(api);
    await addDemoPrompts(service.withKey(secondKey));
    const rows = Array.from({ length: rowCount }, (_, at) => `question ${at + 1},calm`);
    sheet = await api.sheetOf(['question,tone', ...rows].join('\n'));
    const table = sheet.path.replace(/\/sheets\/.*/, '');
    await api.expect(200, 'PATCH', table, { title: 'Questions' });
    await api.expect(200, 'PATCH', sheet.path, { title: 'All' });
    workbench = await connectedWorkbench(baseURL, firstKey);
    await setVariable(workbench, 'OPENAI_API_KEY', 'sk-none');
    await setVariable(workbench, 'OPENAI_BASE_URL', `${model.url}/v1`);
  });
  after(async () => {
    await client.close();
    await Promise.all([service.stop(), model.close()]);
  });

  const view = () => webview(workbench);
  const button = (name: string | RegExp): Locator => view().getByRole('button', { name });
  const field = (name: string): Locator => view().getByRole('textbox', { name });
  const dialog = (text: string | RegExp): Locator =>
    workbench.page.locator('.monaco-dialog-box').getByText(text);
  /** In the Runs view: the prompts of the view above have names that are much alike. */
  const runs = (facts: string): Locator =>
    workbench.page.getByRole('treeitem', { name: new RegExp(`^Prompt .*, Done, .*${facts}`) });
  const has = (name: string, value: string): Promise<void> =>
    until(`${name} to be ${value}`, async () => (await field(name).inputValue()) === value);
  const isDone = (): Promise<void> =>
    view()
      .locator('.lane')
      .first()
      .locator('.state')
      .filter({ hasText: 'Done' })
      .waitFor(patiently);

  async function openPrompt(name: RegExp): Promise<void> {
    await askBy(workbench, 'Prompt Tables: Run Prompt…', anOption(name));
    await pick(workbench, name);
    await pick(workbench, /^Latest version/);
  }
  async function fillFromSheet(row: RegExp): Promise<void> {
    await button('Fill…').click();
    await pick(workbench, /^Row of a sheet/);
    await pick(workbench, /^Questions/);
    await pick(workbench, /^All/);
    const text = 'The first 200 of 250 rows are listed.';
    await quickInput(workbench).getByPlaceholder(text).waitFor(patiently);
    await pick(workbench, row);
  }
  async function onRun(facts: string, entry: string): Promise<void> {
    await chooseInMenu(workbench, runs(facts).first(), entry);
  }

  it('fills the variables from a row of a sheet, says how many it lists, and takes another', async () => {
    await openPrompt(/^support\/answer/);
    await field('question').waitFor(patiently);
    await fillFromSheet(/^Row 2\b/);
    await has('question', 'question 2');
    await fillFromSheet(/^Another row/);
    await quickInput(workbench).getByText('A whole number from 1 to 250').first().waitFor();
    await answer(workbench, '251');
    await quickInput(workbench).locator('.monaco-inputbox.error').waitFor();
    await answer(workbench, '231');
    await has('question', 'question 231');
    await has('tone', 'calm');
  });

  it('fills the variables from a file', async () => {
    const file = path.join(workbench.host.workspace, 'values.csv');
    fs.writeFileSync(file, 'Question,tone\nfrom a file,dry\nsecond,odd\n');
    await button('Fill…').click();
    await pick(workbench, /^File/);
    await answerFile(workbench, file);
    await pick(workbench, /^Row 1\b/);
    await has('question', 'from a file');
    await has('tone', 'dry');
  });

  it('fills a variable from the selection in an editor beside it', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'File: New Untitled Text File');
    await page.locator('.editor-instance .monaco-editor').last().click();
    await page.keyboard.type('what is selected');
    await page.keyboard.press('Control+A');
    await runCommand(workbench, 'View: Move Editor into Right Group');
    await button('Fill…').click();
    await pick(workbench, /^Selection in the editor/);
    await pick(workbench, /^question/);
    await has('question', 'what is selected');
    await screenshot(workbench, 'runs-fill-selection');
    await page.locator('.editor-instance .monaco-editor').last().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await closeEditor(workbench);
  });

  it('lists the runs of two models that were compared', async () => {
    await field('question').fill('why');
    await button('Compare…').click();
    await pick(workbench, /^Another model/);
    await quickInput(workbench).getByPlaceholder('Provider').waitFor();
    await answer(workbench, 'openai');
    await quickInput(workbench).getByPlaceholder('Model of openai').waitFor();
    await answer(workbench, 'gpt-other');
    const comparisonRun = view().getByRole('region', { name: 'Compared with', exact: true });
    await comparisonRun.getByText('gpt-other · openai', { exact: true }).waitFor(patiently);
    model.say(`Because. ${'word '.repeat(200)}${needle}.`, { size: 200 });
    await button(/^Run/).click();
    await comparisonRun.getByText(/Otherwise\./).waitFor(patiently);
    await isDone();
    await button('Compare…').click();
    await pick(workbench, /^Nothing/);
    await comparisonRun.waitFor({ state: 'hidden' });
    // Room for all runs: rows out of view are not there.
    for (const name of ['Tables', 'Prompts']) {
      await workbench.page
        .locator('.pane-header')
        .filter({ has: workbench.page.getByText(name, { exact: true }) })
        .click();
    }
    await runCommand(workbench, 'Prompt Tables: Focus on Runs View');
    await runs('v2, gpt-other').waitFor(patiently);
    await runs('v2, gpt-4o-mini').waitFor();
    assert.equal(await runs('Acme').count(), 0);
  });

  it('runs again with the model and the version that ran, though there is a newer one', async () => {
    const { prompt_template, metadata } = await client.templates.getRaw('support/answer');
    const text = JSON.stringify(prompt_template).replace('Answer', 'Never answer');
    const promptTemplate = JSON.parse(text) as typeof prompt_template;
    await client.templates.publish({ promptName: 'support/answer', promptTemplate, metadata });
    await runCommand(workbench, 'View: Close All Editors');
    model.say('The same again.');
    for (const name of ['gpt-other', 'gpt-4o-mini']) {
      const asked = model.bodies.length;
      await onRun(`v2, ${name}`, 'Run Again…');
      await view()
        .getByText(/The same again\./)
        .first()
        .waitFor(patiently);
      await isDone();
      assert.equal(model.bodies.length, asked + 1);
      const body = model.bodies.at(-1) ?? '';
      assert.match(body, new RegExp(`"model":"${name}"`));
      assert.match(body, /"Answer why in a tone that is dry\."/);
      await view().getByText(name).first().waitFor();
      await closeEditor(workbench);
    }
    await until('both runs in the list', async () => (await runs('v2, gpt-other').count()) === 2);
    await screenshot(workbench, 'runs-again');
  });

  it('opens a kept run as what ran', async () => {
    await onRun('v2, gpt-other', 'Open Run…');
    await isDone();
    await view().getByText('gpt-other').first().waitFor();
    await view().getByText('Version 2').first().waitFor();
    await closeEditor(workbench);
  });

  it('finds runs by text and by time, which add up', async () => {
    const shown = (text: string | RegExp): Promise<void> =>
      workbench.page.getByText(text).first().waitFor(patiently);
    await askBy(workbench, 'Prompt Tables: Filter Runs…', anOption(/^With this text/));
    await pick(workbench, /^With this text/);
    await answer(workbench, needle.toUpperCase());
    await shown('2 of 4 runs');
    await askBy(workbench, 'Prompt Tables: Filter Runs…', anOption(/^From this time/));
    await pick(workbench, /^From this time/);
    await answer(workbench, 'soon');
    await quickInput(workbench)
      .getByText(/^This isn't a time/)
      .waitFor(patiently);
    await answer(workbench, '..2026-01-31');
    await shown('0 of 4 runs');
    await askBy(workbench, 'Prompt Tables: Filter Runs…', anOption(/^From this time/));
    await pick(workbench, /^From this time/);
    await answer(workbench, '24h');
    await shown(/2 of 4 runs .* p50 .*, p95 /);
    await screenshot(workbench, 'runs-filtered');
    await runCommand(workbench, 'Prompt Tables: Clear Run Filter');
    await until('all runs', async () => (await runs('v2, gpt-other').count()) === 2);
  });

  it('scores a run, and adds metadata to it', async () => {
    await onRun('v2, gpt-4o-mini', 'Score Run…');
    await quickInput(workbench).getByText('A whole number from 0 to 100').first().waitFor();
    await answer(workbench, '85');
    await quickInput(workbench).getByText('Name of the score; empty for the main one').waitFor();
    await answer(workbench, 'tone');
    await quickInput(workbench).waitFor({ state: 'hidden' });
    await onRun('v2, gpt-4o-mini', 'Add Metadata to Run…');
    await quickInput(workbench).getByText(/^Key/).first().waitFor();
    await answer(workbench, 'reviewer');
    await quickInput(workbench).getByText('Value of reviewer').first().waitFor();
    await answer(workbench, 'Ada');
    const added = workbench.page.locator('.statusbar-item', { hasText: /reviewer was added/ });
    await added.waitFor(patiently);
    const id = Number(/request (\d+)/.exec(await added.innerText())?.[1]);
    const logged: Readonly<Record<string, unknown>> = await client.requests.get(id);
    assert.deepEqual([logged['scores'], logged['metadata']], [{ tone: 85 }, { reviewer: 'Ada' }]);
  });

  it('makes a row of a run', async () => {
    await onRun('v2, gpt-4o-mini', 'Add Run to Sheet…');
    await pick(workbench, /^Questions/);
    await pick(workbench, /^All/);
    await quickInput(workbench).getByText('into column question').waitFor(patiently);
    await screenshot(workbench, 'runs-to-sheet');
    await answer(workbench);
    await notification(workbench, 'The run of support/answer is a row of All.').waitFor(patiently);
    const { items, rowCount: count } = await client.tables.rows.page(sheet, { order: 'desc' });
    assert.equal(count, rowCount + 1);
    const values = Object.values(items[0]?.cells ?? {}).map(({ value }) => value);
    assert.ok(values.includes('why') && values.includes('dry'), JSON.stringify(values));
    assert.ok(values.some((value) => String(value).startsWith('The same again.')));
  });

  it('asks before it deletes a run', async () => {
    await onRun('v2, gpt-4o-mini', 'Delete Run…');
    await dialog(/Delete the run of support\/answer from .*\?/).waitFor(patiently);
    await screenshot(workbench, 'runs-delete');
    await confirm(workbench, 'Cancel');
    await runs('v2, gpt-4o-mini').nth(1).waitFor();
    await onRun('v2, gpt-4o-mini', 'Delete Run…');
    await confirm(workbench, /^Delete/);
    await until('one run less', async () => (await runs('v2, gpt-4o-mini').count()) === 1);
  });

  it('names the workspaces, and asks before it runs in one that is not in use', async () => {
    const url = service.ready.url ?? '';
    await connect(workbench, { url, apiKey: secondKey, name: 'Other' });
    await openPrompt(/^summarize/);
    await field('text').fill('this');
    await button('Run').click();
    await isDone();
    await closeEditor(workbench);
    await runCommand(workbench, 'Prompt Tables: Focus on Runs View');
    await runs('Other, ').waitFor(patiently);
    const other = 'Acme, .*gpt-other';
    await runs(other).first().waitFor();
    await screenshot(workbench, 'runs-workspaces');
    const asked = model.bodies.length;
    await onRun(other, 'Run Again…');
    await dialog('Run support/answer again in the workspace Acme?').waitFor(patiently);
    await dialog('The workspace in use is Other.').waitFor();
    await screenshot(workbench, 'runs-other-workspace');
    await confirm(workbench, 'Cancel');
    assert.equal(model.bodies.length, asked);
    await onRun(other, 'Run Again…');
    await confirm(workbench, 'Run Again');
    await isDone();
    assert.equal(model.bodies.length, asked + 1);
  });
});
