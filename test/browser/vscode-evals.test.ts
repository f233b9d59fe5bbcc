/** A sheet whose columns judge its rows, in the Test Explorer of a real VS Code. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  confirm,
  patiently,
  pick,
  pickBy,
  runCommand,
  screenshot,
  treeItem,
} from '../support/host/workbench.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import { hosted, makeSheet, type Hosted, type MadeSheet } from './support/hosted.ts';

describe('VS Code: judging a sheet in the Test Explorer', function () {
  this.timeout(180_000);
  let window: Hosted;
  let sheet: MadeSheet;

  before(async () => {
    window = await hosted();
  });
  beforeEach(async () => {
    await tidyUp(window.workbench);
    const answers = ['Paris', 'Lyon', 'Paris'];
    sheet = await makeSheet(
      window,
      ['Said', 'Wanted'],
      answers.map((said) => [said, 'Paris']),
    );
  });

  const test = (name: RegExp): Locator => treeItem(window.workbench, name);
  const addColumn = (title: string, type: string, config: object): Promise<unknown> =>
    window.service.api.expect(201, 'POST', `${sheet.path}/columns`, { title, type, config });
  async function evaluate(): Promise<void> {
    const { workbench } = window;
    await pickBy(
      workbench,
      'Prompt Tables: Evaluate Sheet…',
      new RegExp(`^${sheet.table}(,|$|\\s)`),
    );
    await pick(workbench, /Answers/);
    await confirm(workbench, 'Run 3 cells');
    await test(/Row 2: Lyon \(Failed\)/).waitFor(patiently);
    await test(/Row 1: Paris \(Passed\)/).waitFor();
  }

  it('runs the stale cells, shows which rows pass and what was compared, and tells as coverage which had values', async () => {
    const { workbench } = window;
    const { page } = workbench;
    await addColumn('Same', 'COMPARE', {
      ...{ sources: ['Said', 'Wanted'], comparison_type: { type: 'STRING' } },
    });
    await evaluate();
    await test(/Row 3: Paris \(Passed\)/).waitFor();
    await screenshot(workbench, 'evals-explorer');

    // What was compared in the row that does not pass.
    await runCommand(workbench, 'Test Results: Focus on Test Results View');
    await page.locator('.test-output-peek-tree').getByText('Same: is false').first().click();
    await page.locator('.test-output-peek .diffEditor, .monaco-diff-editor').first().waitFor();
    await screenshot(workbench, 'evals-difference');
    const texts = await page.locator('.monaco-diff-editor .view-line').allInnerTexts();
    assert.deepEqual([...texts].sort(), ['Lyon', 'Paris']);
    await runCommand(workbench, 'View: Hide Panel');

    await runCommand(workbench, 'Test: Run All Tests with Coverage');
    const covered = treeItem(workbench, /Answers · rows\.txt/);
    await covered.getByText('100.00%').waitFor(patiently);
    await screenshot(workbench, 'evals-coverage');
    await covered.click();
    await page.locator('.monaco-editor').getByText('Row 2: Lyon').first().waitFor(patiently);
    await screenshot(workbench, 'evals-coverage-rows');
  });

  it('judges by a column of numbers that the settings name, and opens the sheet from the explorer', async () => {
    const { workbench } = window;
    // `promptTables.evaluations.scoreColumns` of the windows that suites share.
    await addColumn('Length', 'CODE_EXECUTION', {
      ...{ language: 'JAVASCRIPT', code: `return data['Said'].length;` },
    });
    await evaluate();
    await runCommand(workbench, 'Test Results: Focus on Test Results View');
    await workbench.page
      .locator('.test-output-peek-tree')
      .getByText('Length: 4 of 5')
      .first()
      .waitFor();
    await screenshot(workbench, 'evals-score');
    await runCommand(workbench, 'View: Hide Panel');
    await test(/Row 2/).hover();
    await test(/Row 2/)
      .getByRole('button', { name: /Open Sheet/ })
      .click();
    await workbench.page.getByRole('tab', { name: /Answers/ }).waitFor(patiently);
    await screenshot(workbench, 'evals-sheet');
  });
});
