/** What a person does with runs that are over, and where values come from. */
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
  pickBy,
  quickInput,
  runCommand,
  screenshot,
  statusItem,
  webview,
} from '../support/host/workbench.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import { connectedWorkbench, setVariable } from './support/prompt-hands.ts';
import { until } from '../support/until.ts';

const rowCount = 250;
const needle = 'a needle far behind';

describe('VS Code: runs that are over', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let model: Model;
  let client: Client;
  let prompts = 0;

  before(async () => {
    [service, model] = await Promise.all([RunningService.start(), startModel()]);
    const { api } = service;
    const baseURL = service.ready.url ?? '';
    client = new Client({ apiKey: firstKey, baseURL, logger: silentLogger, environment: {} });
    await addDemoPrompts(api);
    await addDemoPrompts(service.withKey(secondKey));
    const rows = Array.from({ length: rowCount }, (_, at) => `question ${at + 1},calm`);
    await sheetOf('Questions', rows);
    workbench = await connectedWorkbench(baseURL, firstKey);
    await setVariable(workbench, 'OPENAI_API_KEY', 'sk-none');
    await setVariable(workbench, 'OPENAI_BASE_URL', `${model.url}/v1`);
  });
  beforeEach(async () => {
    await useAcme();
    await tidyUp(workbench);
    // So that counts are those of the test.
    await runCommand(workbench, 'Prompt Tables: Clear Run History…');
    await confirm(workbench, 'Delete');
  });
  after(async () => {
    await useAcme();
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
  const has = (name: string, value: string): Promise<true> =>
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
  /** The sheet "All" of a table of its own. */
  async function sheetOf(title: string, rows: readonly string[]): Promise<SheetPlace> {
    const { api } = service;
    const sheet = await api.sheetOf(['question,tone', ...rows].join('\n'));
    await api.expect(200, 'PATCH', sheet.path.replace(/\/sheets\/.*/, ''), { title });
    await api.expect(200, 'PATCH', sheet.path, { title: 'All' });
    return sheet;
  }
  /** Another workspace may be left from a test. */
  async function useAcme(): Promise<void> {
    const acme = statusItem(workbench, 'Acme');
    if (await acme.isVisible()) return;
    await runCommand(workbench, 'Prompt Tables: Remove Connection…');
    await confirm(workbench, 'Remove');
    await pickBy(workbench, 'Prompt Tables: Switch Workspace…', /^Acme/);
    await acme.waitFor();
  }
  /** Room for all runs: rows out of view are not there. */
  async function showRuns(): Promise<void> {
    for (const name of ['Tables', 'Prompts']) {
      const { page } = workbench;
      const header = page
        .locator('.pane-header')
        .filter({ has: page.getByText(name, { exact: true }) });
      if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
    }
    await runCommand(workbench, 'Prompt Tables: Focus on Runs View');
  }
  async function onRun(
    facts: string,
    entry: string,
    options?: { readonly asks: boolean },
  ): Promise<void> {
    await chooseInMenu(workbench, runs(facts).first(), entry, options);
  }

  it('fills the variables from a row of a sheet, a file, and the selection in an editor beside it', async () => {
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

    // From a file.
    const file = path.join(workbench.host.workspace, 'values.csv');
    fs.writeFileSync(file, 'Question,tone\nfrom a file,dry\nsecond,odd\n');
    await button('Fill…').click();
    await pick(workbench, /^File/);
    await answerFile(workbench, file);
    await pick(workbench, /^Row 1\b/);
    await has('question', 'from a file');
    await has('tone', 'dry');

    // From the selection in an editor beside it.
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
  });

  /** A prompt that no other test has, and a sheet with one row for its runs. */
  async function ownPrompt() {
    prompts += 1;
    const name = `support/kept-${prompts}`;
    const into = { title: `Kept ${prompts}`, sheet: await sheetOf(`Kept ${prompts}`, ['why,dry']) };
    const { prompt_template, metadata } = await client.templates.getRaw('support/answer');
    const publish = async (change: (text: string) => string): Promise<void> => {
      const changed = change(JSON.stringify(prompt_template));
      const promptTemplate = JSON.parse(changed) as typeof prompt_template;
      await client.templates.publish({ promptName: name, promptTemplate, metadata });
    };
    await publish((text) => text);
    return { name, publish, into };
  }

  it('are listed, run again, opened, found, scored, made a row of, and deleted', async () => {
    const { name, publish, into } = await ownPrompt();
    // Of two models that were compared.
    await openPrompt(new RegExp(`^${name}`));
    await field('question').fill('why', patiently);
    await field('tone').fill('dry');
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
    await showRuns();
    await runs('v1, gpt-other').waitFor(patiently);
    await runs('v1, gpt-4o-mini').waitFor();
    assert.equal(await runs('Acme').count(), 0);

    // Again with the model and the version that ran, though there is a newer one.
    await publish((text) => text.replace('Answer', 'Never answer'));
    await runCommand(workbench, 'View: Close All Editors');
    model.say('The same again.');
    for (const ran of ['gpt-other', 'gpt-4o-mini']) {
      const asked = model.bodies.length;
      await onRun(`v1, ${ran}`, 'Run Again…', { asks: false });
      await view()
        .getByText(/The same again\./)
        .first()
        .waitFor(patiently);
      await isDone();
      assert.equal(model.bodies.length, asked + 1);
      const body = model.bodies.at(-1) ?? '';
      assert.match(body, new RegExp(`"model":"${ran}"`));
      assert.match(body, /"Answer why in a tone that is dry\."/);
      await view().getByText(ran).first().waitFor();
      await closeEditor(workbench);
    }
    await until('both runs in the list', async () => (await runs('v1, gpt-other').count()) === 2);
    await screenshot(workbench, 'runs-again');

    // Opened as what ran.
    await onRun('v1, gpt-other', 'Open Run…', { asks: false });
    await isDone();
    await view().getByText('gpt-other').first().waitFor();
    await view().getByText('Version 1').first().waitFor();
    await closeEditor(workbench);

    // By text and by time, which add up.
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
    await until('all runs', async () => (await runs('v1, gpt-other').count()) === 2);

    // Scored, and with metadata.
    await onRun('v1, gpt-4o-mini', 'Score Run…');
    await quickInput(workbench).getByText('A whole number from 0 to 100').first().waitFor();
    await answer(workbench, '85');
    await quickInput(workbench).getByText('Name of the score; empty for the main one').waitFor();
    await answer(workbench, 'tone');
    await quickInput(workbench).waitFor({ state: 'hidden' });
    await onRun('v1, gpt-4o-mini', 'Add Metadata to Run…');
    await quickInput(workbench).getByText(/^Key/).first().waitFor();
    await answer(workbench, 'reviewer');
    await quickInput(workbench).getByText('Value of reviewer').first().waitFor();
    await answer(workbench, 'Ada');
    const added = workbench.page.locator('.statusbar-item', { hasText: /reviewer was added/ });
    await added.waitFor(patiently);
    const id = Number(/request (\d+)/.exec(await added.innerText())?.[1]);
    await until('both are in the log', async () => {
      const logged: Readonly<Record<string, unknown>> = await client.requests.get(id);
      assert.deepEqual([logged['scores'], logged['metadata']], [{ tone: 85 }, { reviewer: 'Ada' }]);
      return true;
    });

    // As a row of a sheet.
    await onRun('v1, gpt-4o-mini', 'Add Run to Sheet…');
    await pick(workbench, new RegExp(`^${into.title}`));
    await pick(workbench, /^All/);
    await quickInput(workbench).getByText('into column question').waitFor(patiently);
    await screenshot(workbench, 'runs-to-sheet');
    await answer(workbench);
    await notification(workbench, `The run of ${name} is a row of All.`).waitFor(patiently);
    const { items, rowCount: count } = await client.tables.rows.page(into.sheet, { order: 'desc' });
    assert.equal(count, 2);
    const values = Object.values(items[0]?.cells ?? {}).map(({ value }) => value);
    assert.ok(values.includes('why') && values.includes('dry'), JSON.stringify(values));
    assert.ok(values.some((value) => String(value).startsWith('The same again.')));

    // Deleted after a question.
    await onRun('v1, gpt-4o-mini', 'Delete Run…');
    await dialog(new RegExp(`Delete the run of ${name} from .*\\?`)).waitFor(patiently);
    await screenshot(workbench, 'runs-delete');
    await confirm(workbench, 'Cancel');
    await runs('v1, gpt-4o-mini').nth(1).waitFor();
    await onRun('v1, gpt-4o-mini', 'Delete Run…');
    await confirm(workbench, /^Delete/);
    await until('one run less', async () => (await runs('v1, gpt-4o-mini').count()) === 1);
  });

  it('names the workspaces, and asks before it runs in one that is not in use', async () => {
    const runSummarize = async (): Promise<void> => {
      await openPrompt(/^summarize/);
      await field('text').fill('this', patiently);
      await button('Run').click();
      await isDone();
      await closeEditor(workbench);
    };
    await runSummarize();
    await connect(workbench, { url: service.ready.url ?? '', apiKey: secondKey, name: 'Other' });
    await runSummarize();
    await showRuns();
    await runs('Other, ').waitFor(patiently);
    await runs('Acme, ').waitFor();
    await screenshot(workbench, 'runs-workspaces');
    const asked = model.bodies.length;
    await onRun('Acme, ', 'Run Again…');
    await dialog('Run summarize again in the workspace Acme?').waitFor(patiently);
    await dialog('The workspace in use is Other.').waitFor();
    await screenshot(workbench, 'runs-other-workspace');
    await confirm(workbench, 'Cancel');
    assert.equal(model.bodies.length, asked);
    await onRun('Acme, ', 'Run Again…');
    await confirm(workbench, 'Run Again');
    await isDone();
    assert.equal(model.bodies.length, asked + 1);
  });
});
