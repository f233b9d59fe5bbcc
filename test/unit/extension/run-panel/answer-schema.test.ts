import assert from 'node:assert/strict';
import { checkAnswer } from '../../../../src/extension/run-panel/answer-schema.ts';

const t = (message: string, ...args: readonly (string | number)[]): string =>
  message.replace(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)]));
const check = (answer: unknown, schema: unknown) =>
  checkAnswer(typeof answer === 'string' ? answer : JSON.stringify(answer), schema, t);

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { price: { type: 'number' }, unit: { enum: ['kg', 'l'] } },
        required: ['price'],
        additionalProperties: false,
      },
    },
    note: { type: ['string', 'null'], maxLength: 3, format: 'unheard-of' },
  },
  required: ['items'],
};

describe('run panel: answers and the schema that they have to fit', () => {
  it('fit, or differ at a place and in a way that is said', () => {
    assert.deepEqual(check({ items: [{ price: 1 }], note: null }, schema), { kind: 'fits' });
    assert.deepEqual(check(' {"items":[]}\n', schema), { kind: 'fits' });
    const cases: readonly (readonly [unknown, string])[] = [
      [{}, '/items is missing'],
      [{ items: [{ price: 1 }, { price: '2' }] }, '/items/1/price must be of the type number'],
      [{ items: [{}] }, '/items/0/price is missing'],
      [{ items: [{ price: 1, unit: 'm' }] }, '/items/0/unit must be one of "kg","l"'],
      [{ items: [{ price: 1, odd: 1 }] }, "/items/0/odd isn't in the schema"],
      [{ items: [], note: 'long' }, '/note must NOT have more than 3 characters'],
      [{ items: [], note: 1 }, '/note must be of the type string, null'],
      [[], '/ must be of the type object'],
    ];
    for (const [answer, text] of cases) {
      assert.deepEqual(check(answer, schema), { kind: 'differs', text });
    }
  });

  it('are no JSON when they are anything else, also with JSON inside', () => {
    for (const answer of ['Sure: {}', '```json\n{"items":[]}\n```', '{"items":[]', '']) {
      assert.equal(check(answer, schema).kind, 'notJson', answer);
    }
  });

  it('are not judged by a schema that is none, leads elsewhere, or never comes to an end', () => {
    const deep: unknown = JSON.parse(`${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`);
    const cases: readonly unknown[] = [
      ...[{ type: 'strange' }, { $ref: 'https://example.com/x.json' }, { $ref: '#/nowhere' }],
      ...['text', { pattern: '(' }, { enum: 3 }, deep],
    ];
    for (const [at, bad] of cases.entries()) {
      const verdict = check('"a"', bad);
      assert.equal(verdict.kind, 'unusable', `case ${at}`);
      assert.ok((verdict.text?.length ?? 0) > 0);
    }
    const slow = check(`${'a'.repeat(40)}!`.replace(/^|$/g, '"'), { pattern: '^(a+)+$' });
    assert.deepEqual(slow, { kind: 'unusable', text: 'checking takes too long' });
  });

  it('say little of what is long, and nothing of what another check has left', () => {
    const key = 'k'.repeat(10_000);
    const verdict = check({ [key]: 1 }, { additionalProperties: false });
    assert.ok((verdict.text?.length ?? 0) < 500);
    const named = { $id: 'same', type: 'string' };
    assert.equal(check('"a"', named).kind, 'fits');
    assert.equal(check('1', { ...named, type: 'number' }).kind, 'fits');
    assert.equal(
      check(
        { a: { b: {} } },
        { $defs: { n: { properties: { b: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n' },
      ).kind,
      'fits',
    );
  });
});
