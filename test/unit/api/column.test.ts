import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  Column,
  columnTypeAliases,
  columnTypes,
  createColumn,
  Dependency,
  updateColumn,
} from '../../../src/api/column.ts';
import * as sample from './samples.ts';

describe('column', () => {
  it('knows the 31 types of the public description', () => {
    assert.equal(columnTypes.length, 31);
    assert.equal(new Set(columnTypes).size, 31);
  });

  it('keeps a type that nobody has documented', () => {
    for (const type of ['TRACE', 'TRAJECTORY', 'ABSOLUTE_NUMERIC', 'DATASET', 'x']) {
      assert.equal(Column.parse({ ...sample.column, type }).type, type);
    }
  });

  it('keeps any config', () => {
    fc.assert(
      // zod leaves out a key named __proto__, for the safety of whoever copies the object.
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue(),
        ),
        (config) => {
          const kept = Column.parse({ ...sample.column, config }).config;
          for (const key of Object.keys(config)) assert.deepEqual(kept?.[key], config[key]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('has dependencies of kind "value" unless said otherwise', () => {
    assert.equal(Dependency.parse({ column_id: 'c' }).reference_type, 'value');
    assert.equal(Dependency.parse({ column_id: 'c', reference_type: 'x' }).reference_type, 'x');
  });

  it('has create aliases for known types only', () => {
    for (const [alias, type] of Object.entries(columnTypeAliases)) {
      assert.equal(alias, alias.toLowerCase());
      assert.ok(columnTypes.includes(type));
    }
    assert.equal(Object.keys(columnTypeAliases).length, 7);
  });
});

describe('column requests', () => {
  const accepts = (body: unknown): boolean => createColumn.body.safeParse(body).success;

  it('need a title of 1 to 255 characters and a type', () => {
    assert.equal(accepts({ title: 'A', type: 'TEXT' }), true);
    assert.equal(accepts({ title: 'a'.repeat(255), type: 'TEXT' }), true);
    assert.equal(accepts({ title: 'a'.repeat(256), type: 'TEXT' }), false);
    assert.equal(accepts({ title: '   ', type: 'TEXT' }), false);
    assert.equal(accepts({ title: 'A' }), false);
    assert.equal(accepts({ title: 'A', type: '' }), false);
    assert.equal(accepts({ type: 'TEXT' }), false);
  });

  it('may be empty when they change a column', () => {
    assert.equal(updateColumn.body.safeParse({}).success, true);
    assert.equal(updateColumn.body.safeParse({ config: [] }).success, false);
  });
});
