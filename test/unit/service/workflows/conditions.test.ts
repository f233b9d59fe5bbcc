import assert from 'node:assert/strict';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import type { Json } from '../../../../src/service/engine/columns/json.ts';
import { checkConditionals, conditionsHold } from '../../../../src/service/workflows/conditions.ts';

const values: Readonly<Record<string, Json>> = {
  number: 5,
  text: 'five',
  digits: '5',
  list: ['a', 5],
  object: { deep: { n: 7 } },
  nothing: null,
  blank: '',
  yes: true,
  id: new ExactNumber('1234567890123456789'),
  score: 'N/A',
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

  it('put no text in an order with a number, and nothing before or after null', () => {
    const texts = ['score', 'text', 'blank', 'yes', 'list', 'object'];
    for (const operator of ['<', '>', '<=', '>=']) {
      assert.equal(holds(one('nothing', operator, 3)), false, operator);
      assert.equal(holds(one('number', operator, null)), false, operator);
      for (const name of texts)
        for (const value of [3, '3'])
          assert.throws(() => holds(one(name, operator, value)), /have no order/, name + operator);
    }
    for (const name of ['yes', 'list', 'object'])
      assert.throws(() => holds(one(name, '<', 'a')), /have no order/, name);
    assert.equal(holds(one('digits', '>=', 3)), true);
  });

  it('tell numbers apart by all their digits', () => {
    assert.equal(holds(one('id', '=', '1234567890123456789')), true);
    assert.equal(holds(one('id', '=', '1234567890123456788')), false);
    assert.equal(holds(one('id', '>', '1234567890123456788')), true);
    assert.equal(holds(one('id', 'in', ['1234567890123456788'])), false);
  });

  it('that can not be decided fail the whole only where the others leave it open', () => {
    const open = one('score', '>=', 3);
    const yes = one('number', '=', 5);
    const no = one('number', '=', 6);
    assert.equal(conditionsHold([open, no], true, valueOf), false);
    assert.equal(conditionsHold([open, yes], false, valueOf), true);
    assert.throws(() => conditionsHold([open, yes], true, valueOf), /"N\/A" and 3 have no order/);
    assert.throws(() => conditionsHold([no, open], false, valueOf), /have no order/);
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
