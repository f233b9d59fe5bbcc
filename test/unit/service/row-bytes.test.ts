import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonBytes } from '../../../src/service/http/json-bytes.ts';
import { JsonText, LONG } from '../../../src/service/http/json-text.ts';
import { CellWriter, type ShownColumn } from '../../../src/service/routes/cell-json.ts';
import { RowBytes } from '../../../src/service/routes/row-bytes.ts';
import { cellList, type ShownCell } from '../../../src/service/routes/shown-cells.ts';
import { newCellPrefix } from '../../../src/service/store/cell-id.ts';

const columns: readonly ShownColumn[] = ['TEXT', 'COUNT', 'TEXT'].map((type, position) => ({
  id: `c0ffee00-0000-4000-8000-00000000000${String(position)}`,
  cell_prefix: newCellPrefix(),
  type,
  is_system: position === 2 ? 1 : 0,
}));

const text = fc.string({ unit: 'binary' });
const values = fc.oneof(
  fc.json(),
  text.map((given) => JSON.stringify(given)),
  fc.constantFrom('null', '-0', '1e400', '12345678901234567890', '"\\u0000\\ud800"', '"漢字 👍 é"'),
  fc.integer({ min: LONG - 3, max: LONG + 3 }).map((length) => JSON.stringify('é'.repeat(length))),
);

/** Given, as most are, or with anything that computing leaves. */
const cells: fc.Arbitrary<ShownCell> = fc
  .record({
    row_index: fc.constant(0),
    column_key: fc.constant(1),
    status: fc.constantFrom('input' as const, 'error' as const, 'completed' as const),
    value: fc.option(values),
    display: fc.option(text.map((shown) => JSON.stringify(shown))),
    error: fc.option(text),
    error_message: fc.option(text),
    input_hash: fc.option(text),
    execution_id: fc.option(fc.uuid()),
    last_computed_version: fc.option(fc.nat()),
    metrics: fc.option(fc.constant('{"price":0.1}')),
    updated_at: fc.constantFrom(0, 1_780_000_000_000, 1_780_000_000_001),
  })
  .chain((cell) =>
    fc.constantFrom<ShownCell>(cell, {
      ...{ row_index: 0, column_key: 1, status: 'input', value: cell.value, display: null },
      ...{ error: null, error_message: null, input_hash: null, execution_id: null },
      ...{ last_computed_version: null, metrics: null, updated_at: cell.updated_at },
    }),
  );

const rows = fc.array(
  fc.record({
    row_index: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 47 })),
    created_at: fc.constantFrom(1, 1_780_000_000_000),
    cells: fc.array(fc.option(cells, { nil: undefined }), { minLength: 3, maxLength: 3 }),
  }),
  { maxLength: 8 },
);

describe('Rows as bytes', () => {
  it('are those of the text, whatever is in the cells and however small the first buffer is', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(1, 700, 100_000), (some, expected) => {
        const texts = new CellWriter('sheet');
        const writer = new RowBytes('sheet', columns);
        const out = new JsonBytes(expected);
        out.text('[');
        const wanted = some.map((row, index) => {
          if (index > 0) out.text(',');
          writer.write(out, row, (position) => {
            const cell = row.cells[position];
            return cell && cellList(cell);
          });
          const written = columns.map(
            (column, position) =>
              `"${column.id}":${texts.write(column, row.row_index, row.cells[position], row.created_at)}`,
          );
          return `{"row_index":${String(row.row_index)},"cells":{${written.join(',')}}}`;
        });
        out.text(']');
        const length = out.length;
        const json = new JsonText(out.take());
        assert.equal(json.text, Buffer.from(`[${wanted.join(',')}]`).toString());
        assert.deepEqual(Buffer.from(json.body), Buffer.from(json.text));
        assert.equal(json.length, length);
      }),
    );
  });
});
