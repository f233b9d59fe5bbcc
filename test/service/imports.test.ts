import assert from 'node:assert/strict';
import { timeLimit } from '../support/time-limit.ts';
import type { Answer, Api, Json, SheetPlace } from './support/api.ts';
import { tablesPath } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { newFolder } from './support/running-service.ts';
import { until } from '../support/until.ts';

const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64');

onEachBackend('Imports', (backend) => {
  let api: Api;
  before(async () => {
    api = (await backend.share()).api;
  });

  const titles = async (sheet: SheetPlace): Promise<string[]> =>
    (await api.get(`${sheet.path}/columns`)).data.map(({ title }: Json) => title);
  const values = async (sheet: SheetPlace): Promise<unknown[][]> => {
    const { data, columns } = await api.get(`${sheet.path}/rows`);
    return data.map((row: Json) => columns.map(({ id }: Json) => row.cells[id]!.value));
  };
  const importInto = (sheet: SheetPlace, content: string, more: object = {}): Promise<Answer> =>
    api.call('POST', `${sheet.path}/imports/file`, {
      file_name: 'more.csv',
      file_content_base64: base64(content),
      ...more,
    });

  it('reads quotes, line ends of every kind, empty lines, a byte order mark and delimiters', async () => {
    const comma = await api.sheetOf(
      '\uFEFFname,"say ""hi"""\r\n"a, b","line 1\nline 2"\r\n\r\nc,\r\nd,""',
    );
    assert.deepEqual(await titles(comma), ['name', 'say "hi"']);
    assert.deepEqual(await values(comma), [
      ['a, b', 'line 1\nline 2'],
      ['c', null],
      ['d', ''],
    ]);
    const semicolon = await api.sheetOf('a;b\n1,5;2');
    assert.deepEqual(await values(semicolon), [['1,5', '2']]);
    const tab = await api.sheetOf('a\tb\n1\t2\n3');
    assert.deepEqual(await values(tab), [
      ['1', '2'],
      ['3', null],
    ]);
    const wide = new Uint8Array([0xff, 0xfe, ...Buffer.from('größe\nzwölf', 'utf16le')]);
    assert.deepEqual(await values(await api.sheetOf(wide)), [['zwölf']]);
    const unmarked = Buffer.from('größe;x\nzwölf;1,5', 'utf16le');
    assert.deepEqual(await values(await api.sheetOf(unmarked)), [['zwölf', '1,5']]);
    const hinted = await api.sheetOf('sep=;\r\na, b;c, d\r\n1, 2;3, 4\r\n');
    assert.deepEqual(await titles(hinted), ['a, b', 'c, d']);
    assert.deepEqual(await values(hinted), [['1, 2', '3, 4']]);
  });

  it('keeps text exactly: long digits, formulas, controls and every script', async () => {
    const texts = [
      '00123456789012345678901234567890',
      '=1+1',
      ' padded ',
      'مرحبا 🙂 \u202E',
      '1e999',
      'null',
    ];
    const sheet = await api.sheetOf(`text\n${texts.map((text) => `"${text}"`).join('\n')}`);
    assert.deepEqual((await values(sheet)).flat(), texts);
  });

  it('makes the sheet at once, named after the file, and fills it as an operation', async () => {
    const { table } = await api.expect(201, 'POST', tablesPath, { create_default_sheet: false });
    const sheets = `${tablesPath}/${table.id}/sheets`;
    const source = {
      type: 'file',
      file_name: 'People 2026.CSV',
      file_content_base64: base64('a\n1\n2'),
    };
    const started = await api.expect(202, 'POST', sheets, { source, operation_id: 'my own/id' });
    assert.equal(started.sheet.title, 'People 2026');
    assert.equal(started.operation_id, 'my own/id');
    assert.equal(started.operation.source, 'file');
    const state = await api.finished(started.status_url);
    assert.deepEqual(
      [state.status, state.rows_added, state.row_count, state.progress],
      ['completed', 2, 2, 1],
    );
    const again = await api.expect(202, 'POST', sheets, { source, operation_id: 'my own/id' });
    assert.equal(again.sheet.id, started.sheet.id);
    assert.equal((await api.get(sheets)).count, 1);
    await api.expect(404, 'GET', `${sheets}/operations/none`);
  });

  it('makes a sheet of a JSON array of objects and keeps the kinds of its values', async () => {
    const sheet = await api.sheetOf(
      '[{"id": 12345678901234567890, "name": "a"}, {"name": null, "tags": ["x", 1.0]}, {}]',
      'data.json',
    );
    assert.deepEqual(await titles(sheet), ['id', 'name', 'tags']);
    const page = await api.call('GET', `${sheet.path}/rows`);
    assert.ok(page.text.includes('"value":12345678901234567890,'));
    assert.deepEqual((await values(sheet)).slice(1), [
      [null, null, ['x', 1]],
      [null, null, null],
    ]);
  });

  it('keeps the values of keys that begin or end with blanks, under trimmed titles', async () => {
    const sheet = await api.sheetOf(
      '[{"id":1,"question ":"Why?"," answer":"So"},{"\u00a0id2\\n":5,"question ":"How?"}]',
      'keys.json',
    );
    assert.deepEqual(await titles(sheet), ['id', 'question', 'answer', 'id2']);
    assert.deepEqual(await values(sheet), [
      [1, 'Why?', 'So', null],
      [null, 'How?', null, 5],
    ]);
  });

  it('adds to a sheet by title and makes columns for titles that it does not have', async () => {
    const sheet = await api.sheetOf('a,b\n1,2');
    const started = await importInto(sheet, 'b,c\n3,4\n5,6');
    assert.equal(started.status, 202);
    const state = await api.finished(started.body.status_url);
    assert.equal(state.rows_added, 2);
    assert.deepEqual(await titles(sheet), ['a', 'b', 'c']);
    assert.deepEqual(await values(sheet), [
      ['1', '2', null],
      [null, '3', '4'],
      [null, '5', '6'],
    ]);
  });

  it('refuses bad headers, bad files and columns that are computed', async () => {
    const sheet = await api.sheetOf('a\n1');
    await api.expect(201, 'POST', `${sheet.path}/columns`, {
      title: 'Length',
      type: 'COUNT',
      config: { source: 'a', type: 'chars' },
    });
    const many = Array.from({ length: 1000 }, (_, index) => `c${String(index)}`).join(',');
    for (const content of [
      '',
      '\n\n',
      'a,\n1,2',
      'a, a\n1,2',
      `${'x'.repeat(256)}\n1`,
      many,
      'Length\n1',
    ]) {
      const answer = await importInto(sheet, content);
      assert.equal(answer.status, 400, `${content}: ${answer.text}`);
    }
    // What is wrong after the header is found while importing.
    const open = await importInto(sheet, 'a\n"open');
    assert.equal((await api.finished(open.body.status_url)).status, 'failed');
    const body = { file_name: 'x.csv', file_content_base64: base64('a\n1') };
    const path = `${sheet.path}/imports/file`;
    await api.expect(400, 'POST', path, { ...body, file_name: 'x.json' });
    await api.expect(400, 'POST', path, { ...body, file_content_base64: '***' });
    await api.expect(400, 'POST', path, { ...body, extra: 1 });
    await api.expect(400, 'POST', path, { file_name: 'x.csv' });
    assert.equal((await importInto(sheet, 'b\n\u0000')).status, 202);
    const binary = { ...body, file_content_base64: base64(new Uint8Array([0x61, 0xff, 0xff])) };
    await api.expect(400, 'POST', path, binary);
    // What would become a table of scraps.
    for (const [text, words] of [
      ['{"a":1,"b":2}\n{"a":3,"b":4}\n', /holds JSON, and not CSV/],
      ['\uFEFF[\n{"a":1},\n{"a":2}]', /holds JSON, and not CSV/],
      ['<table><tr><td>a,b</td></tr></table>', /web page/],
    ] as const) {
      const named = { ...body, file_content_base64: base64(text) };
      assert.match(JSON.stringify(await api.expect(400, 'POST', path, named)), words);
    }
  });

  it('fails with the record that does not fit and keeps what came before it', async () => {
    const { table } = await api.expect(201, 'POST', tablesPath, { create_default_sheet: false });
    const started = await api.expect(202, 'POST', `${tablesPath}/${table.id}/sheets`, {
      source: { type: 'file', file_name: 'x.csv', file_content_base64: base64('a,b\n1,2\n1,2,3') },
    });
    const state = await api.finished(started.status_url);
    assert.equal(state.status, 'failed');
    assert.match(state.error_message, /Record 3 has 3 fields/);
  });

  it('takes one import into a sheet at a time, and the same operation_id as the same import', async () => {
    const sheet = await api.sheetOf('a\n1');
    const large = `a\n${'some text\n'.repeat(100_000)}`;
    const first = await importInto(sheet, large, { operation_id: 'one' });
    assert.equal(first.status, 202, first.text);
    const same = await importInto(sheet, large, { operation_id: 'one' });
    assert.equal(same.status, 202);
    const second = await importInto(sheet, 'a\n2', { operation_id: 'two' });
    assert.equal(second.status, 409, second.text);
    const state = await api.finished(first.body.status_url);
    assert.equal(state.rows_added, 100_000);
    assert.equal((await api.get(`${sheet.path}/rows`)).row_count, 100_001);
    assert.equal((await importInto(sheet, 'a\n2', { operation_id: 'two' })).status, 202);
  });

  it('answers others while a large file is being imported', async () => {
    const sheet = await api.sheetOf('a\n1');
    const started = await importInto(sheet, `a\n${'word\n'.repeat(50_000)}`);
    let slowest = 0;
    await until(
      'it is imported',
      async () => {
        const before = performance.now();
        await api.get(`${sheet.path}/rows?limit=1`);
        slowest = Math.max(slowest, performance.now() - before);
        return (await api.get(started.body.status_url)).operation.status === 'completed';
      },
      { limitMs: timeLimit(60_000), everyMs: 1 },
    );
    assert.ok(slowest < timeLimit(2500), `An answer took ${String(slowest)} ms.`);
  });

  it('goes on after kill -9 where it was and adds each row once', async function () {
    this.timeout(90_000);
    const folder = newFolder();
    let service = await backend.start({ folder });
    const sheet = await service.api.sheetOf('n,text\n0,first');
    const rows = 5000;
    const lines = Array.from(
      { length: rows },
      (_, index) => `${String(index + 1)},some text of this row`,
    );
    const started = await service.api.call('POST', `${sheet.path}/imports/file`, {
      file_name: 'large.csv',
      file_content_base64: base64(`n,text\n${lines.join('\n')}`),
      operation_id: 'survivor',
    });
    const url = started.body.status_url;
    for (let kills = 0; kills < 2; kills += 1) {
      const { operation: seen } = await service.api.get(url);
      await until(
        'it has come some way',
        async () => {
          const { operation } = await service.api.get(url);
          return operation.rows_added > seen.rows_added + 500 || operation.status === 'completed';
        },
        { everyMs: 5 },
      );
      const { operation: before } = await service.api.get(url);
      await service.kill('SIGKILL');
      service = await backend.start({ folder });
      const { operation: after } = await service.api.get(url);
      assert.ok(after.rows_added >= before.rows_added, 'What had been added is still there.');
    }
    const state = await service.api.finished(url, 60_000);
    assert.equal(state.status, 'completed', JSON.stringify(state));
    assert.equal(state.rows_added, rows);
    const last = await service.api.get(`${sheet.path}/rows?order=desc&limit=100`);
    assert.equal(last.row_count, rows + 1);
    assert.deepEqual(
      last.data.map((row: Json) => Number(row.cells[sheet.columnId]!.value)),
      last.data.map((row: Json) => row.row_index),
    );
  });
});
