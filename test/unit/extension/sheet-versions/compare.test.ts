import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Side, SideRow } from '../../../../src/extension/sheet-versions/compare.ts';
import { compare, mostShown } from '../../../../src/extension/sheet-versions/compare.ts';
import { rangesText, reportOf } from '../../../../src/extension/sheet-versions/report.ts';

type Values = Readonly<Record<string, string>>;

async function* rowsOf(rows: ReadonlyMap<number, Values>): AsyncGenerator<SideRow, void> {
  for (const [rowIndex, values] of [...rows].sort(([a], [b]) => a - b)) {
    const cells = Object.entries(values).map(
      ([id, value]) => [id, { value, error: undefined }] as const,
    );
    yield await Promise.resolve({ rowIndex, cells: new Map(cells) });
  }
}
const side = (titles: Values, rows: ReadonlyMap<number, Values>): Side => ({
  name: 'n',
  columns: Object.entries(titles).map(([id, title]) => ({ id, title, type: 'TEXT', config: '{}' })),
  rows: rowsOf(rows),
});
const t = (message: string, ...args: readonly (string | number)[]): string =>
  message.replaceAll(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)]));

describe('Comparing versions', () => {
  it('tells columns, rows and cells that have changed', async () => {
    const before = side(
      { a: 'Word', b: 'Old', c: 'Gone' },
      new Map([
        [0, { a: '"x"', b: '1' }],
        [2, { a: '"y|<b>"', c: '9' }],
        [5, { a: '"z"' }],
      ]),
    );
    const after = side(
      { a: 'Word', b: 'New', d: 'Added' },
      new Map([
        [0, { a: '"x"', b: '9007199254740993', d: '1' }],
        [2, { a: '"y"' }],
        [6, { a: '"w"' }],
        [7, { a: '""' }],
      ]),
    );
    const found = await compare(before, after);
    assert.deepEqual(found.rows, { before: 3, after: 4, added: 2, removed: 1, changed: 2 });
    assert.equal(found.cells, 2);
    const heading = { sheet: 'S', before: 'v1', after: 'now' };
    const titles = new Map([
      ['a', 'Word'],
      ['b', 'New'],
    ]);
    assert.equal(
      reportOf(found, { ...heading, titles }, t),
      [
        ...['# S', '', 'From **v1** to **now**', '', '## Columns', ''],
        ...['- added: **Added** (TEXT)', '- removed: **Gone** (TEXT)'],
        ...['- **Old** is now called **New**', '', '## Rows', ''],
        ...['3 rows before, 4 after.', '', '- added: 2 (row index 6–7)'],
        ...['- removed: 1 (row index 5)', '- changed: 2', '', '## Changed cells', ''],
        ...['| Row index | Column | Before | After |', '| --- | --- | --- | --- |'],
        '| 0 | New | 1 | 9007199254740993 |',
        String.raw`| 2 | Word | y\|&lt;b> | y |`,
        '',
      ].join('\n'),
    );
  });

  it('counts all and keeps the first of a change of every row', async () => {
    const rows = (value: string) =>
      new Map(Array.from({ length: mostShown + 7 }, (_, at) => [at, { a: value }] as const));
    const found = await compare(side({ a: 'A' }, rows('1')), side({ a: 'A' }, rows('2')));
    assert.equal(found.cells, mostShown + 7);
    assert.equal(found.shown.cells.length, mostShown);
    const report = reportOf(found, { sheet: '', before: '', after: '', titles: new Map() }, t);
    assert.match(report, /The first 1000 of 1007\./);
  });

  it('agrees with what a comparison of everything at once says', async () => {
    const rows = fc.dictionary(fc.nat(12).map(String), fc.record({ a: fc.constantFrom('1', '2') }));
    const asMap = (given: Readonly<Record<string, Values>>) =>
      new Map(Object.entries(given).map(([index, values]) => [Number(index), values]));
    await fc.assert(
      fc.asyncProperty(rows, rows, async (one, other) => {
        const found = await compare(side({ a: 'A' }, asMap(one)), side({ a: 'A' }, asMap(other)));
        const [before, after] = [Object.keys(one), Object.keys(other)];
        const both = before.filter((index) => index in other);
        assert.deepEqual(found.rows, {
          before: before.length,
          after: after.length,
          added: after.length - both.length,
          removed: before.length - both.length,
          changed: both.filter((index) => one[index]?.['a'] !== other[index]?.['a']).length,
        });
      }),
    );
  });

  it('writes neighbours as ranges', () => {
    assert.equal(rangesText([1, 2, 3, 7, 9, 10]), '1–3, 7, 9–10');
    assert.equal(rangesText([]), '');
  });
});
