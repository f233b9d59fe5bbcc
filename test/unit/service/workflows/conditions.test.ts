import assert from 'node:assert/strict';
import type { Json } from '../../../../src/service/engine/columns/json.ts';
import { checkConditionals, conditionsHold } from '../../../../src/service/workflows/conditions.ts';

const values: Readonly<Record<string, Json>> = {
  number: 5,
  text: 'five',
  digits: '5',
  list: ['a', 5],
  object: { deep: { n: 7 } },
  nothing: null,
};
const valueOf = (name: string): Json | undefined => values[name];
const one = (source: string, operator: string, value?: unknown, rest: object = {}) => ({
  operator,
  left_config: { type: 'source', source, ...rest },
  right_config: { type: 'static_value', value },
});
const holds = (...sent: object[]): boolean => {
  checkConditionals(sent);
  return conditionsHold(sent, true, valueOf);
};

describe('service: conditions of workflows', () => {
  it('compare values as people mean them', () => {
    for (const [condition, expected] of [
      [one('number', '=', 5), true],
      [one('digits', '=', 5), true],
      [one('text', '=', 5), false],
      [one('nothing', '=', 0), false],
      [one('number', '!=', 6), true],
      [one('number', '>', '4.5'), true],
      [one('digits', '<', 10), true],
      [one('text', '<', 'six'), true],
      [one('number', '>=', 5), true],
      [one('number', '<=', 4), false],
      [one('number', 'in', [4, 5]), true],
      [one('text', 'in', 'twenty-five'), true],
      [one('text', 'not_in', ['six']), true],
      [one('nothing', 'is_null'), true],
      [one('missing', 'is_null'), true],
      [one('number', 'is_not_null'), true],
      [one('object', '=', 7, { json_path: '$.deep.n' }), true],
      [{ operator: '=', left_config: { static_value: 1 }, right_config: { value: 1 } }, true],
      [
        { operator: 'in', left_config: { static_value: 'a' }, right_config: { source: 'list' } },
        true,
      ],
    ] as const) {
      assert.equal(holds(condition), expected, JSON.stringify(condition));
    }
  });

  it('must all hold, or one of them', () => {
    const mixed = [one('number', '=', 5), one('number', '=', 6)];
    assert.equal(conditionsHold(mixed, true, valueOf), false);
    assert.equal(conditionsHold(mixed, false, valueOf), true);
  });

  it('that can not be evaluated are refused before anything runs', () => {
    for (const sent of [
      undefined,
      [],
      [{}],
      [one('a', 'like', 1)],
      [{ operator: '=', left_config: 'a', right_config: {} }],
      [one('a', '=', 1, { json_path: '$[' })],
    ]) {
      assert.throws(() => checkConditionals(sent));
    }
  });
});
