/** The form of a column with what a workspace has: prompts, workflows, versions and columns. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  closeEditor,
  notification,
  patiently,
  pickBy,
  runCommand,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { hosted, makeSheet, openSheet, type Hosted, type MadeSheet } from './support/hosted.ts';
import { until } from '../support/until.ts';

describe('VS Code: form of a column', function () {
  this.timeout(180_000);
  let window: Hosted;
  let sheet: MadeSheet;

  before(async () => {
    window = await hosted();
  });
  beforeEach(async () => {
    sheet = await makeSheet(window, ['Question', 'Tone']);
    await openSheet(window, sheet);
  });

  const view = () => webview(window.workbench);
  const header = (name: RegExp): Locator => view().getByRole('columnheader', { name });
  const combo = (name: string | RegExp): Locator => view().getByRole('combobox', { name });
  const option = (name: string | RegExp): Locator => view().getByRole('option', { name });
  const button = (name: string): Locator => view().getByRole('button', { name });
  const box = (name: string): Locator => view().getByRole('textbox', { name });
  const says = (text: string | RegExp): Promise<void> => view().getByText(text).waitFor(patiently);

  async function newColumn(type: string, title: string): Promise<void> {
    await header(/Tone/).waitFor(patiently);
    await runCommand(window.workbench, 'Prompt Tables: Add Column…');
    await combo('Type').selectOption({ label: type });
    await box('Title (required)').fill(title);
  }
  async function configOf(title: string): Promise<unknown> {
    let config: unknown;
    await until(`the column ${title}`, async () => {
      const { data } = await window.service.api.get(`${sheet.path}/columns`);
      config = data.find((one) => one.title === title)?.config;
      return config !== undefined;
    });
    return config;
  }

  it('makes a column of a prompt that the workspace has, in one of its versions', async () => {
    await newColumn('Prompt', 'Reply');
    await combo('Prompt').fill('answ');
    await option(/^support\/answer version 2/).click(patiently);
    await says('Input variables of support/answer, version 2.');
    await combo('Version or label').click();
    await option(/^prod version 1/).click(patiently);
    await says('Input variables of support/answer, version 1.');
    await combo('Version or label').fill('2');
    await combo('Version or label').press('Enter');
    await combo('Column for tone').waitFor(patiently);
    await screenshot(window.workbench, 'column-form-prompt');
    await button('Add column').click();
    assert.deepEqual(await configOf('Reply'), {
      template: { name: 'support/answer', version_number: 2 },
      prompt_template_variable_mappings: { question: 'Question', tone: 'Tone' },
    });
    await header(/Reply/).waitFor(patiently);
  });

  it('keeps workflows by id and shows them by name, and finds columns of other sheets', async () => {
    await newColumn('Workflow', 'Triage');
    await combo('Workflow (required)').click();
    await option(/^triage version 1/).click(patiently);
    await says('Input variables of triage, version 1.');
    await combo('Column for kinds').selectOption('Tone');
    await button('Add column').click();
    const config = (await configOf('Triage')) as { workflow_id: unknown };
    assert.equal(typeof config.workflow_id, 'number');
    assert.deepEqual(config, {
      workflow_id: config.workflow_id,
      input_mappings: { question: 'Question', tone: 'Tone', kinds: 'Tone' },
    });
    await header(/Triage/).waitFor(patiently);
    await pickBy(window.workbench, 'Prompt Tables: Edit Column…', /^Triage/);
    await says('Input variables of triage, version 1.');
    assert.equal(await combo('Workflow (required)').inputValue(), 'triage');
    await button('Cancel').click();
    const other = await makeSheet(window, ['Word', 'Far']);
    await newColumn('Reference', 'Elsewhere');
    await combo('Column (required)').click();
    // One whose title has a dot stands there as its id.
    await option(new RegExp(`^${other.tableId}\\. table`)).click(patiently);
    await option(/\.Answers\. sheet/).click(patiently);
    await option(/\.Answers\.Far/).click(patiently);
    assert.equal(await combo('Column (required)').inputValue(), `${other.tableId}.Answers.Far`);
    await button('Cancel').click();
  });

  it('keeps what was typed when its tab is closed, more than once', async () => {
    const { workbench } = window;
    const isFilledIn = async (): Promise<void> => {
      await box('Statement').waitFor(patiently);
      assert.equal(await box('Title (required)').inputValue(), 'Politeness');
      assert.equal(await box('Statement').inputValue(), 'It is polite');
      assert.equal(await combo('Source (required)').inputValue(), 'Tone');
    };
    const tab = (name: RegExp): Locator =>
      workbench.page.locator('.tabs-container').getByRole('tab', { name }).first();
    await newColumn('LLM assertion', 'Politeness');
    await combo('Source (required)').selectOption('Tone');
    await box('Statement').fill('It is polite');
    await tab(/^Answers/).click();
    await header(/Tone/).waitFor(patiently);
    await tab(/^New column/).click();
    await isFilledIn();
    assert.equal(await button('Start over').count(), 0);
    await closeEditor(workbench);
    const reported = notification(workbench, 'What you typed is kept.');
    await reported.getByRole('button', { name: 'Open Again' }).click();
    await isFilledIn();
    // Also without the notification.
    await closeEditor(workbench);
    await reported.waitFor();
    await runCommand(workbench, 'Notifications: Clear All Notifications');
    await runCommand(workbench, 'Prompt Tables: Add Column…');
    await isFilledIn();
    await button('Start over').click();
    await until('it is empty', async () => (await box('Title (required)').inputValue()) === '');
    // A form that was only looked at leaves nothing.
    await closeEditor(workbench);
    await runCommand(workbench, 'Prompt Tables: Add Column…');
    await box('Title (required)').waitFor(patiently);
    assert.equal(await box('Title (required)').inputValue(), '');
    assert.equal(await button('Start over').count(), 0);
    assert.equal(await reported.count(), 0);
    await button('Cancel').click();
  });
});
