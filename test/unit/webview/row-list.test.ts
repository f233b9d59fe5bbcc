import assert from 'node:assert/strict';
import type { ListedRow } from '../../../src/protocol/compare.ts';
import { pageSize } from '../../../src/protocol/grid-cells.ts';
import { RowList } from '../../../src/webview/compare/row-list.ts';

const { signal } = new AbortController();

/** Every third row is different. Tells which pages were read. */
function list(rowCount: number) {
  const read: number[] = [];
  const rows = new RowList(rowCount, (page) => {
    read.push(page);
    const count = Math.min(pageSize, rowCount - page * pageSize);
    return Promise.resolve(
      Array.from({ length: count }, (_, at): ListedRow => {
        const position = page * pageSize + at;
        return { rowIndex: position * 2, isSame: position % 3 !== 0, verdict: null };
      }),
    );
  });
  return { rows, read };
}

const listed = (rows: RowList): readonly (number | undefined)[] =>
  Array.from({ length: rows.length }, (_, index) => rows.positionAt(index));

describe('rows of a comparison', () => {
  it('are all of the sheet without a filter, also those that nobody has looked at', async () => {
    const { rows, read } = list(1000);
    assert.equal(rows.length, 1000);
    assert.equal(rows.positionAt(777), 777);
    assert.equal(await rows.step(500, 1, signal), 501);
    assert.equal(await rows.step(999, 1, signal), undefined);
    assert.deepEqual(read, []);
  });

  it('are those that differ, as far as rows were looked at', async () => {
    const { rows, read } = list(250);
    rows.choose('different');
    assert.equal(rows.length, 0);
    await rows.look(2);
    await rows.look(0);
    assert.deepEqual(listed(rows).slice(0, 3), [0, 3, 6]);
    assert.equal(listed(rows).at(-1), 249);
    assert.deepEqual([rows.looked, rows.isWhole, rows.nextPage], [150, false, 1]);
    // A step looks at rows on its way.
    assert.equal(await rows.step(99, 1, signal), 102);
    assert.deepEqual(read, [2, 0, 1]);
    assert.deepEqual([rows.length, rows.isWhole, rows.nextPage], [84, true, undefined]);
    assert.equal(await rows.step(0, -1, signal), undefined);
    assert.equal(rows.indexOf(4), 2);
  });

  it('are those that nobody has decided; the last decision can be come back to', async () => {
    const { rows } = list(4);
    rows.choose('undecided');
    await rows.look(0);
    rows.decide(0, 'left');
    assert.deepEqual(listed(rows), [0, 1, 2, 3]);
    rows.decide(1, 'tie');
    assert.deepEqual(listed(rows), [1, 2, 3]);
    rows.decide(1, null);
    assert.deepEqual(listed(rows), [1, 2, 3]);
    assert.deepEqual(rows.counts, { left: 1, right: 0, tie: 0 });
  });

  it('are counted when all of them have been looked at, and read once', async () => {
    const { rows, read } = list(150);
    assert.equal(rows.counts, undefined);
    await Promise.all([rows.look(0), rows.look(0), rows.look(1)]);
    assert.deepEqual(read, [0, 1]);
    assert.equal(rows.looked, 150);
    assert.deepEqual(rows.counts, { left: 0, right: 0, tie: 0 });
  });
});
