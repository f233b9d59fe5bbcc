/** A scorecard made, changed and deleted by hand, in a real VS Code on a real service. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { Client } from '../../src/core/index.ts';
import { firstKey } from '../service/support/running-service.ts';
import {
  closeEditor,
  confirm,
  notification,
  patiently,
  reload,
  runCommand,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { hosted, makeSheet, openSheet, type Hosted, type MadeSheet } from './support/hosted.ts';

describe('VS Code: scorecard', function () {
  this.timeout(180_000);
  let window: Hosted;
  let client: Client;
  let sheet: MadeSheet;

  before(async () => {
    window = await hosted();
    client = new Client({ apiKey: firstKey, baseURL: window.service.ready.url });
  });
  beforeEach(async () => {
    const rows = [
      ['on its way', '8'],
      ['no', '2'],
    ];
    sheet = await makeSheet(window, ['Answer', 'Grade'], rows);
    await openSheet(window, sheet);
  });
  after(() => client.close());

  const view = () => webview(window.workbench);
  const button = (name: string): Locator => view().getByRole('button', { name, exact: true });
  const step = (at: number): Locator => view().getByRole('region', { name: `Step ${at}` });
  const scorecard = async () => (await client.tables.scorecards.get(sheet)).scorecard ?? null;

  it('is made in a form, refused by the service, and calculated', async () => {
    const { workbench } = window;
    await runCommand(workbench, 'Prompt Tables: Show Sheet Score…');
    await button('Make scorecard…').click(patiently);
    await view().getByRole('heading', { name: 'New scorecard for Answers' }).waitFor(patiently);
    await button('Add step').click();
    await step(1)
      .getByRole('combobox', { name: 'Type' })
      .selectOption({ label: 'Regular expression' });
    await step(1).getByRole('textbox', { name: 'Title (required)' }).fill('is more than a word');
    await step(1).getByRole('checkbox', { name: 'Answer' }).check();
    await step(1).getByRole('textbox', { name: 'Pattern (required)' }).fill('(');
    await button('Add step').click();
    await step(2).getByRole('textbox', { name: 'Title (required)' }).fill('grade');
    await step(2).getByRole('checkbox', { name: 'Grade' }).check();
    await step(2).getByRole('textbox', { name: 'Weight' }).fill('3');
    await step(2).getByText('More', { exact: true }).click();
    await step(2).getByRole('textbox', { name: 'Smallest number' }).fill('0');
    await step(2).getByRole('textbox', { name: 'Largest number' }).fill('10');
    await button('Save scorecard').click();
    await view()
      .getByText(/regular expression "\(" is not valid/)
      .waitFor(patiently);
    await screenshot(workbench, 'scorecard-refused');
    await step(1).getByRole('textbox', { name: 'Pattern (required)' }).fill('\\s');
    await button('Save scorecard').click();
    await button('Calculate').click(patiently);
    // The first row: 1 and 0.8 three times; the second: 0 and 0.2 three times.
    await view().locator('.big').getByText('0.5', { exact: true }).waitFor(patiently);
    await view()
      .getByRole('row', { name: /^grade 0\.5 2 3/ })
      .waitFor();
  });

  it('is changed, keeps what was typed when it is closed and over a reload, and is deleted after a question', async () => {
    const { workbench } = window;
    await client.tables.scorecards.configure(sheet, {
      ...{ name: 'Care', aggregation: { pass_threshold: 0.8 } },
      steps: [
        {
          ...{ title: 'grade', primitive_type: 'REGEX', weight: 3 },
          source_column_ids: [sheet.columns['Grade'] ?? ''],
          primitive_config: { regex_pattern: '[89]' },
        },
      ],
    });
    await client.tables.scorecards.recalculate(sheet, {});
    await runCommand(workbench, 'Prompt Tables: Show Sheet Score…');
    await view().locator('.big').getByText('0.5', { exact: true }).waitFor(patiently);
    await button('Edit scorecard…').click();
    await view().getByRole('heading', { name: 'Scorecard for Answers' }).waitFor(patiently);
    const weight = step(1).getByRole('textbox', { name: 'Weight' });
    assert.equal(await weight.inputValue(), '3');
    await weight.fill('1');
    await view().getByRole('textbox', { name: 'Pass threshold' }).first().fill('0.85');
    await closeEditor(workbench);
    const reported = notification(workbench, 'The form of the scorecard for Answers was closed.');
    await reported.getByRole('button', { name: 'Open Again' }).click();
    await button('Start over').waitFor(patiently);
    assert.equal(await weight.inputValue(), '1');
    await reload(workbench, '0.85');
    await weight.waitFor(patiently);
    assert.equal(await weight.inputValue(), '1');
    await button('Save scorecard').click();
    await view()
      .getByText(/Out of date/)
      .waitFor(patiently);
    assert.deepEqual(
      (await scorecard())?.steps?.map(({ title, weight }) => [title, weight]),
      [['grade', 1]],
    );
    await button('Edit scorecard…').click();
    await button('Delete scorecard…').click(patiently);
    await workbench.page.locator('.monaco-dialog-box').getByText('Delete the scorecard').waitFor();
    await screenshot(workbench, 'scorecard-delete');
    await confirm(workbench, 'Delete');
    await button('Make scorecard…').waitFor(patiently);
    assert.equal(await scorecard(), null);
  });
});
