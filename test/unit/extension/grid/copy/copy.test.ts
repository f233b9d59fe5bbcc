import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import type { Row } from '../../../../../src/api/row.ts';
import { parseJson } from '../../../../../src/core/index.ts';
import { unguardFormula } from '../../../../../src/core/exports/formula-guard.ts';
import { copyWriter } from '../../../../../src/extension/grid/copy/copy-formats.ts';
import { copySelection } from '../../../../../src/extension/grid/copy/copy.ts';
import type { Copied, CopyRequest } from '../../../../../src/extension/grid/copy/copy.ts';
import { gridPageOf } from '../../../../../src/extension/grid/rows/grid-page.ts';
import type { GridColumn } from '../../../../../src/protocol/grid-sheet.ts';
import { t } from '../editor-host.ts';
import { textColumn } from '../fake-rows.ts';

const signal = new AbortController().signal;
const columns: readonly GridColumn[] = [
  { ...textColumn, id: 'a', title: 'A' },
  { ...textColumn, id: 'b', title: 'B' },
  { ...textColumn, id: 'r', title: 'A', type: 'COUNT', computed: true, editable: false },
];

const rowOf = (index: number, values: Readonly<Record<string, unknown>>): Row => ({
  row_index: index,
  cells: Object.fromEntries(
    Object.entries(values).map(([id, value]) => [
      id,
      { id: `${id}${index}`, column_id: id, row_index: index, status: 'completed', value },
    ]),
  ),
});

async function copied(
  rows: readonly Row[],
  options: Partial<CopyRequest> & { readonly version?: number } = {},
): Promise<Copied> {
  const source = {
    rowCount: rows.length,
    version: 1,
    page: async (page: number) => ({
      grid: gridPageOf(rows.slice(page * 100, page * 100 + 100), columns, { page, generation: 1 }),
      version: options.version ?? 1,
    }),
    rows: async (page: number) => rows.slice(page * 100, page * 100 + 100),
  };
  const selection = { rows: [{ from: 0, to: rows.length - 1 }], columnIds: ['a', 'b', 'r'] };
  return copySelection(
    source,
    {
      selection,
      format: 'tsv',
      headers: false,
      columns,
      formulaGuard: true,
      limitBytes: 10_000_000,
      t,
      ...options,
    },
    signal,
  );
}

describe('copying cells', () => {
  it('copies one cell byte for byte, whatever is in it', async () => {
    const selection = { rows: [{ from: 0, to: 0 }], columnIds: ['a'] };
    for (const text of ['a\r\nb\tc', '"', '=1+1', ' padded ', '', 'x'.repeat(5000)]) {
      assert.equal((await copied([rowOf(0, { a: text })], { selection })).text, text);
    }
  });

  it('gives a block that reads back as it was, with tabs, quotes and line ends inside', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string()), {
          minLength: 2,
          maxLength: 6,
        }),
        fc.constantFrom('tsv' as const, 'csv' as const),
        async (pairs, format) => {
          const rows = pairs.map(([a, b], index) => rowOf(index, { a, b }));
          const selection = { rows: [{ from: 0, to: rows.length - 1 }], columnIds: ['b', 'a'] };
          const { text } = await copied(rows, { format, selection, formulaGuard: false });
          const delimiter = format === 'tsv' ? '\t' : ',';
          const record_delimiter = format === 'tsv' ? '\n' : '\r\n';
          assert.deepEqual(
            parse(text, { delimiter, record_delimiter, relax_column_count: true }),
            pairs.map(([a, b]) => [b, a]),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives no column the name of another', () => {
    const titles = ['A', 'A', 'A (2)'];
    const writer = copyWriter('json', { titles, headers: false, formulaGuard: true });
    const row = writer.row(['1', '2', '3'].map((text) => ({ text, kind: 'number' })));
    const [read] = JSON.parse(`${writer.start}${row}${writer.end}`) as unknown[];
    assert.deepEqual(read, { A: 1, 'A (3)': 2, 'A (2)': 3 });
  });

  it('keeps null, empty, missing, not run and the word null apart', async () => {
    const rows = [rowOf(0, { a: null, b: '' }), rowOf(1, { b: 'null', r: 3 })];
    assert.equal((await copied(rows)).text, 'null\t""\t\n\t"null"\t3');
    assert.equal((await copied(rows, { format: 'csv' })).text, 'null,"",\r\n,"null",3');
    assert.deepEqual(JSON.parse((await copied(rows, { format: 'json' })).text), [
      { A: null, B: '' },
      { B: 'null', 'A (2)': 3 },
    ]);
    const { text } = await copied(rows, { format: 'markdown' });
    assert.deepEqual(text.split('\n').slice(2), [
      '| *null* | *empty* | *not run* |',
      '|  | null | 3 |',
      '',
    ]);
  });

  it('copies numbers exactly in every format', async () => {
    const exact = ['9007199254740993', '1e400', '0.30000000000000000001'];
    const rows = exact.map((number, index) => rowOf(index, { a: parseJson(number) }));
    for (const format of ['tsv', 'csv', 'json', 'markdown'] as const) {
      const { text } = await copied(rows, { format });
      for (const number of exact) assert.ok(text.includes(number), `${number} in ${format}`);
    }
  });

  it('makes formulas harmless in what goes to spreadsheets, and leaves numbers alone', async () => {
    const texts = ['=1+1', '+cmd', '@x', '-1', '-1.5e3', '- dash', 'plain', '\uff1d1+1', "'=1"];
    const rows = texts.map((a, index) => rowOf(index, { a }));
    const selection = { rows: [{ from: 0, to: texts.length - 1 }], columnIds: ['a'] };
    const blocks = await copied(rows, { format: 'tsv', selection });
    const guarded = await copied(rows, { format: 'csv', selection });
    assert.deepEqual(guarded.text.split('\r\n'), [
      "'=1+1",
      "'+cmd",
      "'@x",
      '-1',
      '-1.5e3',
      "'- dash",
      'plain',
      "'\uff1d1+1",
      "''=1",
    ]);
    assert.equal(blocks.text, guarded.text.replaceAll('\r\n', '\n'));
    assert.deepEqual(blocks.text.split('\n').map(unguardFormula), texts);
    assert.equal(guarded.guarded, 6);
    const off = await copied(rows, { format: 'csv', selection, formulaGuard: false });
    assert.equal(off.text.split('\r\n')[0], '=1+1');
    const json = await copied(rows, { format: 'json', selection });
    assert.ok(json.text.includes('"=1+1"'));
  });

  it('follows the order of the columns on screen and joins disjoint rows', async () => {
    const rows = Array.from({ length: 250 }, (_, index) =>
      rowOf(index, { a: `a${index}`, b: 'b' }),
    );
    const selection = {
      rows: [
        { from: 248, to: 900 },
        { from: 1, to: 1 },
        { from: 99, to: 100 },
      ],
      columnIds: ['b', 'a'],
    };
    const { text, rows: count } = await copied(rows, { selection, headers: true });
    assert.deepEqual(text.split('\n'), [
      'B\tA',
      'b\ta1',
      'b\ta99',
      'b\ta100',
      'b\ta248',
      'b\ta249',
    ]);
    assert.equal(count, 5);
  });

  it('asks for whole values of cut cells and of pages older than the sheet', async () => {
    const long = 'y'.repeat(1000);
    assert.ok((await copied([rowOf(0, { a: long, b: 'c' })])).text.startsWith(`${long}\tc`));
    const old = await copied([rowOf(0, { a: 'now' })], { version: 0 });
    assert.ok(old.text.startsWith('now'));
  });

  it('escapes what Markdown would take for its own', async () => {
    const selection = { rows: [{ from: 0, to: 0 }], columnIds: ['a'] };
    const { text } = await copied([rowOf(0, { a: 'a|b\n<b>*c*' })], {
      selection,
      format: 'markdown',
    });
    assert.equal(text, '| A |\n| --- |\n| a\\|b<br>&lt;b>\\*c\\* |\n');
  });

  it('stops at the size limit with a clear message', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => rowOf(index, { a: 'z'.repeat(100) }));
    await assert.rejects(copied(rows, { limitBytes: 1000 }), {
      code: 'too_large',
      message: /copying stopped after \d+ of 50 rows/,
    });
  });
});
