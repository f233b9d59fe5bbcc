/** What a file is shown to hold before it is imported is what the sheet holds then, for every format. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { json, jsonLines } from '../../src/core/exports/json.ts';
import { parquet } from '../../src/core/exports/parquet.ts';
import type { Encode, ExportPlan } from '../../src/core/exports/shape.ts';
import { xlsx } from '../../src/core/exports/xlsx.ts';
import { stringifyJson } from '../../src/core/http/json.ts';
import type { ReadChoices } from '../../src/core/imports/open-file.ts';
import { Remarks, type ByteFile, type ValueText } from '../../src/core/imports/table.ts';
import { suggestTitles } from '../../src/core/imports/titles.ts';
import { uploadFormat, uploadText } from '../../src/core/imports/upload.ts';
import { Client } from '../../src/core/index.ts';
import { fileOf, readFile } from '../unit/core/imports/support.ts';
import { tablesPath } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { SharedService } from './support/shared-service.ts';

const rows: readonly (readonly ValueText[])[] = [
  ['"x, y; z"', '9223372036854775807', '0.1', 'true', '{"a":[1.5]}'],
  ['""', '-3', '12345678901234567890.5', 'false', '"t"'],
  [null, null, null, null, null],
  ['"two\\nlines\\t|"', '0', '-1e+300', null, '17'],
];
const titles = ['text, with; signs', 'int', 'digits', 'flag', 'mixed'];

const plan: ExportPlan = {
  ...{ titles, content: 'values' },
  columns: titles.map((title) => ({ title, isComputed: false })),
  async *pages() {
    for (const [rowIndex, values] of rows.entries()) {
      const cells = values.map((value) => ({
        ...{ status: 'input', value, error: null, error_message: null },
      }));
      yield await Promise.resolve([{ rowIndex, cells }]);
    }
  },
};

async function exported(encode: Encode): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of encode(plan)) pieces.push(piece);
  return Buffer.concat(pieces);
}

interface Reference {
  readonly bytes: string;
  readonly reported: ReadChoices;
  readonly records: readonly (readonly string[])[];
}

/** Files of many encodings, delimiters, quotes and line ends. */
const references = fs
  .readFileSync(path.join(import.meta.dirname, '../unit/core/imports/reference/csv.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(0, 40)
  .map((line) => JSON.parse(line) as Reference);

onEachBackend('Files that were looked at', (backend) => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await backend.share();
    client = new Client({ apiKey: service.key, baseURL: service.url });
  });
  after(() => client.close());

  /** Titles and values, as the sheet of a file has them. */
  async function imported(file: ByteFile, choices: ReadChoices = {}) {
    const opened = await readFile(file, choices);
    assert.ok(opened.table);
    const columns = suggestTitles(opened.table.fields).map(({ title }, from) => ({ from, title }));
    const format = uploadFormat(opened.form.format === 'delimited', columns);
    assert.ok(format);
    const parts: string[] = [];
    for await (const { text } of uploadText(opened.table, columns, format, new Remarks()))
      parts.push(text);
    const content = fileOf('upload', parts.join(''), 1000);
    const { table } = await service.api.expect(201, 'POST', tablesPath, {
      create_default_sheet: false,
    });
    const upload = { fileName: `upload.${format}`, content };
    const started = await client.tables.sheets.createFromFile(table.id, upload);
    let status = '';
    const often = { firstDelayMs: 20, maxDelayMs: 100 };
    for await (const { operation } of client.tables.imports.watch(
      table.id,
      started.operation_id,
      often,
    ))
      status = `${operation.status} ${operation.error_message ?? ''}`;
    assert.equal(status, 'completed ');
    const ref = { tableId: table.id, sheetId: started.sheet.id };
    const values: ValueText[][] = [];
    let shown: readonly string[] = [];
    for await (const page of client.tables.rows.pages(ref)) {
      shown = page.columns.map(({ title }) => title);
      for (const { cells } of page.items) {
        values.push(
          page.columns.map(({ id }) => {
            const value = cells[id]?.value ?? null;
            return value === null ? null : stringifyJson(value);
          }),
        );
      }
    }
    assert.deepEqual(
      shown,
      columns.map(({ title }) => title),
    );
    assert.deepEqual(
      values,
      opened.values.map((row) => [...row]),
    );
    return values;
  }

  it('hold the same rows: JSON, JSON Lines, Excel and Parquet', async () => {
    assert.equal((await imported(fileOf('a.json', await exported(json)))).length, 4);
    assert.equal((await imported(fileOf('a.jsonl', await exported(jsonLines)))).length, 4);
    assert.deepEqual(await imported(fileOf('a.parquet', await exported(parquet))), rows);
    const book = await exported(xlsx({ sheetTitle: 'S' }));
    assert.equal((await imported(fileOf('a.xlsx', book))).length, 3);
  });

  it('hold the same rows: separated values of many kinds', async function () {
    this.timeout(60_000);
    for (const { bytes, reported, records } of references) {
      const file = fileOf('a.csv', Buffer.from(bytes, 'base64'));
      if (records.length < 2) continue;
      assert.equal((await imported(file, reported)).length, records.length - 1);
    }
  });
});
