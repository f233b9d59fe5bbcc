/** Two columns compared row by row, in a real VS Code on a real service. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  anOption,
  askBy,
  closeEditor,
  dismiss,
  patiently,
  pick,
  pickBy,
  quickInput,
  reload,
  runCommand,
  screenshot,
  webview,
} from '../support/host/workbench.ts';
import { hosted, makeSheet, openSheet, type Hosted, type MadeSheet } from './support/hosted.ts';

/** Every fourth row is the same in both columns. */
const rows = Array.from({ length: 240 }, (_, at) => [
  `Answer ${at} is on its way`,
  at % 4 === 3 ? `Answer ${at} is on its way` : `Answer ${at} was sent today`,
  '1',
]);

describe('VS Code: comparing columns', function () {
  this.timeout(180_000);
  let window: Hosted;
  let sheet: MadeSheet;

  before(async () => {
    window = await hosted();
  });
  beforeEach(async () => {
    sheet = await makeSheet(window, ['Old', 'New', 'Points'], rows);
    await openSheet(window, sheet);
  });

  const view = () => webview(window.workbench);
  const where = (row: number): Promise<void> =>
    view().getByText(`Row ${row} of 240`, { exact: true }).waitFor(patiently);
  const says = (text: string | RegExp): Promise<void> => view().getByText(text).waitFor(patiently);
  const press = (key: string): Promise<void> => window.workbench.page.keyboard.press(key);
  const choice = (name: string): Locator => view().getByRole('combobox', { name });

  it('takes the sheet in front without asking, offers the one that is open first, and not to open it', async () => {
    const { workbench } = window;
    const options = quickInput(workbench).getByRole('option');
    await runCommand(workbench, 'Prompt Tables: Show Sheet Charts…');
    await workbench.page.getByRole('tab', { name: /^Charts of Answers/ }).waitFor(patiently);
    await askBy(workbench, 'Prompt Tables: Export Sheet…', anOption(/^Answers/));
    assert.match(
      (await options.first().textContent()) ?? '',
      new RegExp(`Answers.*${sheet.table} · open`),
    );
    await quickInput(workbench).getByPlaceholder('The open sheet, or a table of Acme').waitFor();
    await screenshot(workbench, 'open-sheet-first');
    await dismiss(workbench);
    await askBy(workbench, 'Prompt Tables: Open Sheet…', anOption(new RegExp(`^${sheet.table}`)));
    assert.doesNotMatch((await options.allInnerTexts()).join('\n'), /Answers/);
    await dismiss(workbench);
  });

  it('compares two of the sheet that is open, keeps what was decided over a reload, and counts no row that is gone', async () => {
    const { workbench, service } = window;
    await pickBy(workbench, 'Prompt Tables: Compare Columns…', /^Old/);
    await quickInput(workbench).getByText('Right column').waitFor();
    await pick(workbench, /^New/);
    await where(1);
    await view().getByRole('button', { name: 'Next row' }).focus();
    await press('1');
    await where(2);
    await press('2');
    await where(3);
    await says('Old 1 · New 1 · ties 0');
    for (const name of ['Score of the left column', 'Score of the right column'])
      await choice(name).selectOption({ label: 'Points' });
    await view().getByRole('button', { name: 'Count wins by score' }).click();
    await says('Old 0 · New 0 · ties 240');
    await screenshot(workbench, 'compare-wins');
    await view().getByRole('button', { name: 'Open in diff editor' }).click();
    await workbench.page.locator('.monaco-diff-editor').waitFor(patiently);
    const tab = (name: string): Locator =>
      workbench.page.locator('.tabs-container').getByRole('tab', { name }).first();
    await tab('Old ↔ New · row 3').waitFor();
    await closeEditor(workbench);
    await tab('Old ↔ New').click();
    await where(3);
    await choice('Listed rows').selectOption('undecided');
    // A row that was decided.
    const { data } = await service.api.get(`${sheet.path}/rows?limit=1`);
    await service.api.expect(200, 'DELETE', `${sheet.path}/rows`, {
      row_indices: [data[0]?.row_index],
    });
    await reload(workbench, '"filter":"undecided"', '"right"}');
    const all = view().getByRole('button', { name: 'Read all rows' });
    await all.waitFor(patiently);
    // By key: while a window is still loading, a click in a page of it may never arrive.
    await all.press('Enter');
    await says('238 of 239 rows');
    assert.equal(await choice('Listed rows').inputValue(), 'undecided');
    await says('Old 0 · New 1 · ties 0');
  });
});
