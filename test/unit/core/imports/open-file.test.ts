/** How a file is read when nobody has said it, and what is said where it can't be. */
import assert from 'node:assert/strict';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { writeXlsx } from 'hucre/xlsx';
import { offeredEncodings } from '../../../../src/core/imports/encodings.ts';
import { ImportError, type FileFault } from '../../../../src/core/imports/import-error.ts';
import { readCsv } from '../../../../src/core/imports/csv.ts';
import { openFile, type ReadChoices } from '../../../../src/core/imports/open-file.ts';
import { suggestTitles } from '../../../../src/core/imports/titles.ts';
import { fileOf, readFile } from './support.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const texts = (rows: readonly (readonly (string | null)[])[]): (string | null)[][] =>
  rows.map((row) => row.map((one) => (one === null ? null : (JSON.parse(one) as string))));

describe('A file that is opened', () => {
  it('is split by what splits it alike, or by what its first line says', async () => {
    const cases: readonly (readonly [string, string, string, (string | null)[][]])[] = [
      ['a,b\n1,2\n', ',', 'content', [['1', '2']]],
      [
        'id;answer, short, polite\n1;yes, no\n2;maybe, so\n',
        ';',
        'content',
        [
          ['1', 'yes, no'],
          ['2', 'maybe, so'],
        ],
      ],
      ['sep=;\na;b\n1,5;2\n', ';', 'hint', [['1,5', '2']]],
      ['"sep=|"\r\na|b\r\n1;5|2\r\n', '|', 'hint', [['1;5', '2']]],
      ['\uFEFFsep=\t\na\tb\n1\t2', '\t', 'hint', [['1', '2']]],
      ['one\nalone\n', ',', 'none', [['alone']]],
    ];
    for (const [text, value, how, rows] of cases) {
      const { form, values } = await readFile(fileOf('a.csv', text, 5));
      assert.deepEqual(form.delimiter, { value, how, others: [] }, text);
      assert.deepEqual(texts(values), rows, text);
    }
  });

  it('is not split while two delimiters fit equally, and is once one was chosen', async () => {
    const file = fileOf('a.csv', 'price, eur;x\n1,5;2\n');
    const { form, table, lines } = await readFile(file);
    assert.deepEqual(form.delimiter, { value: ',', how: 'tie', others: [';'] });
    assert.equal(table, undefined);
    assert.deepEqual(lines?.slice(0, 2), ['price, eur;x', '1,5;2']);
    const chosen = await readFile(file, { delimiter: ';' });
    assert.equal(chosen.form.delimiter?.how, 'chosen');
    assert.deepEqual(texts(chosen.values), [['1,5', '2']]);
  });

  it('is not read while its encoding is unknown, and is once one was chosen', async () => {
    const file = fileOf('a.csv', latin('a;b\n\xe9;\x80\n'));
    const { form, table, lines } = await readFile(file);
    assert.deepEqual(form.encoding, { value: 'utf-8', how: 'unknown' });
    assert.equal(table, undefined);
    assert.deepEqual(lines, ['a;b', '\uFFFD;\uFFFD', '']);
    assert.deepEqual(texts((await readFile(file, { encoding: 'windows-1252' })).values), [
      ['é', '€'],
    ]);
    for (const encoding of offeredEncodings) new TextDecoder(encoding, { fatal: true });
  });

  it('is UTF-16 without a mark where the bytes are, and not for a zero character in it', async () => {
    const utf16 = (text: string, isBig: boolean): Uint8Array => {
      const bytes = Buffer.from(text, 'utf16le');
      return isBig ? bytes.swap16() : bytes;
    };
    for (const text of ['a;b\n1;2\n', '名前,年\nアン,3\n', `a\n${'長い文'.repeat(4)},\n`]) {
      for (const isBig of [false, true]) {
        const { form } = await readFile(fileOf('a.csv', utf16(text, isBig)));
        assert.deepEqual(form.encoding?.value, isBig ? 'utf-16be' : 'utf-16le', text);
      }
    }
    for (const text of ['a\n"zero \0 in it"\n0.1\n', 'ab\nzero \0 in it\n', 'a,b\n\0,1\n2,3\n']) {
      const { form } = await readFile(fileOf('a.csv', text));
      assert.equal(form.encoding?.value, 'utf-8', JSON.stringify(text));
    }
  });

  it('is refused for what it is where it is no text, whatever its name says', async () => {
    const bytes = (hex: string): Buffer => Buffer.from(`${hex}00612c620a`, 'hex');
    const cases: readonly (readonly [string, Uint8Array | string, RegExp])[] = [
      ['a.csv', Buffer.from('fffe0000610000002c000000', 'hex'), /UTF-32 text/],
      ['a.xls', bytes('d0cf11e0a1b11ae1'), /Excel 97-2003/],
      ['a.csv', bytes('1f8b0808'), /is compressed/],
      ['a.json', bytes('28b52ffd'), /is compressed/],
      ['a.tsv', '%PDF-1.7\n%\u00e2\u00e3', /not a table/],
      ['Clipboard', bytes('89504e470d0a1a0a'), /not a table/],
      ['a.csv', 'SQLite format 3\0', /not a table/],
      ['a.csv', '\uFEFF\n <!DOCTYPE html><html><body>Sign in</body></html>', /web page/],
      // What some programs call a file of Excel.
      ['a.csv', '<table border="1"><tr><td>a,b</td></tr></table>', /web page/],
      ['a.csv', '<?xml version="1.0"?>\n<Workbook><Row>1,2</Row></Workbook>', /not a table/],
      ['a.txt', '{\\rtf1\\ansi a,b}', /not a table/],
    ];
    for (const [name, content, words] of cases) {
      const { fault } = await openFile(fileOf(name, content));
      assert.match(fault?.message ?? '', words, name);
    }
    for (const text of ['<a>,b\n1,2\n', 'html\n<html>\n', 'PDF,%PDF-\n1,2\n', 'BZh,a\n1,2\n']) {
      assert.equal((await openFile(fileOf('a.csv', text))).fault, undefined, text);
    }
  });

  it('is of the kind that its bytes, its name or its text say', async () => {
    const book = await writeXlsx({ sheets: [{ name: 'S', rows: [['a'], ['1']] }] });
    const parquet = parquetWriteBuffer({ columnData: [{ name: 'a', data: ['1'] }] });
    const cases: readonly (readonly [string, Uint8Array | string, string])[] = [
      ['a.csv', book, 'xlsx'],
      ['Clipboard', new Uint8Array(parquet), 'parquet'],
      ['a.NDJSON', '{"a":"1"}', 'jsonl'],
      ['a.json', '[{"a":"1"}]', 'json'],
      ['a.json', '{"a":"1"}\n{"a":"1"}', 'jsonl'],
      ['a.csv', '{"a":"1"}\n{"b":2,"a":"1"}', 'jsonl'],
      ['a.txt', '\uFEFF[\n {"a":"1"},{"a":"2","b":2}]', 'json'],
      ['a.csv', '{a}\n1\n', 'delimited'],
      ['a.csv', '[a]\n1\n', 'delimited'],
      ['Clipboard', ' [ {"a":"1"}]', 'json'],
      ['Clipboard', '{"a":"1"}\n', 'jsonl'],
      ['Clipboard', 'a\n1\n', 'delimited'],
    ];
    for (const [name, content, format] of cases) {
      const { form, values } = await readFile(fileOf(name, content));
      assert.equal(form.format, format, name);
      assert.equal(values[0]?.[0], '"1"', name);
    }
  });

  it('may have no header; empty, repeated and long titles are made so that they fit', async () => {
    const { table, values } = await readFile(fileOf('a.csv', 'a,b\n1,2\n'), { hasHeader: false });
    assert.deepEqual(table?.fields, [null, null]);
    assert.deepEqual(texts(values), [
      ['a', 'b'],
      ['1', '2'],
    ]);
    const long = 'x'.repeat(300);
    assert.deepEqual(suggestTitles(['a', null, ' a', 'Column 2', 'a (2)', long]), [
      { title: 'a', because: null },
      { title: 'Column 2 (2)', because: 'empty' },
      { title: 'a (3)', because: 'repeated' },
      { title: 'Column 2', because: null },
      { title: 'a (2)', because: null },
      { title: 'x'.repeat(255), because: 'long' },
    ]);
  });

  it('is told what is missing or too much, with record, line and byte', async () => {
    const { values, remarks } = await readFile(
      fileOf('a.csv', '\uFEFFa,b\n1\n"x\r\ny",2,\n3,4,,\n'),
    );
    assert.deepEqual(texts(values), [
      ['1', null],
      ['x\r\ny', '2'],
      ['3', '4'],
    ]);
    assert.deepEqual(remarks, [
      { kind: 'short', count: 1, record: 2, line: 2, byte: 8 },
      { kind: 'extra', count: 2, record: 3, line: 3, byte: 10 },
    ]);
  });

  it('says where it seems to escape quotes with a backslash, and keeps all of it', async () => {
    const { values, remarks } = await readFile(
      fileOf('a.csv', 'id,t\n1,"say ""hi"""\n2,"say \\"hi\\""\n3,5" pipe\n4,"{""a"":""\\""""}"\n'),
    );
    assert.deepEqual(
      texts(values).map(([, text]) => text),
      ['say "hi"', '"say \\"hi\\""', '5" pipe', '{"a":"\\""}'],
    );
    const noted = remarks.map(({ kind, count, record, line }) => [kind, count, record, line]);
    assert.deepEqual(noted, [['backslashes', 1, 3, 3]]);
  });

  it('escapes quotes with a backslash where somebody has chosen it, wherever the file is cut', async () => {
    const records = [
      ['id', 'text'],
      ['1', 'say "hi", you'],
      ['2', 'C:\\dir\\'],
      ['3', '"'],
      ['4', 'a\\"b\n\\\\'],
      ['5', 'doubled "too"'],
    ];
    const escaped = (field: string): string => `"${field.replaceAll(/["\\]/g, '\\$&')}"`;
    const lines = records.map((fields) => fields.map(escaped).join(','));
    const text = lines.join('\n').replace('\\"too\\"', '""too""');
    const choices = { quote: '\\"' };
    const { form, table, values, remarks } = await readFile(fileOf('a.csv', text), choices);
    assert.deepEqual([form.quote, form.delimiter?.value], ['\\"', ',']);
    assert.deepEqual([table?.fields, ...texts(values)], records);
    assert.deepEqual(remarks, []);
    for (let cut = 1; cut < text.length; cut += 1) {
      const pieces = [text.slice(0, cut), text.slice(cut)];
      const found = [];
      for await (const record of readCsv(pieces, { delimiter: ',', ...choices })) {
        found.push(record.fields);
      }
      assert.deepEqual(found, records, String(cut));
    }
    // A sign after a backslash that needs none is as it stands, and places are those of the file.
    const { values: kept } = await readFile(fileOf('a.csv', 'a,b\n"x\\ny",1\n'), choices);
    assert.deepEqual(texts(kept), [['x\\ny', '1']]);
  });

  it('of pyarrow whose pages of version 2.0 count wrongly says so, and what helps', async () => {
    // A column of lists of structures, [{x: 1}], [], null, [{x: null}, {x: 2}], by pyarrow 25.
    const written =
      'UEFSMRUGFRwVHFwVChUCFQgVABUIFQQSHAAAAAMQAwxGAAEAAAACAAAAFQQZXDUAGAZzY2hlbWEVAgA1AhgB' +
      'YRUCFQZMPAAAADUEGARsaXN0FQIANQIYB2VsZW1lbnQVAgAVAiUCGAF4ABYIGRwZHCYAHBUCGSUGABlIAWEE' +
      'bGlzdAdlbGVtZW50AXgVABYKFkwWTCYISRwVABUAFQIAPCkmCAIZVgICAAIEAAAAFkwWCCYIFkwAKCBwYXJx' +
      'dWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI1LjAuMRkcHAAAALUAAABQQVIx';
    await assert.rejects(
      readFile(fileOf('a.parquet', Buffer.from(written, 'base64'))),
      /a page doesn't hold as many values as it says\. .* with data_page_version 2\.0, write it again with 1\.0/,
    );
  });

  it('that breaks says how it was read, which somebody may change', async () => {
    const opened = await openFile(fileOf('a.csv', latin('\xff,b\n')), { encoding: 'utf-8' });
    assert.deepEqual(opened.form.encoding, { value: 'utf-8', how: 'chosen' });
    assert.equal(opened.fault?.fault.byte, 1);
  });

  it('that breaks is refused with the place where it does', async () => {
    const late = Buffer.concat([
      Buffer.from(`a,b\n${`1,"${'x'.repeat(91)}\ny"\n`.repeat(30_000)}3,`),
      latin('\xe9,\n'),
    ]);
    const cases: readonly (readonly [string, Buffer | string, ReadChoices, FileFault])[] = [
      [
        'a.csv',
        'a,b\n1,2\n3,4,5\n',
        {},
        { kind: 'wide', fields: 3, columns: 2, record: 3, line: 3, byte: 9 },
      ],
      [
        'a.csv',
        'a,b\n1,"x\ny"\n3,4,5\n',
        {},
        { kind: 'wide', fields: 3, columns: 2, record: 3, line: 4, byte: 13 },
      ],
      [
        'a.csv',
        'a,b\n1,2\n3,"open\n4,5\n',
        {},
        { kind: 'open-quote', record: 3, line: 3, byte: 9 },
      ],
      [
        'a.csv',
        latin('a,b\n1,2\n3,\xe9\n'),
        { encoding: 'utf-8' },
        { kind: 'bytes', encoding: 'UTF-8', record: 3, line: 3, byte: 11 },
      ],
      [
        'a.csv',
        late,
        {},
        { kind: 'bytes', encoding: 'UTF-8', record: 30_002, line: 60_002, byte: 2_940_007 },
      ],
      [
        'a.csv',
        latin('a,b\n\x81\x40,2\n\x81\xff,2\n'),
        { encoding: 'shift_jis' },
        { kind: 'bytes', encoding: 'Shift_JIS', record: 3, line: 3, byte: 10 },
      ],
      ['a.json', '[{"a":1},{"a":]', {}, { kind: 'json', record: 2, reason: '' }],
      ['a.json', '[{"a":1},{"a":2}', {}, { kind: 'json', record: 2, reason: '' }],
      ['a.json', '[{"a":1},7]', {}, { kind: 'json', record: 2, reason: '' }],
      ['a.jsonl', '{"a":1}\n\n{"a":}\n', {}, { kind: 'json', record: 2, line: 3, reason: '' }],
    ];
    for (const [name, content, choices, fault] of cases) {
      await assert.rejects(readFile(fileOf(name, content), choices), (error: unknown) => {
        assert.ok(error instanceof ImportError);
        const found = error.fault.kind === 'json' ? { ...error.fault, reason: '' } : error.fault;
        assert.deepEqual(found, fault, error.message);
        return true;
      });
    }
    for (const [name, content] of [
      ['a.csv', ''],
      ['a.xlsx', 'PK\u0003\u0004nothing'],
      ['a.parquet', 'PAR1nothingPAR1'],
      ['a.json', '{"a": 1,\n"b": 2}'],
    ] as const)
      await assert.rejects(readFile(fileOf(name, content)), ImportError, name);
  });
});

describe('An Excel file that is opened', () => {
  const book = () =>
    writeXlsx({
      sheets: [
        { name: 'Secret', hidden: true, rows: [['x'], ['y']] },
        {
          name: 'Data',
          rows: [
            ['day', 'moment', 'number', 'flag', 'error', ''],
            [],
            [
              new Date(Date.UTC(2024, 1, 29)),
              new Date(Date.UTC(2024, 1, 29, 13, 5, 7)),
              0.1,
              true,
              '#N/A',
              'beyond',
            ],
            ['', null, 2 ** 53, false, 'all', null],
          ],
          merges: [{ startRow: 2, startCol: 0, endRow: 3, endCol: 0 }],
          cells: new Map([['3,1', { formula: 'C3*2', formulaResult: 0.2 }]]),
        },
      ],
    });

  it('is refused where a part of it would fill the memory', async () => {
    // The directory of the file says how long a part becomes.
    const bytes = Buffer.from(await book());
    const entry = bytes.indexOf('PK\u0001\u0002', 0, 'latin1');
    bytes.writeUInt32LE(2 ** 31, entry + 24);
    await assert.rejects(readFile(fileOf('a.xlsx', bytes)), /parts of more than 512 MB/);
  });

  it('counts days from 1900 or 1904, and says what may be something else than it looks like', async () => {
    const at = (year: number, month: number, day: number, hour = 0): Date =>
      new Date(Date.UTC(year, month, day, hour));
    for (const [dateSystem, year] of [
      ['1900', 1900],
      ['1904', 1904],
    ] as const) {
      const noon = year === 1900 ? at(1899, 11, 31, 12) : at(1904, 0, 1, 12);
      const rows = [['x'], [at(2024, 1, 29)], [noon], [at(year, 0, 3, 6)], [1]];
      const cells = new Map([['4,0', { formula: '1+1' }]]);
      const bytes = await writeXlsx({ dateSystem, sheets: [{ name: 'S', rows, cells }] });
      const { values, remarks } = await readFile(fileOf('a.xlsx', bytes));
      const read = values.map(([value]) => value);
      assert.deepEqual(read.slice(0, 3), [
        '"2024-02-29"',
        '"12:00:00"',
        `"${year}-01-03T06:00:00"`,
      ]);
      const noted = remarks.map(({ kind, count, record }) => [kind, count, record]);
      assert.deepEqual(
        noted.filter(([kind]) => kind === 'early-date' || kind === 'no-result'),
        [
          ['no-result', 1, 5],
          ['early-date', 1, 4],
        ],
        dateSystem,
      );
    }
    const before = await writeXlsx({ sheets: [{ name: 'S', rows: [['x'], [at(1899, 11, 26)]] }] });
    assert.deepEqual((await readFile(fileOf('a.xlsx', before))).values, [['-5']]);
  });

  it('shows durations of more than a day as Excel does, but for the one day that it counts twice', async () => {
    const days = { '1900': [0.5, 1.25, 45.25, 59, 59.5, 61, 400], '1904': [0, 0.5, 1.25, 59.5] };
    const shown = {
      '1900': ['12:00:00', '30:00:00', '1086:00:00', '1900-02-28', '1900-02-28T12:00:00'].concat(
        ...['1464:00:00', '9600:00:00'],
      ),
      '1904': ['00:00:00', '12:00:00', '30:00:00', '1428:00:00'],
    };
    for (const dateSystem of ['1900', '1904'] as const) {
      const rows = [['x', 'date'], ...days[dateSystem].map(() => [null, null])];
      const zero = dateSystem === '1900' ? Date.UTC(1899, 11, 31) : Date.UTC(1904, 0, 1);
      const cells = new Map(
        days[dateSystem].map((day, at) => {
          const counted = dateSystem === '1900' && day > 60 ? day - 1 : day;
          const value = new Date(zero + counted * 86_400_000);
          return [`${at + 1},0`, { value, style: { numFmt: '[h]:mm:ss' } }];
        }),
      );
      const bytes = await writeXlsx({ dateSystem, sheets: [{ name: 'S', rows, cells }] });
      const { values } = await readFile(fileOf('a.xlsx', bytes));
      assert.deepEqual(
        values.map(([value]) => JSON.parse(value ?? 'null') as unknown),
        shown[dateSystem],
      );
    }
  });

  it('tells dates from numbers by their format, with letters in quotes and the money of any country', async () => {
    const dates = [
      'h"時"mm"分"',
      'hh"h"mm',
      'h\\hmm',
      'mm"\'"ss',
      'm',
      'yyyy"年"m"月"d"日"',
      'mm:ss.000',
    ].concat('d. mmmm yyyy', '[$-411]ggge"年"', '[$-F400]h:mm:ss AM/PM', 'dd"<&>"mm');
    const numbers = [
      '[$S/-280A]\\ #,##0.00',
      '#,##0.00\\ [$Kčs-405]',
      '0" days"',
      '0\\h',
      '0.00E+00',
    ].concat('General"d"', '"y";"n"', '[Red]0', '_-* #,##0\\ [$h.-1]_-', '# ?/?', '[<=9]0;"s"0');
    const durations = ['[h]"h"mm', '[mm]:ss'];
    const formats = [...dates, ...numbers, ...durations];
    const cells = new Map(
      formats.map((format, at) => [`${at + 1},0`, { value: 45351.5, style: { numFmt: format } }]),
    );
    const rows = [['x'], ...formats.map(() => [null])];
    const bytes = await writeXlsx({ sheets: [{ name: 'S', rows, cells }] });
    const { values } = await readFile(fileOf('a.xlsx', bytes));
    const read = Object.fromEntries(formats.map((format, at) => [format, values[at]?.[0]]));
    const expected = [
      ...dates.map((format) => [format, '"2024-02-29T12:00:00"']),
      ...numbers.map((format) => [format, '45351.5']),
      ...durations.map((format) => [format, '"1088436:00:00"']),
    ];
    assert.deepEqual(read, Object.fromEntries(expected));
  });

  it('may begin with a sheet that is a chart, which has no cells', async () => {
    const parts = unzipSync(await book());
    const edit = (name: string, before: string, added: string): void => {
      const text = strFromU8(parts[name] ?? new Uint8Array());
      assert.ok(text.includes(before), name);
      parts[name] = strToU8(text.replace(before, `${added}${before}`));
    };
    edit('xl/workbook.xml', '<sheet ', "<sheet name='A chart' sheetId='99' r:id = 'rId99' />");
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    edit(
      'xl/_rels/workbook.xml.rels',
      '</Relationships>',
      `<Relationship Target='chartsheets/sheet1.xml' Type='${office}/chartsheet' Id='rId99'/>`,
    );
    const { form } = await readFile(fileOf('a.xlsx', zipSync(parts)));
    assert.deepEqual(
      form.sheets?.map(({ name }) => name),
      ['Secret', 'Data'],
    );
    assert.equal(form.sheet, 'Data');
  });

  it('lists its sheets, and begins with the first that is shown', async () => {
    const { form } = await readFile(fileOf('a.xlsx', await book()));
    assert.equal(form.sheet, 'Data');
    assert.deepEqual(form.sheets, [
      { name: 'Secret', isHidden: true },
      { name: 'Data', isHidden: false },
    ]);
    const hidden = await readFile(fileOf('a.xlsx', await book()), { sheet: 'Secret' });
    assert.deepEqual(hidden.values, [['"y"']]);
  });

  it('keeps days, moments, numbers and booleans, shows errors, and says what it left out', async () => {
    const { table, values, rows, remarks } = await readFile(fileOf('a.xlsx', await book()));
    assert.deepEqual(table?.fields, ['day', 'moment', 'number', 'flag', 'error', '']);
    assert.deepEqual(values, [
      ['"2024-02-29"', '"2024-02-29T13:05:07"', '0.1', 'true', '"#N/A"', '"beyond"'],
      ['""', '0.2', '9007199254740992', 'false', '"all"', null],
    ]);
    assert.deepEqual(
      rows.map(({ record }) => record),
      [3, 4],
    );
    assert.deepEqual(
      remarks.map(({ kind, count, record }) => [kind, count, record]),
      [
        ['merged', 1, undefined],
        ['blank', 1, 2],
        ['error-value', 1, 3],
        ['rounded', 1, 4],
      ],
    );
  });
});

describe('A Parquet file that is opened', () => {
  it('keeps decimals, 64-bit integers, times and bytes to the last digit', async () => {
    const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
    const file = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 9 },
        { name: 'id', type: 'INT64', repetition_type: 'OPTIONAL' },
        {
          name: 'price',
          type: 'INT64',
          converted_type: 'DECIMAL',
          precision: 18,
          scale: 2,
          repetition_type: 'REQUIRED',
        },
        {
          name: 'huge',
          type: 'FIXED_LEN_BYTE_ARRAY',
          type_length: 16,
          converted_type: 'DECIMAL',
          precision: 38,
          scale: 10,
          repetition_type: 'REQUIRED',
        },
        {
          name: 'at',
          type: 'INT64',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
          repetition_type: 'REQUIRED',
        },
        {
          name: 'local',
          type: 'INT64',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' },
          repetition_type: 'REQUIRED',
        },
        { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
        {
          name: 'clock',
          type: 'INT32',
          logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MILLIS' },
          repetition_type: 'REQUIRED',
        },
        { name: 'ratio', type: 'FLOAT', repetition_type: 'REQUIRED' },
        { name: 'raw', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
      ],
      columnData: [
        { name: 'id', data: [9223372036854775807n, null] },
        { name: 'price', data: [-5n, 123456789012345678n] },
        {
          name: 'huge',
          data: [-1n, 2n ** 64n],
        },
        { name: 'at', data: [1700000000123456789n, -1n] },
        { name: 'local', data: [1700000000000000n, 1n] },
        { name: 'day', data: [19782, -1] },
        { name: 'clock', data: [45296789, 0] },
        { name: 'ratio', data: [Math.fround(0.1), Number.NaN] },
        { name: 'raw', data: [new TextEncoder().encode('héllo'), bytes(0xff, 0xfe)] },
      ],
    });
    const { values, remarks } = await readFile(fileOf('a.parquet', new Uint8Array(file)));
    assert.deepEqual(values, [
      [
        ...['9223372036854775807', '-0.05', '-0.0000000001', '"2023-11-14T22:13:20.123456789Z"'],
        ...['"2023-11-14T22:13:20"', '"2024-02-29"', '"12:34:56.789"', '0.1', '"héllo"'],
      ],
      [
        ...[
          null,
          '1234567890123456.78',
          '1844674407.3709551616',
          '"1969-12-31T23:59:59.999999999Z"',
        ],
        ...['"1970-01-01T00:00:00.000001"', '"1969-12-31"', '"00:00:00"', '"NaN"', '"//4="'],
      ],
    ]);
    assert.deepEqual(
      remarks.map(({ kind, record }) => [kind, record]),
      [
        ['not-a-number', 2],
        ['binary', 2],
      ],
    );
  });
});
