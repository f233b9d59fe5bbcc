import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { Client } from '../../src/core/index.ts';
import { guardFormula, unguardFormula } from '../../src/core/exports/formula-guard.ts';
import { KindSeen, fits } from '../../src/core/exports/value-kind.ts';
import type { Api, SheetPlace } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { SharedService } from './support/shared-service.ts';
import { until } from '../support/until.ts';

const texts = ['plain', '', '=1+1', '-5', '@x', '\tx', 'a,"b"\nc', '007', 'مرحبا 🙂'];

onEachBackend('Exports', (backend) => {
  let service: SharedService;
  let api: Api;
  let client: Client;
  before(async () => {
    service = await backend.share();
    ({ api } = service);
    client = new Client({ apiKey: service.key, baseURL: service.url });
  });
  after(() => client.close());

  const file = async (place: SheetPlace, query = ''): Promise<string> => {
    const url = `${service.url}${place.path}/export?${query}`;
    const answer = await fetch(url, { headers: { 'x-api-key': service.key } });
    assert.equal(answer.status, 200);
    return answer.text();
  };
  const bytesOf = async (place: SheetPlace, query: object): Promise<Buffer> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of client.tables.export(place, query)) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const addColumn = async (place: SheetPlace, title: string, more: object = {}): Promise<string> =>
    (await api.expect(201, 'POST', `${place.path}/columns`, { title, type: 'TEXT', ...more }))
      .column.id;
  /** Rows given as JSON text, so that no digit is lost on the way. */
  const addRows = async (place: SheetPlace, rows: readonly string[]): Promise<void> => {
    const raw = `{"count":${String(rows.length)},"values":[${rows.join(',')}]}`;
    const { status, text } = await api.call('POST', `${place.path}/rows`, undefined, { raw });
    assert.equal(status, 201, text);
  };
  /** One column of each kind of value, with nulls and cells that were never filled. */
  const mixedSheet = async (): Promise<{ place: SheetPlace; ids: readonly string[] }> => {
    const place = await api.newSheet();
    await api.expect(200, 'DELETE', `${place.path}/rows`, { row_indices: [0] });
    const titles = ['int', 'double', 'digits', 'bool', 'mixed', 'Column A'];
    const ids = [place.columnId];
    for (const title of titles) ids.push(await addColumn(place, title));
    const row = (...values: readonly string[]): string =>
      `{${values.map((value, at) => `"${ids[at] ?? ''}":${value}`).join(',')}}`;
    await addRows(place, [
      row('"x"', '9223372036854775807', '0.1', '0.1000000000000000000001', 'true', '{"a":1.5}'),
      row('""', '-9223372036854775808', '3', '1e400', 'false', '"t"', '"again"'),
      row('null', 'null', 'null', 'null', 'null', 'null'),
      row('"null"'),
    ]);
    return { place, ids };
  };

  it('CSV keeps text, tells null from empty text, and reads back as it was', async () => {
    const place = await api.sheetOf(
      `text\n${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join('\n')}`,
    );
    const exact = await file(place, 'guard_formulas=false');
    const records = parse(exact, { columns: true, skip_empty_lines: true });
    assert.deepEqual(
      records.map((record) => (record as { text: string }).text),
      texts,
    );
    const again = await api.sheetOf(exact);
    assert.equal(await file(again, 'guard_formulas=0'), exact);
  });

  it('CSV guards formulas unless it is told not to, and leaves numbers alone', async () => {
    const place = await api.sheetOf('=sum\n"=1+1"\n-5\n"-5+1"\n"\t=x"\n＝1');
    const guarded = await file(place);
    assert.deepEqual(parse(guarded), [
      ["'=sum"],
      ["'=1+1"],
      ['-5'],
      ["'-5+1"],
      ["'\t=x"],
      ["'＝1"],
    ]);
    assert.match(await file(place, 'guard_formulas=false'), /^=sum\r\n=1\+1\r\n/);
    assert.match(await file(place, 'format=jsonl'), /"=1\+1"/);
  });

  it('keeps every digit and tells values, null and nothing apart in CSV, JSON and JSON Lines', async () => {
    const { place } = await mixedSheet();
    assert.equal(
      await file(place),
      [
        'Column A,int,double,digits,bool,mixed,Column A (2)',
        'x,9223372036854775807,0.1,0.1000000000000000000001,true,"{""a"":1.5}",',
        '"",-9223372036854775808,3,1e400,false,t,again',
        ',,,,,,',
        'null,,,,,,',
        '',
      ].join('\r\n'),
    );
    const lines = await file(place, 'format=jsonl');
    const [first, second, third, fourth] = lines.trimEnd().split('\n');
    assert.equal(
      first,
      '{"Column A":"x","int":9223372036854775807,"double":0.1,"digits":0.1000000000000000000001,"bool":true,"mixed":{"a":1.5}}',
    );
    assert.match(
      second ?? '',
      /^\{"Column A":"","int":-9223372036854775808,.*"Column A \(2\)":"again"\}$/,
    );
    assert.equal(fourth, '{"Column A":"null"}');
    const whole = JSON.parse(await file(place, 'format=json')) as object[];
    assert.deepEqual(
      whole,
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    );
    assert.ok(third !== undefined);
  });

  it('Parquet has typed columns and says which of them hold digits or JSON', async () => {
    const { place } = await mixedSheet();
    const bytes = await bytesOf(place, { format: 'parquet' });
    const buffer = new Uint8Array(bytes).buffer;
    const metadata = parquetMetadata(buffer);
    assert.deepEqual(
      metadata.schema.slice(1).map(({ name, type }) => [name, type]),
      [
        ['Column A', 'BYTE_ARRAY'],
        ['int', 'INT64'],
        ['double', 'DOUBLE'],
        ['digits', 'BYTE_ARRAY'],
        ['bool', 'BOOLEAN'],
        ['mixed', 'BYTE_ARRAY'],
        ['Column A (2)', 'BYTE_ARRAY'],
      ],
    );
    assert.deepEqual(
      metadata.key_value_metadata?.map(({ key, value }) => [key, value]),
      [
        ['prompt_tables.json_columns', '["mixed"]'],
        ['prompt_tables.number_columns', '["digits"]'],
      ],
    );
    const rows = await parquetReadObjects({ file: buffer });
    assert.deepEqual(rows[0], {
      'Column A': 'x',
      int: 9223372036854775807n,
      double: 0.1,
      digits: '0.1000000000000000000001',
      bool: true,
      mixed: '{"a":1.5}',
      'Column A (2)': null,
    });
    assert.deepEqual(
      rows.map((row) => [row['Column A'], row['digits'], row['mixed']]),
      [
        ['x', '0.1000000000000000000001', '{"a":1.5}'],
        ['', '1e400', '"t"'],
        [null, null, null],
        ['null', null, null],
      ],
    );
  });

  it('with cells there are the statuses and errors too, and cells that never ran have no value', async () => {
    const { place } = await mixedSheet();
    const count = await addColumn(place, 'count', {
      type: 'COUNT',
      config: { source: 'int', type: 'chars' },
    });
    const query = `content=cells&column_ids=${count}`;
    const [line] = (await file(place, `format=jsonl&${query}`)).split('\n');
    assert.equal(line, '{"row_index":1,"cells":{"count":{"status":"stale"}}}');
    assert.match(
      await file(place, query),
      /^row_index,count,count status,count error\r\n1,,stale,\r\n/,
    );
    const bytes = await bytesOf(place, { format: 'parquet', content: 'cells', columnIds: [count] });
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    assert.deepEqual(rows[0], {
      row_index: 1n,
      count: null,
      'count status': 'stale',
      'count error': null,
    });
  });

  it('takes the chosen columns in their order, and refuses one that is not there', async () => {
    const { place, ids } = await mixedSheet();
    const query = `column_ids=${ids[4] ?? ''}&column_ids=${ids[1] ?? ''}`;
    assert.match(await file(place, query), /^bool,int\r\ntrue,9223372036854775807\r\n/);
    await api.expect(400, 'GET', `${place.path}/export?column_ids=nope`);
    await api.expect(422, 'GET', `${place.path}/export?format=doc`);
    const other = service.other;
    await other.expect(404, 'GET', `${place.path}/export`);
  });

  it('sends a saved version as it was', async () => {
    const place = await api.sheetOf('a\n1\n2');
    const { version } = await api.expect(201, 'POST', `${place.path}/versions`, { name: 'v' });
    await api.expect(200, 'DELETE', `${place.path}/rows`, { row_indices: [0] });
    assert.equal(await file(place), 'a\r\n2\r\n');
    assert.equal(await file(place, `version_id=${version.id}`), 'a\r\n1\r\n2\r\n');
    await api.expect(404, 'GET', `${place.path}/export?version_id=${place.sheetId}`);
  });

  it('is the same however it is cut, and a reader that leaves stops the reading', async function () {
    this.timeout(30_000);
    const rows = 3000;
    const filler = 'x'.repeat(2000);
    const lines = Array.from({ length: rows }, (_, at) => `${String(at)},${filler}`);
    const place = await api.sheetOf(`n,filler\n${lines.join('\n')}`);
    assert.equal(await file(place), `n,filler\r\n${lines.join('\r\n')}\r\n`);
    const parquet = await bytesOf(place, { format: 'parquet' });
    const read = await parquetReadObjects({ file: new Uint8Array(parquet).buffer, columns: ['n'] });
    assert.deepEqual(
      [read.length, read[0]?.['n'], read.at(-1)?.['n']],
      [rows, '0', String(rows - 1)],
    );

    const before = service.log.length;
    const leaving = new AbortController();
    await assert.rejects(async () => {
      for await (const _ of client.tables.export(place, {}, { signal: leaving.signal })) {
        leaving.abort();
      }
    }, /canceled/);
    await until('the service has stopped reading', () =>
      /"isWhole":false/.test(service.log.slice(before)),
    );
  });
});

describe('Exported values', () => {
  it('a guarded text never begins as a formula, and is the text otherwise', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '1', '.', 'a', '\t') }),
        ),
        (text) => {
          const guarded = guardFormula(text);
          assert.ok(guarded === text || guarded === `'${text}`);
          assert.equal(unguardFormula(guarded), text);
          if (/^[=+\-@\t\r\n]/.test(guarded)) assert.ok(Number.isFinite(Number(guarded)));
        },
      ),
    );
  });

  it('whatever a column holds fits the type that is found for it', () => {
    const number = fc.oneof(
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt(),
    );
    const value = fc.oneof(number, fc.boolean(), fc.string(), fc.constant(null));
    const column = fc.oneof(fc.array(number), fc.array(value), fc.array(fc.bigInt()));
    fc.assert(
      fc.property(column, (values) => {
        const all = values.map((one) =>
          typeof one === 'bigint' ? String(one) : JSON.stringify(one),
        );
        const seen = new KindSeen();
        for (const text of all) seen.see(text);
        for (const text of all) assert.ok(fits(seen.kind, text), `${text} in ${seen.kind}`);
        if (seen.kind === 'double') {
          for (const text of all) if (text !== 'null') assert.equal(Number(text), JSON.parse(text));
        }
      }),
    );
  });
});
