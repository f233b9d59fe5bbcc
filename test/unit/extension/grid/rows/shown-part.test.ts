import assert from 'node:assert/strict';
import fc from 'fast-check';
import { positionOf, shownColumns } from '../../../../../src/extension/grid/rows/shown-part.ts';
import type { SheetState } from '../../../../../src/extension/grid/rows/sheet-state.ts';
import { pageSize } from '../../../../../src/protocol/grid-cells.ts';

const stateOf = (indices: readonly number[], order: 'asc' | 'desc'): SheetState => {
  const inOrder = order === 'asc' ? indices : [...indices].reverse();
  const get = (page: number) =>
    Promise.resolve({
      grid: { rowIndices: inOrder.slice(page * pageSize, (page + 1) * pageSize) },
    });
  return { rowCount: indices.length, order, pages: { get } } as unknown as SheetState;
};

describe('What a grid shows, for other features', () => {
  it('columns in the order on screen, without hidden ones', () => {
    const columns = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
    const layout = { widths: {}, hidden: ['b'], pinned: ['d'], order: ['c', 'gone', 'a'] };
    assert.deepEqual(shownColumns(columns, layout), { columnIds: ['d', 'c', 'a'] });
  });

  it('finds every row where it stands, whatever is missing before it', async () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 450 });
    const signal = new AbortController().signal;
    await fc.assert(
      fc.asyncProperty(gaps, fc.constantFrom('asc', 'desc'), fc.nat(), async (steps, order, at) => {
        let index = -1;
        const indices = steps.map((step) => (index += step));
        const place = at % indices.length;
        const position = await positionOf(stateOf(indices, order), indices[place] ?? 0, signal);
        assert.equal(position, order === 'asc' ? place : indices.length - 1 - place);
      }),
    );
  });
});
