/** Files imported by hand, in a real VS Code on a real service: looked at, changed, filled in, refused. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import {
  answer,
  answerFile,
  chooseInMenu,
  notification,
  patiently,
  runCommand,
  screenshot,
  treeItem,
  webview,
} from '../support/host/workbench.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import { hosted, makeSheet, type Hosted, type MadeSheet } from './support/hosted.ts';
import { until } from '../support/until.ts';

describe('VS Code: import of files', function () {
  this.timeout(180_000);
  let window: Hosted;
  let sheet: MadeSheet;

  before(async () => {
    window = await hosted();
    // An item of the list before would be taken for one of the list that is being read, and its menu
    // would know of no table.
    await filterBy('no table is called this');
    await window.workbench.page.getByText('No tables match the filter.').waitFor(patiently);
  });
  beforeEach(async () => {
    await tidyUp(window.workbench);
    sheet = await makeSheet(window, ['question', 'note'], [['old', 'one']]);
    // Rows that are out of view are not in the page.
    await filterBy(sheet.table);
    await tableItem().waitFor(patiently);
  });
  after(() => runCommand(window.workbench, 'Prompt Tables: Clear Table Filter'));

  const filterBy = async (name: string): Promise<void> => {
    await runCommand(window.workbench, 'Prompt Tables: Filter Tables by Name…');
    await answer(window.workbench, name);
  };
  const view = () => webview(window.workbench);
  const tableItem = (): Locator =>
    treeItem(window.workbench, new RegExp(`^Table ${sheet.table}(,|$)`));
  async function sheetItem(): Promise<Locator> {
    await tableItem().locator('.monaco-tl-twistie').click();
    return treeItem(window.workbench, /^Sheet Answers/);
  }
  const list = (name: string): Locator => view().getByRole('combobox', { name, exact: true });
  const press = (name: string): Promise<void> =>
    view().getByRole('button', { name, exact: true }).click();
  const table = (): string => sheet.path.replace(/\/sheets\/.*/, '');

  /** Names and row counts of the sheets of the table. */
  async function sheets(): Promise<readonly (readonly [string, number])[]> {
    const { data } = await window.service.api.get(`${table()}/sheets`);
    return data.map((one: { title: string; row_count: number }) => [one.title, one.row_count]);
  }
  async function rows(of: string): Promise<Record<string, unknown>[]> {
    const { data, columns } = await window.service.api.get(`${table()}/sheets/${of}/rows`);
    return data.map(({ cells }: { cells: Record<string, { value: unknown }> }) =>
      Object.fromEntries(
        columns.map(({ id, title }: { id: string; title: string }) => [title, cells[id]?.value]),
      ),
    );
  }
  async function idOf(title: string): Promise<string> {
    const { data } = await window.service.api.get(`${table()}/sheets`);
    return data.find((one: { title: string }) => one.title === title)?.['id'] ?? '';
  }

  /** Chooses a file by the menu of an item. */
  async function importFrom(item: Locator, name: string, content: string | Buffer): Promise<void> {
    const { workbench } = window;
    const file = path.join(workbench.host.workspace, name);
    fs.writeFileSync(file, content);
    await chooseInMenu(workbench, item, 'Import File…');
    await answerFile(workbench, file);
    await view()
      .getByRole('heading', { name: `Import ${name}` })
      .waitFor(patiently);
  }

  it('shows a file before it is imported, reads it anew, and makes a sheet of it', async () => {
    const { workbench } = window;
    await importFrom(tableItem(), 'prices.csv', 'price, eur;x\n1,5;2\n2,5;\n');
    await view().getByText('Select the delimiter: Comma and Semicolon').waitFor(patiently);
    await press('Import');
    await view().getByRole('alert').getByText('Select the delimiter').waitFor(patiently);
    await list('Delimiter').selectOption({ label: 'Semicolon' });
    await view().getByText('Rows: 2').waitFor(patiently);
    await view().getByRole('textbox', { name: 'Title of x' }).fill('amount');
    await screenshot(workbench, 'import-prices');
    await press('Import');
    await view()
      .getByRole('grid')
      .getByRole('columnheader', { name: /amount/ })
      .waitFor(patiently);
    await until('the rows are there', async () => (await rows(await idOf('prices'))).length === 2);
    assert.deepEqual(await rows(await idOf('prices')), [
      { 'price, eur': '1,5', amount: '2' },
      { 'price, eur': '2,5', amount: null },
    ]);
  });

  it('adds the rows of a file to a sheet, each column where it was sent, with their kinds', async () => {
    await importFrom(
      await sheetItem(),
      'more.json',
      '[{"question":"new","points":12345678901234567890,"flag":true},{"question":null,"flag":""}]',
    );
    assert.equal(await list('Import into').inputValue(), sheet.sheetId);
    await list('Target column of points').selectOption({ label: 'note' });
    await list('Target column of flag').waitFor();
    await press('Import');
    await view().getByRole('grid').waitFor(patiently);
    await until('the rows are there', async () => (await rows(sheet.sheetId)).length === 3);
    const { data } = await window.service.api.get(`${sheet.path}/rows`);
    const added = data[1]?.['cells'] as Record<string, { display_value: string }> | undefined;
    assert.equal(added?.[sheet.columns['note'] ?? '']?.display_value, '12345678901234567890');
    assert.deepEqual(
      (await rows(sheet.sheetId)).map(({ question, flag }) => [question, flag]),
      [
        ['old', null],
        ['new', true],
        [null, ''],
      ],
    );
  });

  it('adds separated values to a sheet in one go, and makes the columns that it does not have', async () => {
    const { path: place, sheetId } = sheet;
    const before = (await rows(sheetId)).length;
    await importFrom(
      await sheetItem(),
      'rows.csv',
      'note;Question;extra\r\nn1;"q;1";x\nn2;;""\r\n',
    );
    assert.equal(await list('Import into').inputValue(), sheetId);
    await list('Target column of Question').selectOption({ label: 'question' });
    await view().getByText('Rows: 2').waitFor(patiently);
    await press('Import');
    await view().getByRole('grid').waitFor(patiently);
    await until('the rows are there', async () => (await rows(sheetId)).length === before + 2);
    assert.deepEqual(
      (await rows(sheetId))
        .slice(before)
        .map(({ question, note, extra }) => [question, note, extra]),
      [
        ['q;1', 'n1', 'x'],
        [null, 'n2', ''],
      ],
    );
    const { columns } = await window.service.api.get(`${place}/rows`);
    assert.equal(columns.filter(({ title }) => title === 'extra').length, 1);
  });

  it('leaves nothing of a file that breaks, and says where it does', async () => {
    const { workbench } = window;
    const before = await sheets();
    const good = `a,b\n${'1,2\n'.repeat(600_000)}`;
    await importFrom(
      tableItem(),
      'late.csv',
      Buffer.concat([Buffer.from(good), Buffer.from('\xe9,2\n', 'latin1')]),
    );
    const place = /isn't valid UTF-8 text \(record 600,002, line 600,002, byte 2,400,005\)/;
    await view().getByText(place).first().waitFor(patiently);
    await view().getByText('Rows that could be read: 600,000').waitFor(patiently);
    await press('Import');
    await view()
      .getByText(/late\.csv could not be imported\..*byte 2,400,005/)
      .waitFor(patiently);
    await screenshot(workbench, 'import-broken');
    await until('it has left nothing', async () => isDeepStrictEqual(await sheets(), before));
    await list('Encoding').selectOption('windows-1252');
    await view().getByText('Rows: 600,001').waitFor(patiently);
    await press('Cancel');
    await notification(workbench, 'Importing late.csv').waitFor({ state: 'hidden' });
    await until('nothing is left', async () => isDeepStrictEqual(await sheets(), before));
  });
});
