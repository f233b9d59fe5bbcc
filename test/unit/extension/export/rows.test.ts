import assert from 'node:assert/strict';
import type { Cell } from '../../../../src/api/cell.ts';
import type { Column } from '../../../../src/api/column.ts';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import type { Client, WalkedRowsPage } from '../../../../src/core/index.ts';
import { rowCounter } from '../../../../src/extension/export/count-rows.ts';
import { fileCell, readSheet } from '../../../../src/extension/export/rows.ts';
import { t } from '../words.ts';

const cellOf = (more: Partial<Cell>): Cell => ({
  ...{ id: 'i', column_id: 'c', row_index: 0, status: 'completed' },
  ...more,
});
const columns: Column[] = [{ id: 'c', title: 'C', type: 'TEXT' }];

const page = (first: number, more: Partial<WalkedRowsPage> = {}): WalkedRowsPage => ({
  items: [first, first + 2].map((row_index) => ({
    row_index,
    cells: { c: cellOf({ row_index, value: row_index }) },
  })),
  ...{ nextCursor: undefined, hasMore: false, columns: [], rowCount: undefined },
  ...{ version: 1, aggregates: undefined, restarted: false, versionChanged: false },
  ...more,
});

async function read(pages: readonly WalkedRowsPage[], rowIndices?: ReadonlySet<number>) {
  let asked = 0;
  const counted: number[] = [];
  let changes = 0;
  const walk = async function* walk() {
    for (const one of pages) {
      asked += 1;
      yield await Promise.resolve(one);
    }
  };
  const found: (readonly [number, string | null | undefined])[] = [];
  const client = { tables: { rows: { pages: walk } } } as unknown as Client;
  const pagesOf = readSheet({
    ...{ client, columns, rowIndices, withSystem: false },
    ref: { tableId: 't', sheetId: 's' },
    signal: new AbortController().signal,
    onRows: (rows) => counted.push(rows),
    onChanged: () => (changes += 1),
    t,
  });
  for await (const rows of pagesOf()) {
    for (const { rowIndex, cells } of rows) found.push([rowIndex, cells[0]?.value]);
  }
  return { found, asked, counted, changes };
}

describe('Rows of an export', () => {
  it('takes the rows that are wanted and stops after the last of them', async () => {
    const all = await read([page(0), page(4), page(8)]);
    assert.deepEqual(all.counted, [2, 4, 6]);
    const some = await read([page(0), page(4), page(8)], new Set([2, 4]));
    assert.deepEqual(some, {
      found: [
        [2, '2'],
        [4, '4'],
      ],
      asked: 2,
      counted: [1, 2],
      changes: 0,
    });
  });

  it('notices a sheet that changes, and gives up where rows would come twice', async () => {
    assert.equal((await read([page(0), page(4, { versionChanged: true })])).changes, 1);
    await assert.rejects(
      read([page(0), page(0, { restarted: true })]),
      /changed while it was being read/,
    );
  });

  it('keeps every digit, and the text of cells that carry only that', () => {
    const value = (more: Partial<Cell>) => fileCell(cellOf(more))?.value;
    assert.equal(value({ value: new ExactNumber('9007199254740993') }), '9007199254740993');
    assert.equal(value({ value: '', display_value: '' }), '""');
    assert.equal(value({ display_value: 'shown' }), '"shown"');
    assert.equal(value({ value: null, display_value: null }), null);
    assert.equal(value({ value: false }), 'false');
    assert.equal(fileCell(undefined), undefined);
  });

  it('counts rows in the bytes of a file, wherever they are cut', () => {
    const count = (format: string, text: string, size: number): number | undefined => {
      const counter = rowCounter(format);
      const bytes = new TextEncoder().encode(text);
      let last: number | undefined = counter === undefined ? undefined : 0;
      for (let at = 0; at < bytes.length; at += size)
        last = counter?.(bytes.subarray(at, at + size));
      return last;
    };
    for (const size of [1, 3, 1000]) {
      assert.equal(count('csv', 'a,b\r\n"x\r\n""\n",1\r\n2,3\r\n', size), 2);
      assert.equal(count('jsonl', '{}\n{}\n', size), 2);
      assert.equal(count('json', '[\n{},\n{}\n]\n', size), 2);
      assert.equal(count('parquet', 'PAR1\n\n', size), undefined);
    }
  });
});
