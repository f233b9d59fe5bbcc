import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fitArguments } from '../../../../src/service/egress/mcp-arguments.ts';

const schemaOf = (type: unknown): Record<string, unknown> => ({
  type: 'object',
  properties: { value: type === undefined ? {} : { type } },
});

const fitted = (value: unknown, type: unknown): unknown =>
  fitArguments({ value }, schemaOf(type))['value'];

describe('arguments of tools', () => {
  it('are read from text where the schema wants something else', () => {
    const cases: readonly (readonly [unknown, unknown, unknown])[] = [
      ['3', 'number', 3],
      [' 3 ', 'integer', 3],
      ['3.5', 'integer', '3.5'],
      ['3.5', ['number', 'null'], 3.5],
      ['true', 'boolean', true],
      ['[1]', 'array', [1]],
      ['{"a":1}', 'object', { a: 1 }],
      ['null', ['object', 'null'], null],
      ['three', 'number', 'three'],
      ['[1]', 'object', '[1]'],
      ['3', 'string', '3'],
      ['3', ['string', 'number'], '3'],
      ['3', undefined, '3'],
      [3, 'string', '3'],
      [null, 'string', null],
      [3, 'number', 3],
    ];
    for (const [value, type, expected] of cases) {
      assert.deepEqual(fitted(value, type), expected, JSON.stringify([value, type]));
    }
    assert.deepEqual(fitArguments({ __proto__: 1, toString: 'x' }, {}), { toString: 'x' });
  });

  it('that have the right type stay as they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
        assert.deepEqual(fitted(value, type), value);
      }),
    );
  });
});
