/** A scorecard made, changed and deleted by hand, in a real VS Code on a real service. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { Client } from '../../src/core/index.ts';
import type { SheetPlace } from '../service/support/api.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { seriousViolations } from '../support/host/axe.ts';
import { faultsOfTab } from '../support/host/tab-walk.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  closeEditor,
  confirm,
  notification,
  patiently,
  pick,
  pickBy,
  reload,
  runCommand,
  screenshot,
  setTheme,
  webview,
  webviewFrame,
} from '../support/host/workbench.ts';
import { connectedWorkbench } from './support/prompt-hands.ts';

describe('VS Code: scorecard', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let sheet: SheetPlace;

  before(async () => {
    service = await RunningService.start();
    const { api } = service;
    sheet = await api.newSheet();
    await api.expect(200, 'PATCH', `${sheet.path}/columns/${sheet.columnId}`, { title: 'Answer' });
    const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, {
      ...{ title: 'Grade', type: 'TEXT' },
    });
    await api.expect(200, 'DELETE', `${sheet.path}/rows`, { row_indices: [0] });
    const values = [
      { [sheet.columnId]: 'on its way', [column.id]: '8' },
      { [sheet.columnId]: 'no', [column.id]: '2' },
    ];
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 2, values });
    await api.expect(200, 'PATCH', sheet.path, { title: 'Answers' });
    await api.expect(200, 'PATCH', sheet.path.replace(/\/sheets\/.*/, ''), { title: 'Support' });
    workbench = await connectedWorkbench(service.ready.url ?? '', firstKey);
    await pickBy(workbench, 'Prompt Tables: Open Sheet…', /^Support/);
    await pick(workbench, /^Answers/);
    await view().getByRole('columnheader', { name: /Grade/ }).waitFor(patiently);
  });
  after(() => service.stop());

  const view = () => webview(workbench);
  const button = (name: string): Locator => view().getByRole('button', { name, exact: true });
  const step = (at: number): Locator => view().getByRole('region', { name: `Step ${at}` });
  const scorecard = async () => {
    const client = new Client({ apiKey: firstKey, baseURL: service.ready.url });
    try {
      return (await client.tables.scorecards.get(sheet)).scorecard ?? null;
    } finally {
      await client.close();
    }
  };

  it('is made in a form that says what is missing', async () => {
    await runCommand(workbench, 'Prompt Tables: Show Score of Open Sheet');
    await button('Make scorecard…').click(patiently);
    await view().getByRole('heading', { name: 'New scorecard of Answers' }).waitFor(patiently);
    await view().getByRole('textbox', { name: 'Name (needed)' }).fill('Care');
    await button('Save scorecard').click();
    await view().getByText('Add a step: a scorecard without steps has no score.').waitFor();
    await button('Add step').click();
    await step(1)
      .getByRole('combobox', { name: 'Type' })
      .selectOption({ label: 'Regular expression' });
    await step(1).getByRole('textbox', { name: 'Title (needed)' }).fill('is more than a word');
    await step(1).getByRole('checkbox', { name: 'Answer' }).check();
    await step(1).getByRole('textbox', { name: 'Pattern (needed)' }).fill('(');
    await button('Add step').click();
    await step(2).getByRole('textbox', { name: 'Title (needed)' }).fill('grade');
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
    await step(1).getByRole('textbox', { name: 'Pattern (needed)' }).fill('\\s');
    await button('Save scorecard').click();
    await button('Calculate').click(patiently);
    // The first row: 1 and 0.8 three times; the second: 0 and 0.2 three times.
    await view().locator('.big').getByText('0.5', { exact: true }).waitFor(patiently);
    await view()
      .getByRole('row', { name: /^grade 0\.5 2 3/ })
      .waitFor();
  });

  it('is changed, and what was typed stays while the window is loaded anew', async () => {
    await button('Edit scorecard…').click();
    await view().getByRole('heading', { name: 'Scorecard of Answers' }).waitFor(patiently);
    assert.equal(await step(2).getByRole('textbox', { name: 'Weight' }).inputValue(), '3');
    for (const theme of ['light', 'high-contrast', 'dark'] as const) {
      await setTheme(workbench, theme);
      await step(2).waitFor(patiently);
      await screenshot(workbench, `scorecard-${theme}`);
      assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
    }
    // What is folded away has a size too, and is not reached.
    await step(1).getByText('More', { exact: true }).click();
    assert.deepEqual(await faultsOfTab(workbench), []);
    await step(2).getByRole('button', { name: 'Move step up' }).click();
    assert.equal(
      await step(1).getByRole('textbox', { name: 'Title (needed)' }).inputValue(),
      'grade',
    );
    await step(1).getByRole('textbox', { name: 'Weight' }).fill('1');
    await view().getByRole('textbox', { name: 'Passes from' }).first().fill('0.85');
    await closeEditor(workbench);
    const told = notification(workbench, 'The form of the scorecard of Answers was closed.');
    await told.getByRole('button', { name: 'Open Again' }).click();
    await button('Start afresh').waitFor(patiently);
    assert.equal(await step(1).getByRole('textbox', { name: 'Weight' }).inputValue(), '1');
    await reload(workbench, '0.85');
    await step(2).waitFor(patiently);
    assert.equal(await step(1).getByRole('textbox', { name: 'Weight' }).inputValue(), '1');
    await button('Save scorecard').click();
    await view()
      .getByText(/Out of date/)
      .waitFor(patiently);
    const card = await scorecard();
    assert.deepEqual(
      card?.steps?.map(({ title, weight }) => [title, weight]),
      [
        ['grade', 1],
        ['is more than a word', 1],
      ],
    );
  });

  it('is deleted after a question', async () => {
    await button('Edit scorecard…').click();
    await button('Delete scorecard…').click(patiently);
    await workbench.page.locator('.monaco-dialog-box').getByText('Delete the scorecard').waitFor();
    await screenshot(workbench, 'scorecard-delete');
    await confirm(workbench, 'Delete');
    await button('Make scorecard…').waitFor(patiently);
    assert.equal(await scorecard(), null);
  });
});
