/** The form of a column with what a workspace has: prompts, workflows, versions and columns. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SheetPlace } from '../service/support/api.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { addDemoPrompts } from '../support/demo-prompts.ts';
import { seriousViolations } from '../support/host/axe.ts';
import { faultsOfTab } from '../support/host/tab-walk.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  closeEditor,
  notification,
  patiently,
  pick,
  pickBy,
  runCommand,
  screenshot,
  setTheme,
  webview,
  webviewFrame,
} from '../support/host/workbench.ts';
import { connectedWorkbench, until } from './support/prompt-hands.ts';

describe('VS Code: form of a column', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let sheet: SheetPlace;

  before(async () => {
    service = await RunningService.start();
    const { api } = service;
    await addDemoPrompts(api);
    sheet = await api.newSheet();
    await api.expect(200, 'PATCH', `${sheet.path}/columns/${sheet.columnId}`, {
      title: 'Question',
    });
    await api.expect(201, 'POST', `${sheet.path}/columns`, { title: 'Tone', type: 'TEXT' });
    await api.expect(200, 'PATCH', sheet.path, { title: 'Questions' });
    await api.expect(200, 'PATCH', sheet.path.replace(/\/sheets\/.*/, ''), { title: 'Support' });
    workbench = await connectedWorkbench(service.ready.url ?? '', firstKey);
    await pickBy(workbench, 'Prompt Tables: Open Sheet…', /^Support/);
    await pick(workbench, /^Questions/);
    await header(/Tone/).waitFor(patiently);
  });
  after(() => service.stop());

  const view = () => webview(workbench);
  const header = (name: RegExp): Locator => view().getByRole('columnheader', { name });
  const combo = (name: string | RegExp): Locator => view().getByRole('combobox', { name });
  const option = (name: string | RegExp): Locator => view().getByRole('option', { name });
  const button = (name: string): Locator => view().getByRole('button', { name });
  const box = (name: string): Locator => view().getByRole('textbox', { name });

  async function newColumn(type: string, title: string): Promise<void> {
    await header(/Tone/).waitFor(patiently);
    await runCommand(workbench, 'Prompt Tables: Add Column to Sheet…');
    await combo('Type').selectOption({ label: type });
    await box('Title (needed)').fill(title);
  }
  async function configOf(title: string): Promise<unknown> {
    let config: unknown;
    await until(`the column ${title}`, async () => {
      const { data } = await service.api.get(`${sheet.path}/columns`);
      config = data.find((one) => one.title === title)?.config;
      return config !== undefined;
    });
    return config;
  }

  it('offers prompts, their versions, and a row for each variable with a column of its name', async () => {
    await newColumn('Prompt', 'Reply');
    await combo('Prompt').click();
    await option(/^support\/answer version 2/).waitFor(patiently);
    await combo('Prompt').fill('answ');
    await option(/^summarize/).waitFor({ state: 'hidden' });
    await screenshot(workbench, 'column-form-prompts');
    await combo('Prompt').press('ArrowDown');
    await combo('Prompt').press('Enter');
    await view().getByText('Input variables of support/answer, version 2.').waitFor(patiently);
    assert.equal(await combo('Column of question').inputValue(), 'Question');
    assert.equal(await combo('Column of tone').inputValue(), 'Tone');
    await combo('Version or label').click();
    await option(/^prod version 1/).click();
    await view().getByText('Input variables of support/answer, version 1.').waitFor(patiently);
    // Chosen for a variable that this version does not have.
    await view().getByText('Not among them: tone.').waitFor();
    await combo('Version or label').fill('2');
    await combo('Version or label').press('Enter');
    await combo('Column of tone').waitFor();
    await combo('Column of tone').selectOption('');
    await combo('Provider').fill('anthr');
    await option('anthropic').first().click();
    await combo('Model').fill('claude-of-tomorrow');
    for (const theme of ['light', 'high-contrast', 'dark'] as const) {
      await setTheme(workbench, theme);
      await screenshot(workbench, `column-form-prompt-${theme}`);
      assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
    }
    assert.deepEqual(await faultsOfTab(workbench), []);
    await button('Add column').click();
    assert.deepEqual(await configOf('Reply'), {
      template: { name: 'support/answer', version_number: 2 },
      prompt_template_variable_mappings: { question: 'Question' },
      engine: { provider: 'anthropic', model: 'claude-of-tomorrow' },
    });
  });

  it('keeps what is typed where nobody knows it', async () => {
    await newColumn('Prompt', 'Later');
    await combo('Prompt').fill('written/tomorrow');
    await view().getByText('Nothing known fits; what is typed is kept.').waitFor(patiently);
    await combo('Prompt').press('Tab');
    await view().getByText('Its variables are not known:').waitFor(patiently);
    await button('Add variable').click();
    await box('Variable').fill('text');
    await combo('Column of the variable').selectOption('Tone');
    await screenshot(workbench, 'column-form-unknown');
    await button('Add column').click();
    assert.deepEqual(await configOf('Later'), {
      template: { name: 'written/tomorrow' },
      prompt_template_variable_mappings: { text: 'Tone' },
    });
  });

  it('chooses workflows by name, and maps their input variables', async () => {
    await newColumn('Workflow', 'Triage');
    await combo('Workflow (needed)').click();
    await option(/^triage version 1/).click();
    await view().getByText('Input variables of triage, version 1.').waitFor(patiently);
    assert.equal(await combo('Column of question').inputValue(), 'Question');
    await combo('Column of kinds').selectOption('Tone');
    await button('Add column').click();
    const config = (await configOf('Triage')) as { workflow_id: unknown };
    assert.equal(typeof config.workflow_id, 'number');
    assert.deepEqual(config, {
      workflow_id: config.workflow_id,
      input_mappings: { question: 'Question', tone: 'Tone', kinds: 'Tone' },
    });
    // Kept by id, shown by name.
    await header(/Triage/).waitFor(patiently);
    await pickBy(workbench, 'Prompt Tables: Edit Column of Sheet…', /^Triage/);
    await view().getByText('Input variables of triage, version 1.').waitFor(patiently);
    assert.equal(await combo('Workflow (needed)').inputValue(), 'triage');
    await button('Cancel').click();
  });

  it('makes comparisons in rows, and finds columns of other sheets step by step', async () => {
    await newColumn('Condition', 'Is kind');
    await combo('Compared column').selectOption('Tone');
    await combo('Operator').selectOption('in');
    await box('Value to compare with').fill('["kind", "cheerful"]');
    await button('Add comparison').click();
    await button('Add column').click();
    await view().getByText('Choose a column for every comparison.').waitFor();
    await combo('Compared column').nth(1).selectOption('Question');
    await combo('Operator').nth(1).selectOption('is_not_null');
    await screenshot(workbench, 'column-form-conditions');
    assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
    await button('Add column').click();
    assert.deepEqual(await configOf('Is kind'), {
      conditionals: [
        {
          ...{ operator: 'in', left_config: { source: 'Tone' } },
          right_config: { value: ['kind', 'cheerful'] },
        },
        { operator: 'is_not_null', left_config: { source: 'Question' } },
      ],
    });
    await newColumn('Reference', 'Elsewhere');
    await combo('Column (needed)').click();
    await option(/^Support\. table/).click();
    await option(/^Support\.Questions\. sheet/).click();
    await option(/^Support\.Questions\.Tone/).click();
    assert.equal(await combo('Column (needed)').inputValue(), 'Support.Questions.Tone');
    await combo('Type').selectOption({ label: 'Code' });
    await combo('Insert a column').selectOption('Tone');
    assert.equal(await box('Code (needed)').inputValue(), 'data["Tone"]');
    await button('Cancel').click();
  });

  it('keeps what was typed while another tab is shown, and when its tab is closed', async () => {
    const tab = (name: RegExp): Locator =>
      workbench.page.locator('.tabs-container').getByRole('tab', { name }).first();
    const isFilledIn = async (): Promise<void> => {
      await box('Statement').waitFor(patiently);
      assert.equal(await box('Title (needed)').inputValue(), 'Politeness');
      assert.equal(await box('Statement').inputValue(), 'It is polite');
      assert.equal(await combo('Source (needed)').inputValue(), 'Tone');
    };
    await newColumn('Assertion by a model', 'Politeness');
    await combo('Source (needed)').selectOption('Tone');
    await box('Statement').fill('It is polite');
    await tab(/^Questions/).click();
    await header(/Tone/).waitFor(patiently);
    await tab(/^New column/).click();
    await isFilledIn();
    assert.equal(await button('Start afresh').count(), 0);
    await closeEditor(workbench);
    const told = notification(workbench, 'What you typed is kept.');
    await told.getByRole('button', { name: 'Open Again' }).click();
    await isFilledIn();
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(workbench, theme);
      await isFilledIn();
      await screenshot(workbench, `column-form-draft-${theme}`);
      assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
    }
    // Also without the notification, and more than once.
    await closeEditor(workbench);
    await told.waitFor();
    await runCommand(workbench, 'Notifications: Clear All Notifications');
    await runCommand(workbench, 'Prompt Tables: Add Column to Sheet…');
    await isFilledIn();
    await button('Start afresh').click();
    assert.equal(await box('Title (needed)').inputValue(), '');
    // A form that was only looked at leaves nothing.
    await closeEditor(workbench);
    await runCommand(workbench, 'Prompt Tables: Add Column to Sheet…');
    await box('Title (needed)').waitFor(patiently);
    assert.equal(await box('Title (needed)').inputValue(), '');
    assert.equal(await button('Start afresh').count(), 0);
    assert.equal(await told.count(), 0);
    await button('Cancel').click();
    await pickBy(workbench, 'Prompt Tables: Edit Column of Sheet…', /^Reply/);
    await view().getByText('Input variables of support/answer, version 2.').waitFor(patiently);
    assert.equal(await combo('Column of tone').inputValue(), '');
    await closeEditor(workbench);
    await header(/Tone/).waitFor(patiently);
    assert.equal(await told.count(), 0);
  });

  it('says in its lists that the service is away, and keeps what is typed', async () => {
    await newColumn('Prompt', 'Without the service');
    await service.stop();
    await combo('Prompt').click();
    await view().getByText('The service has not answered yet. What is typed is kept.').waitFor();
    await view()
      .getByText(/ECONNREFUSED.* What is typed is kept\.$/)
      .waitFor(patiently);
    await screenshot(workbench, 'column-form-away');
    await combo('Prompt').fill('support/answer');
    await combo('Prompt').press('Tab');
    // What the form knows by itself is still offered.
    await combo('Provider').fill('anthr');
    await option('anthropic').first().click();
    assert.equal(await combo('Prompt').inputValue(), 'support/answer');
    await view()
      .getByText(/Its variables are not known: .*ECONNREFUSED/)
      .waitFor(patiently);
    await button('Add variable').click();
    await box('Variable').fill('question');
  });
});
