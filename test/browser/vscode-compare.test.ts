/** Two columns compared row by row, with the rows beside them, in a real VS Code on a real service. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SheetPlace } from '../service/support/api.ts';
import { firstKey, RunningService } from '../service/support/running-service.ts';
import { seriousViolations } from '../support/host/axe.ts';
import { faultsOfTab } from '../support/host/tab-walk.ts';
import type { Workbench } from '../support/host/workbench.ts';
import {
  anOption,
  answer,
  askBy,
  closeEditor,
  dismiss,
  patiently,
  pick,
  pickBy,
  quickInput,
  reload,
  screenshot,
  setTheme,
  webview,
  webviewFrame,
} from '../support/host/workbench.ts';
import { connectedWorkbench } from './support/prompt-hands.ts';

const rowCount = 240;
/** Every fourth row is the same in both columns. */
const isSame = (at: number): boolean => at % 4 === 3;

describe('VS Code: comparing columns', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let service: RunningService;
  let sheet: SheetPlace;
  let newer: string;
  let gone: unknown;

  before(async () => {
    service = await RunningService.start();
    const { api } = service;
    sheet = await api.newSheet();
    await api.expect(200, 'PATCH', `${sheet.path}/columns/${sheet.columnId}`, { title: 'Old' });
    const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, {
      ...{ title: 'New', type: 'TEXT' },
    });
    newer = column.id;
    await api.expect(200, 'DELETE', `${sheet.path}/rows`, { row_indices: [0] });
    for (let from = 0; from < rowCount; from += 80) {
      const values = Array.from({ length: 80 }, (_, at) => {
        const text = `Answer ${from + at} is on its way`;
        const other = isSame(from + at) ? text : `Answer ${from + at} was sent today`;
        return { [sheet.columnId]: text, [newer]: other };
      });
      await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 80, values });
    }
    await api.expect(200, 'PATCH', sheet.path, { title: 'Answers' });
    await api.expect(200, 'PATCH', sheet.path.replace(/\/sheets\/.*/, ''), { title: 'Support' });
    workbench = await connectedWorkbench(service.ready.url ?? '', firstKey);
    await pickBy(workbench, 'Prompt Tables: Open Sheet…', /^Support/);
    await pick(workbench, /^Answers/);
    await view().getByRole('columnheader', { name: /New/ }).waitFor(patiently);
    await pickBy(workbench, 'Prompt Tables: Compare Columns of Sheet…', /^Old/);
    await pick(workbench, /^New/);
    await where(1);
  });
  after(() => service.stop());

  const view = () => webview(workbench);
  const where = (row: number): Promise<void> =>
    view().getByText(`Row ${row} of ${rowCount}`, { exact: true }).waitFor(patiently);
  const option = (name: string): Locator => view().getByRole('option', { name, exact: true });
  const filter = (): Locator => view().getByRole('combobox', { name: 'Rows that are listed' });
  const says = (text: string | RegExp): Promise<void> => view().getByText(text).waitFor(patiently);
  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);

  it('offers the sheet that is open first, for another command too, and not to open it', async () => {
    const options = quickInput(workbench).getByRole('option');
    await askBy(workbench, 'Prompt Tables: Show Charts of Sheet…', anOption(/^Answers/));
    assert.match((await options.first().textContent()) ?? '', /Answers.*Support · open/);
    await quickInput(workbench).getByPlaceholder('The open sheet, or a table of Acme').waitFor();
    await screenshot(workbench, 'open-sheet-first');
    await answer(workbench);
    await workbench.page.getByRole('tab', { name: /^Charts of Answers/ }).waitFor(patiently);
    await askBy(workbench, 'Prompt Tables: Open Sheet…', anOption(/^Support/));
    assert.equal(await options.count(), 1);
    await dismiss(workbench);
    await closeEditor(workbench);
    await where(1);
  });

  it('lists the rows beside the pair: number, whether they differ, what was decided', async () => {
    await option('1 different').waitFor(patiently);
    await option('4 same').click();
    await where(4);
    await says('Both are the same.');
    await view().getByRole('listbox', { name: 'Rows' }).focus();
    await press('Home');
    await where(1);
    await press('End');
    await where(240);
    await option('240 same').waitFor(patiently);
    await press('Home');
    await where(1);
    await press('1');
    await where(2);
    await option('1 different left better').waitFor();
    await press('2');
    await where(3);
    await says('Old 1 · New 1 · ties 0');
    for (const theme of ['light', 'high-contrast', 'dark'] as const) {
      await setTheme(workbench, theme);
      await where(3);
      await option('2 different right better').waitFor(patiently);
      await screenshot(workbench, `compare-list-${theme}`);
      assert.deepEqual(await seriousViolations(await webviewFrame(workbench)), []);
    }
    assert.deepEqual(await faultsOfTab(workbench), []);
  });

  it('goes through those that differ, and says how many rows it has looked at', async () => {
    await filter().selectOption('different');
    await option('5 different').waitFor();
    assert.equal(await option('4 same').count(), 0);
    await view().getByRole('listbox', { name: 'Rows' }).focus();
    await press('j');
    await where(5);
    await press('k');
    await where(3);
    await says(/rows; \d+ of 240 looked at/);
    await view().getByRole('button', { name: 'Look at all rows' }).click();
    await says('180 of 240 rows');
    await view().getByRole('listbox', { name: 'Rows' }).focus();
    await press('End');
    await where(239);
    await press('j');
    await says('No more of these rows.');
  });

  it('goes through those that nobody has decided, and takes a decision back', async () => {
    await filter().selectOption('undecided');
    await says('238 of 240 rows');
    await view().getByRole('listbox', { name: 'Rows' }).focus();
    await press('Home');
    await where(3);
    await press('3');
    await where(4);
    await says('Old 1 · New 1 · ties 1');
    // Back to the one that was decided last.
    await press('ArrowUp');
    await where(3);
    await press('0');
    await says('Old 1 · New 1 · ties 0');
    await screenshot(workbench, 'compare-undecided');
  });

  it('counts no row that is gone, also after the window was loaded anew', async () => {
    const { data } = await service.api.get(`${sheet.path}/rows?limit=1`);
    const rowIndex: unknown = data[0]?.row_index;
    // A row that was decided. Tried again, it is gone already.
    gone ??= rowIndex;
    if (rowIndex === gone)
      await service.api.expect(200, 'DELETE', `${sheet.path}/rows`, { row_indices: [rowIndex] });
    // The decision that was taken back is stored, too: the last of those that are left is "right".
    await reload(workbench, '"filter":"undecided"', '"right"}');
    const all = view().getByRole('button', { name: 'Look at all rows' });
    await all.waitFor(patiently);
    // By key: while a window is still loading, a click in a page of it may never arrive.
    await all.press('Enter');
    await says('238 of 239 rows');
    assert.equal(await filter().inputValue(), 'undecided');
    await says('Old 0 · New 1 · ties 0');
  });
});
