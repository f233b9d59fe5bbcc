/** The page of an import alone, with the product's own reading of files. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import type { ByteFile, TableRow } from '../../src/core/imports/table.ts';
import { ImportError } from '../../src/core/imports/import-error.ts';
import { openFile } from '../../src/core/imports/open-file.ts';
import { Remarks } from '../../src/core/imports/table.ts';
import { readChoices } from '../../src/extension/import/fields.ts';
import { faultOfRequest, lookOf, type SheetColumn } from '../../src/extension/import/look.ts';
import { remarkText } from '../../src/extension/import/words.ts';
import type {
  ImportLook,
  ImportNews,
  ImportRequests,
  ImportView,
  ImportRequest,
} from '../../src/protocol/import.ts';
import { fileOf } from '../unit/core/imports/support.ts';
import {
  inEnglish,
  startLinkedPages,
  type LinkedPage,
  type LinkedPages,
} from './support/page-link.ts';
import { until } from '../support/until.ts';

type None = Readonly<Record<string, never>>;
type Form = { asks: ImportRequests; tells: None; asked: None; reported: ImportNews };

const words = { t: inEnglish, number: String };
const columns: readonly SheetColumn[] = [
  { id: 'q', title: 'question', type: 'TEXT' },
  { id: 'n', title: 'note', type: 'TEXT' },
  { id: 'a', title: 'answer', type: 'PROMPT_TEMPLATE' },
];
const view: ImportView = {
  ...{ formId: 'f', fileName: 'questions.csv', table: 'Table', sheetId: '', title: 'questions' },
  connection: { name: 'Acme', local: false },
  sheets: [{ value: 's', label: 'Answers' }],
};
const file = fileOf(
  'questions.csv',
  'id;question;answer;answer;;score\n1;"Why; and how?";42;yes;;3\n2;"";;no\n3;What\tnow?;"two\nlines";;x;4\n',
);

describe('Page of an import', function () {
  this.timeout(60_000);
  let pages: LinkedPages<Form>;
  let linked: LinkedPage<Form>;
  let saved: ImportRequest[];
  let looks: number;

  async function look(
    of: ByteFile,
    tell: (count: ImportNews['counted']) => void,
    { choices, sheetId }: Pick<ImportRequest, 'choices' | 'sheetId'>,
  ): Promise<ImportLook> {
    const { form, table, lines = [], fault } = await openFile(of, readChoices(choices));
    const rows: TableRow[] = [];
    const remarks = new Remarks();
    let broken = fault;
    try {
      for await (const batch of table?.rows(remarks) ?? []) rows.push(...batch);
    } catch (error) {
      assert.ok(error instanceof ImportError);
      broken = error;
    }
    looks += 1;
    const id = looks;
    setTimeout(() => {
      tell({
        ...{ look: id, rows: `Rows: ${String(rows.length)}`, fault: null },
        remarks: remarks.list.map((remark) => remarkText(remark, words)),
      });
    });
    const first = { form, fields: table?.fields ?? [], rows, lines };
    const sent = broken === undefined ? null : { message: broken.message, fault: broken.fault };
    const sheet = sheetId === '' ? null : columns;
    return lookOf({ ...first, fault: sent }, { id, choices, sheet }, words);
  }
  const save = (importRequest: ImportRequest) => {
    const fault = faultOfRequest(
      importRequest,
      importRequest.sheetId === '' ? null : columns,
      inEnglish,
    );
    if (fault !== null) return fault;
    saved.push(importRequest);
    return null;
  };
  /** Of another file, or of the usual one. */
  const open = async (of: ByteFile = file): Promise<void> => {
    linked = await pages.open((channel) => ({
      look: (asked) => look(of, (count) => channel()?.emit('counted', count), asked),
    }));
  };

  before(async () => {
    pages = await startLinkedPages<Form>({
      ...{ bundle: 'import', tells: [] },
      answers: {
        ...{ ready: () => view, cancel: () => null, save },
        look: (asked) => look(file, () => undefined, asked),
      },
    });
  });
  beforeEach(() => {
    saved = [];
    looks = 0;
  });
  afterEach(() => pages.done());
  after(() => pages.close());

  const list = (name: string): Locator => linked.page.getByRole('combobox', { name, exact: true });
  const box = (name: string): Locator => linked.page.getByRole('textbox', { name, exact: true });
  const says = (text: string | RegExp): Promise<void> =>
    linked.page.getByText(text).first().waitFor();
  const press = (name: string): Promise<void> =>
    linked.page.getByRole('button', { name, exact: true }).click();
  const cells = (row: number): Promise<string[]> =>
    linked.page.locator('tbody tr').nth(row).locator('td').allTextContents();

  it('shows the first rows as they will be stored, and says what was found out', async () => {
    await open();
    await says('Detected from the number of fields in the records.');
    assert.equal(await list('Delimiter').inputValue(), ';');
    assert.equal(await list('Encoding').inputValue(), 'utf-8');
    assert.deepEqual(await cells(0), ['1', 'Why; and how?', '42', 'yes', 'no value', '3']);
    assert.deepEqual(await cells(1), ['2', 'empty text', 'no value', 'no', 'no value', 'no value']);
    assert.equal(await box('Title of answer').nth(1).inputValue(), 'answer (2)');
    assert.equal(await box('Title of Column 5').inputValue(), 'Column 5');
    await says('The file uses this title more than once.');
    await says('Rows: 3');
    await says(
      'Records with fewer fields than columns: 1 (first: record 3, line 3, byte 62). The missing values stay empty.',
    );
    await linked.page.getByRole('checkbox', { name: 'Import id' }).uncheck();
    await box('Title of score').fill(' Points ');
    await press('Import');
    await until('it was saved', () => Promise.resolve(saved.length === 1));
    assert.deepEqual(
      saved[0]?.columns.map(({ goal, title }) => (goal === '' ? null : title)),
      [null, 'question', 'answer', 'answer (2)', 'Column 5', ' Points '],
    );
  });

  it('reads anew what is chosen, and asks where two delimiters fit equally', async () => {
    await open(fileOf('a.csv', 'price, eur;x\n1,5;2\n'));
    await says('Select the delimiter: Comma and Semicolon fit equally well.');
    assert.equal(await list('Delimiter').inputValue(), '');
    await says('1,5;2');
    await list('Delimiter').selectOption({ label: 'Semicolon' });
    await until('it is split', async () => isDeepStrictEqual(await cells(0), ['1,5', '2']));
    assert.equal(await linked.page.locator('tbody tr').count(), 1);
    await list('First row').selectOption({ label: 'Data' });
    await until('there are two', async () => (await linked.page.locator('tbody tr').count()) === 2);
    await list('Delimiter').selectOption({ label: 'Other…' });
    await box('Other delimiter').fill('e');
    await box('Other delimiter').press('Tab');
    await until('it is split by e', async () => (await cells(0))[0] === 'pric');
  });

  it('asks for the encoding where it is none that can be told, and shows what is broken', async () => {
    const western = Buffer.from('name;place\nJos\xe9;S\xe3o\n', 'latin1');
    await open(fileOf('a.csv', western));
    await says('Select the encoding of the file.');
    await says("Not UTF-8. Other encodings can't be detected.");
    await list('Encoding').selectOption('windows-1252');
    await until('it is read', async () => isDeepStrictEqual(await cells(0), ['José', 'São']));
    linked.answer({ save: () => ({ field: null, message: 'It has bytes (record 3, byte 9).' }) });
    await press('Import');
    await says('It has bytes (record 3, byte 9).');
  });

  it('adds rows to a sheet: same titles go together, others are chosen', async () => {
    await open();
    await says('Rows: 3');
    await list('Import into').selectOption({ label: 'Sheet Answers' });
    await list('Target column of question').waitFor();
    assert.equal(await list('Target column of question').inputValue(), 'q');
    // The sheet computes such a column.
    assert.equal(await list('Target column of answer').first().inputValue(), '');
    await list('Target column of id').selectOption({ label: 'question' });
    await press('Import');
    await says('Another column of the file already goes to this one.');
    await list('Target column of id').selectOption({ label: 'note' });
    await press('Import');
    await until('it was saved', () => Promise.resolve(saved.length === 1));
    assert.equal(saved[0]?.sheetId, 's');
    assert.deepEqual(
      saved[0].columns.map(({ goal }) => goal),
      ['n', 'q', '', '+', '+', '+'],
    );
  });

  it('keeps what was chosen while it is hidden', async () => {
    await open();
    await says('Rows: 3');
    const quoted = (await cells(0)).join();
    await list('Quotes').selectOption({ label: 'None' });
    await until('it is shown anew', async () => (await cells(0)).join() !== quoted);
    await box('Title of id').fill('Number');
    await box('Title of the sheet').fill('All of them');
    await linked.comeBack();
    await until('it was read again', () => Promise.resolve(linked.asked('look').length === 3));
    await until(
      'titles are back',
      async () => (await box('Title of id').inputValue()) === 'Number',
    );
    assert.equal(await list('Quotes').inputValue(), 'none');
    assert.equal(await box('Title of the sheet').inputValue(), 'All of them');
  });

  it('can be read and walked by everybody, also where it is narrow', async () => {
    await open();
    await says('Rows: 3');
    await linked.canBeReadByEverybody('import');
    await linked.canBeWalkedByTab();
    await linked.page.setViewportSize({ width: 360, height: 700 });
    const width = await linked.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `The page is ${String(width)} pixels wide.`);
    await linked.canBeReadByEverybody('import-narrow');
  });
});
