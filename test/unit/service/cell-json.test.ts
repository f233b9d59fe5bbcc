import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CellWriter, displayJson } from '../../../src/service/routes/cell-json.ts';
import type { ShownCell } from '../../../src/service/routes/shown-cells.ts';
import { newCellPrefix } from '../../../src/service/store/cell-id.ts';

const column = {
  id: 'c0ffee00-0000-4000-8000-000000000000',
  cell_prefix: newCellPrefix(),
  type: 'TEXT',
  is_system: 0,
};
const text = fc.string({ unit: 'binary' });

describe('Cell as JSON text', () => {
  it('is valid JSON with the same content, whatever the texts are', () => {
    const records: fc.Arbitrary<ShownCell> = fc.record({
      row_index: fc.constant(7),
      column_key: fc.constant(1),
      status: fc.constantFrom('input' as const, 'error' as const, 'queued' as const),
      value: fc.option(fc.json()),
      display: fc.option(text.map((shown) => JSON.stringify(shown))),
      error: fc.option(text),
      error_message: fc.option(text),
      input_hash: fc.option(text),
      execution_id: fc.option(fc.uuid()),
      last_computed_version: fc.option(fc.nat()),
      metrics: fc.option(fc.constant('{"price":0.1}')),
      updated_at: fc
        .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
        .map(Number),
    });
    fc.assert(
      fc.property(records, (record) => {
        const cell = JSON.parse(new CellWriter('sheet').write(column, 7, record, 0)) as Record<
          string,
          unknown
        >;
        assert.deepEqual(cell['value'], record.value === null ? null : JSON.parse(record.value));
        assert.equal(cell['status'], record.status === 'input' ? 'completed' : record.status);
        for (const name of [
          'error',
          'error_message',
          'input_hash',
          'execution_id',
          'last_computed_version',
        ] as const) {
          assert.equal(cell[name], record[name]);
        }
        assert.equal(cell['updated_at'], new Date(record.updated_at).toISOString());
        const shown = cell['display_value'];
        assert.ok(shown === null || typeof shown === 'string');
        if (record.display !== null) assert.equal(shown, JSON.parse(record.display));
      }),
    );
  });

  it('is the same in parts, which hold a long value as it is', () => {
    const value = JSON.stringify('"long" '.repeat(20_000));
    const record: ShownCell = {
      ...{ row_index: 7, column_key: 1, status: 'input', value, display: null, error: null },
      ...{ error_message: null, input_hash: null, execution_id: null, metrics: null },
      ...{ last_computed_version: null, updated_at: 0 },
    };
    const writer = new CellWriter('sheet');
    const json = writer.json(column, 7, record, 0);
    assert.equal(json.text, writer.write(column, 7, record, 0));
    assert.ok(json.parts.includes(value));
  });

  it('shows a value as a reader would write it', () => {
    const cases: [string | null, string | null][] = [
      [null, null],
      ['null', null],
      ['"text"', 'text'],
      ['12345678901234567890', '12345678901234567890'],
      ['true', 'true'],
      ['{"a":"b"}', '{"a":"b"}'],
      ['""', ''],
    ];
    for (const [value, shown] of cases) assert.equal(JSON.parse(displayJson(value, null)), shown);
  });
});
