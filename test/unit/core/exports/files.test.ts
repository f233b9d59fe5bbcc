import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { readSheet } from 'read-excel-file/node';
import readBook from 'read-excel-file/node';
import { csv } from '../../../../src/core/exports/csv.ts';
import { json, jsonLines } from '../../../../src/core/exports/json.ts';
import { markdown } from '../../../../src/core/exports/markdown.ts';
import { parquet } from '../../../../src/core/exports/parquet.ts';
import type { Encode, ExportPlan, FileCell } from '../../../../src/core/exports/shape.ts';
import { xlsx } from '../../../../src/core/exports/xlsx.ts';

const cell = (value: string | null, more: Partial<FileCell> = {}): FileCell => ({
  ...{ status: 'completed', value, error: null, error_message: null },
  ...more,
});
const failed = cell(null, { status: 'error', error: 'e1', error_message: '=broken | pipe' });

/** Values by row, as JSON text; undefined: no cell. */
function planOf(rows: readonly (readonly (FileCell | undefined)[])[], more = {}): ExportPlan {
  const count = rows[0]?.length ?? 0;
  const titles = Array.from({ length: count }, (_, at) => `c${String(at + 1)}`);
  return {
    columns: titles.map((title) => ({ title, isComputed: true })),
    titles,
    content: 'values',
    // Pages of one row, the last one empty: readers must not care.
    async *pages() {
      for (const [rowIndex, cells] of rows.entries())
        yield await Promise.resolve([{ rowIndex, cells }]);
      yield [];
    },
    ...more,
  };
}

async function bytesOf(encode: Encode, plan: ExportPlan): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of encode(plan)) pieces.push(piece);
  return Buffer.concat(pieces);
}
const textOf = async (encode: Encode, plan: ExportPlan): Promise<string> =>
  (await bytesOf(encode, plan)).toString('utf8');

const golden = planOf([
  [cell('"Zoë Ñandú"'), cell('9007199254740993'), cell('true')],
  [cell('"漢字かな\\n交じり"'), cell('-0.1'), cell('null')],
  [cell('"👩‍👩‍👧 🙂"'), cell('1e400'), undefined],
  [cell('"=1+1;\\t|"'), cell('{"a":[1.50]}'), failed],
]);

describe('Sheets as files', () => {
  it('CSV with a separator of its own, the mark and every digit', async () => {
    assert.equal(
      await textOf(csv({ guard: true, separator: ';', isMarked: true }), golden),
      [
        '\uFEFFc1;c2;c3',
        'Zoë Ñandú;9007199254740993;true',
        '"漢字かな\n交じり";-0.1;',
        '👩‍👩‍👧 🙂;1e400;',
        '"\'=1+1;\t|";"{""a"":[1.50]}";',
        '',
      ].join('\r\n'),
    );
  });

  it('JSON and JSON Lines with every digit, and no field where there is no value', async () => {
    const rows = [
      '{"c1":"Zoë Ñandú","c2":9007199254740993,"c3":true}',
      '{"c1":"漢字かな\\n交じり","c2":-0.1,"c3":null}',
      '{"c1":"👩‍👩‍👧 🙂","c2":1e400}',
      '{"c1":"=1+1;\\t|","c2":{"a":[1.50]}}',
    ];
    assert.equal(await textOf(jsonLines, golden), rows.map((row) => `${row}\n`).join(''));
    assert.equal(await textOf(json, golden), `[\n${rows.join(',\n')}\n]\n`);
    assert.equal(await textOf(json, planOf([])), '[\n]\n');
  });

  it('Markdown in which nothing of a value is markup', async () => {
    assert.equal(
      await textOf(markdown, golden),
      [
        '| c1 | c2 | c3 |',
        '| --- | --- | --- |',
        '| Zoë Ñandú | 9007199254740993 | true |',
        '| 漢字かな<br>交じり | -0.1 | *null* |',
        '| 👩‍👩‍👧 🙂 | 1e400 |  |',
        String.raw`| =1+1;&#9;\| | \{"a":\[1.50\]\} |  |`,
        '',
      ].join('\n'),
    );
    const states = await textOf(markdown, { ...golden, content: 'cells' });
    assert.match(states, /\| {2}\| error \| =broken \\\| pipe \|\n$/);
  });

  it('Excel files that another reader reads', async () => {
    let cut = 0;
    const plan = planOf([
      ...[[cell('"Zoë 漢字 🙂"'), cell('9007199254740993'), cell('true')]],
      ...[[cell('"=1+1"'), cell('-0.25'), cell('null')]],
      ...[[cell('"a\\u0000b\\u000B_x0041_ \\ud800"'), cell('123456789012345'), failed]],
      ...[[cell(JSON.stringify('x'.repeat(40_000))), cell('0.1234567890123456'), undefined]],
    ]);
    const encode = xlsx({
      sheetTitle: "'A/b[c]: long title of a sheet of the test",
      onCut: () => (cut += 1),
    });
    const book = await readBook(await bytesOf(encode, plan), { trim: false });
    assert.equal(book[0]?.sheet, 'A b c   long title of a shee');
    const rows = book[0].data;
    assert.deepEqual(rows.slice(0, 4), [
      ['c1', 'c2', 'c3'],
      ['Zoë 漢字 🙂', '9007199254740993', true],
      ['=1+1', -0.25, null],
      ['a\u0000b\u000B_x0041_ \uFFFD', 123456789012345, null],
    ]);
    const [long, digits] = rows[4] ?? [];
    assert.equal(String(long).length, 32_767);
    assert.match(String(long), /x… \(cut\)$/);
    assert.equal(digits, '0.1234567890123456');
    assert.equal(cut, 1);
  });

  it('Excel with status and error beside each cell', async () => {
    const bytes = await bytesOf(xlsx({ sheetTitle: '' }), { ...golden, content: 'cells' });
    const rows = await readSheet(bytes);
    assert.deepEqual(rows[0]?.slice(0, 4), ['row_index', 'c1', 'c1 status', 'c1 error']);
    assert.deepEqual(rows[4]?.slice(7), [null, 'error', '=broken | pipe']);
  });

  it('Parquet that another reader reads', async () => {
    const file = new Uint8Array(await bytesOf(parquet, golden)).buffer;
    const rows = await parquetReadObjects({ file });
    assert.deepEqual(
      rows.map(({ c1, c2 }) => [c1, c2] as unknown[]),
      [
        ['Zoë Ñandú', '9007199254740993'],
        ['漢字かな\n交じり', '-0.1'],
        ['👩‍👩‍👧 🙂', '1e400'],
        ['=1+1;\t|', '{"a":[1.50]}'],
      ],
    );
  });

  it('separated values of any text are read back as they were', async () => {
    const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 });
    const separator = fc.constantFrom(',', ';', '\t');
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 1, maxLength: 5 }),
        separator,
        async (rows, delimiter) => {
          const width = Math.max(...rows.map(({ length }) => length));
          const even = rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')]);
          const plan = planOf(even.map((row) => row.map((text) => cell(JSON.stringify(text)))));
          const text = await textOf(csv({ guard: false, separator: delimiter }), plan);
          const read = parse(text, { delimiter, record_delimiter: '\r\n' });
          assert.deepEqual(
            read.slice(1),
            even.map((row) => row.map((one) => Buffer.from(one).toString())),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
