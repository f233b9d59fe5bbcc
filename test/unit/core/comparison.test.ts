import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExactNumber } from '../../../src/api/exact-number.ts';
import type { Comparable } from '../../../src/core/comparison.ts';
import { compareTexts, keyOf, looksSame, orderOf, sameJson } from '../../../src/core/comparison.ts';
import { parseJson } from '../../../src/core/http/json.ts';
import { compilePath } from '../../../src/service/engine/columns/json-path-query.ts';
import type { Json } from '../../../src/service/engine/columns/json.ts';
import { structure } from '../../../src/service/scorecards/structure.ts';
import { Sources } from '../../../src/service/engine/columns/sources.ts';

const json = (text: string): Json => parseJson(text) as Json;

describe('how values compare', () => {
  const scalar: fc.Arbitrary<Comparable> = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom('1', '1.0', '01', ' 1', '1e0', 'a', 'A', '', 'true', '-0', '10', '9', '\uffee'),
    fc.constantFrom<Comparable>(true, false, null, new ExactNumber('9007199254740993')),
    fc.constantFrom<Comparable>(new ExactNumber('1e4000'), new ExactNumber('10e3999')),
    fc.string({ maxLength: 2, unit: 'binary' }),
  );
  const nested: fc.Arbitrary<Comparable> = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), scalar),
  );

  it('what is neither before nor after is the same, both ways round, and nothing else is', () => {
    fc.assert(
      fc.property(nested, nested, (left, right) => {
        const order = orderOf(left, right);
        const back = orderOf(right, left);
        if (typeof order === 'number') {
          assert.equal(order + Number(back), 0);
          assert.equal(looksSame(left, right), order === 0);
        } else assert.equal(back, order);
        assert.equal(looksSame(left, right), looksSame(right, left));
        assert.equal(sameJson(left, right), sameJson(right, left));
        if (sameJson(left, right)) assert.ok(looksSame(left, right));
      }),
      { numRuns: 2000 },
    );
  });

  it('values that look the same have one key, others have two', () => {
    fc.assert(
      fc.property(scalar, scalar, (left, right) => {
        if (left === null || right === null) return;
        assert.equal(keyOf(left) === keyOf(right), looksSame(left, right));
      }),
      { numRuns: 2000 },
    );
  });

  it('the order is one: of three the middle one is between', () => {
    const texts = fc.string({ maxLength: 2, unit: 'binary' });
    fc.assert(
      fc.property(texts, texts, texts, (a, b, c) => {
        if (compareTexts(a, b) <= 0 && compareTexts(b, c) <= 0) assert.ok(compareTexts(a, c) <= 0);
      }),
    );
  });

  it('a filter of a JSONPath tells numbers of 64 bits and decimals apart', () => {
    const ids = json(
      '[{"id":1234567890123456788},{"id":1234567890123456789},{"id":"1234567890123456789"},{"id":0.10},{}]',
    );
    const found = (path: string): readonly (string | undefined)[] =>
      compilePath(path)
        .find(ids)
        .map((one) => (one as { readonly id?: string | number | ExactNumber }).id?.toString());
    assert.deepEqual(found('$[?@.id == 1234567890123456789]'), ['1234567890123456789']);
    assert.deepEqual(found('$[?@.id != 1234567890123456789]').length, 4);
    assert.deepEqual(found('$[?@.id < 1234567890123456789]'), ['1234567890123456788', '0.1']);
    assert.deepEqual(found('$[?@.id >= 1234567890123456788 && !(@.id == 1234567890123456788)]'), [
      '1234567890123456789',
    ]);
    assert.deepEqual(found('$[?@.id == $[1].id]'), ['1234567890123456789']);
    assert.deepEqual(found('$[?@.id == 0.1]'), ['0.1']);
    assert.deepEqual(found('$[?@.id == 1e-1]'), ['0.1']);
    assert.deepEqual(found('$[?@.id==0.001e2]'), ['0.1']);
    assert.deepEqual(found('$[?@.id > -0.5 && @.id<0.10000000000000001]'), ['0.1']);
    assert.deepEqual(found('$[?@.id == "0.1" || @.id == \'0.1\']'), []);
    assert.deepEqual(found('$[?@.id <= 0.0]'), []);
    // It is a number: it has neither names nor a length.
    assert.deepEqual(compilePath('$[0].id.text').find(ids), []);
    assert.deepEqual(compilePath('$..text').find(ids), []);
    assert.deepEqual(compilePath('$[?length(@.id) == 1]').find(ids), []);
    const lists = json('[[1234567890123456788],[1234567890123456789]]');
    assert.deepEqual(compilePath('$[?@ == $[1]]').find(lists).length, 1);
  });

  it('limits of a structure are exact', async () => {
    const holds = async (limit: string, value: string): Promise<unknown> => {
      const config = json(`{"source":"a","schema":{"type":"integer","maximum":${limit}}}`);
      const sources = new Sources([
        {
          configKey: 'source',
          name: 'a',
          state: { kind: 'value', title: 'a', value: json(value) },
        },
      ]);
      return structure.compile(config).compute(sources, {} as never);
    };
    assert.equal(await holds('1234567890123456788', '1234567890123456789'), false);
    assert.equal(await holds('1234567890123456789', '1234567890123456789'), true);
  });

  it('values nested as deeply as JSON can be are compared', () => {
    const deep = (core: string): Json =>
      json(`${'['.repeat(300_000)}${core}${']'.repeat(300_000)}`);
    assert.equal(sameJson(deep('1'), deep('1')), true);
    assert.equal(looksSame(deep('1'), deep('2')), false);
  });
});
