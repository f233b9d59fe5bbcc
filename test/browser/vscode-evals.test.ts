/** A sheet whose columns judge its rows, in the Test Explorer of a real VS Code. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SheetPlace } from '../service/support/api.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { connect } from '../support/host/connect.ts';
import { freshWorkbench } from '../support/host/shared.ts';
import {
  confirm,
  patiently,
  pick,
  pickBy,
  runCommand,
  screenshot,
  treeItem,
  type Workbench,
} from '../support/host/workbench.ts';

describe('VS Code: judging a sheet in the Test Explorer', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let sheet: SheetPlace;

  before(async () => {
    service = await RunningService.start();
    const { api } = service;
    sheet = await api.newSheet();
    const path = sheet.path.replace(/\/sheets\/.*/, '');
    await api.expect(200, 'PATCH', path, { title: 'Capitals' });
    await api.expect(200, 'PATCH', sheet.path, { title: 'Answers' });
    const add = async (body: object): Promise<string> =>
      (await api.expect(201, 'POST', `${sheet.path}/columns`, body)).column.id;
    const wanted = await add({ title: 'Wanted', type: 'TEXT' });
    const answers = ['Paris', 'Lyon', 'Paris'];
    await api.expect(201, 'POST', `${sheet.path}/rows`, {
      count: answers.length,
      values: answers.map((said) => ({ [sheet.columnId]: said, [wanted]: 'Paris' })),
    });
    await add({
      title: 'Same',
      type: 'COMPARE',
      config: { sources: ['Column A', 'Wanted'], comparison_type: { type: 'STRING' } },
    });
    workbench = await freshWorkbench({
      settings: {
        // Nothing has that title before the test that is about it.
        'promptTables.evaluations.scoreColumns': ['Length'],
        'promptTables.evaluations.threshold': 5,
      },
    });
    await connect(workbench, { url: service.ready.url ?? '', apiKey: firstKey, name: 'Judged' });
    await treeItem(workbench, /Table Capitals/).waitFor(patiently);
  });
  after(() => service.stop());

  const test = (name: RegExp): Locator => treeItem(workbench, name);

  it('runs the stale cells and shows which rows pass', async () => {
    await pickBy(workbench, 'Prompt Tables: Evaluate Sheet…', /^Capitals/);
    await pick(workbench, /Answers/);
    await confirm(workbench, 'Run 4 cells');
    await test(/Row 3: Lyon \(Failed\)/).waitFor(patiently);
    await test(/Row 2: Paris \(Passed\)/).waitFor();
    await test(/Row 4: Paris \(Passed\)/).waitFor();
    await screenshot(workbench, 'evals-explorer');
  });

  it('shows what was compared in the row that does not pass', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Test Results: Focus on Test Results View');
    await page.locator('.test-output-peek-tree').getByText('Same: is false').first().click();
    await page.locator('.test-output-peek .diffEditor, .monaco-diff-editor').first().waitFor();
    await screenshot(workbench, 'evals-difference');
    const texts = await page.locator('.monaco-diff-editor .view-line').allInnerTexts();
    assert.deepEqual([...texts].sort(), ['Lyon', 'Paris']);
    await runCommand(workbench, 'View: Hide Panel');
  });

  it('tells as coverage which rows had values to judge', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Test: Run All Tests with Coverage');
    const covered = treeItem(workbench, /Answers · rows\.txt/);
    await covered.getByText('100.00%').waitFor(patiently);
    await screenshot(workbench, 'evals-coverage');
    await covered.click();
    await page.locator('.monaco-editor').getByText('Row 3: Lyon').first().waitFor(patiently);
    await screenshot(workbench, 'evals-coverage-rows');
  });

  it('judges by a column of numbers that the settings name', async () => {
    await service.api.expect(201, 'POST', `${sheet.path}/columns`, {
      title: 'Length',
      type: 'CODE_EXECUTION',
      config: { language: 'JAVASCRIPT', code: `return data['Column A'].length;` },
    });
    await pickBy(workbench, 'Prompt Tables: Evaluate Sheet…', /^Capitals/);
    await pick(workbench, /Answers/);
    await confirm(workbench, 'Run 4 cells');
    await test(/Row 3: Lyon \(Failed\)/).waitFor(patiently);
    await test(/Row 2: Paris \(Passed\)/).waitFor();
    // Its cell is empty, so the code has failed.
    await test(/Row 1 \(Errored\)/).waitFor();
    await runCommand(workbench, 'Test Results: Focus on Test Results View');
    await workbench.page
      .locator('.test-output-peek-tree')
      .getByText('Length: 4 of 5')
      .first()
      .waitFor();
    await screenshot(workbench, 'evals-score');
    await runCommand(workbench, 'View: Hide Panel');
  });

  it('opens the sheet from the explorer', async () => {
    await test(/Row 3/).hover();
    await test(/Row 3/)
      .getByRole('button', { name: /Open Sheet/ })
      .click();
    await workbench.page.getByRole('tab', { name: /Answers/ }).waitFor(patiently);
    await screenshot(workbench, 'evals-sheet');
  });
});
