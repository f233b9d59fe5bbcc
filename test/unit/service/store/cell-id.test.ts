import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cellId, newCellPrefix, parseCellId } from '../../../../src/service/store/cell-id.ts';

describe('Cell id', () => {
  it('is a UUID of version 8 that leads back to column and row', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (rowIndex) => {
        const prefix = newCellPrefix();
        const id = cellId(prefix, rowIndex);
        assert.match(id, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        assert.deepEqual(parseCellId(id), { prefix, rowIndex });
        assert.deepEqual(parseCellId(id.toUpperCase()), { prefix, rowIndex });
      }),
    );
  });

  it('differs from column to column', () => {
    const prefixes = new Set(Array.from({ length: 1000 }, newCellPrefix));
    assert.equal(prefixes.size, 1000);
  });

  it('is not any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.uuid({ version: [1, 3, 4, 5, 7] })), (text) => {
        assert.equal(parseCellId(text), undefined);
      }),
    );
  });
});
