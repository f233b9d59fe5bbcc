import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import {
  parseJson,
  parseJsonAsWritten,
  plainNumbers,
  stringifyJson,
} from '../../../../src/core/http/json.ts';

const written = fc.oneof(
  fc.constantFrom('10.0', '1e16', '0.0', '-0.0', '-0', '1.10', '1E3', '1e+2', '0.50', '12', '1.5'),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.bigInt().map(String),
);
/** JSON text without spaces, its numbers in any form, and texts that look like them. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    written,
    fc.constantFrom('true', 'null', '"10.0"', '"a,1.0]"', '"\\",2.50}"', '"[1e3,-0.0]"'),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'x:1.0'), tie('json')), {
        selector: ([key]) => key,
        maxLength: 4,
      })
      .map((entries) => `{${entries.map(([key, value]) => `"${key}":${value}`).join(',')}}`),
  ),
}));

describe('JSON as it is written', () => {
  it('comes back letter by letter', () => {
    fc.assert(
      fc.property(json, (text) => assert.equal(stringifyJson(parseJsonAsWritten(text)), text)),
      { numRuns: 2000 },
    );
  });

  it('is the same as otherwise, once its numbers are plain', () => {
    fc.assert(
      fc.property(json, (text) => {
        assert.deepEqual(plainNumbers(parseJsonAsWritten(text)), plainNumbers(parseJson(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it('marks only numbers that would be written in another way', () => {
    assert.deepEqual(parseJsonAsWritten('[1,1.5,-2,1e21,"1.0"]'), [
      1,
      1.5,
      -2,
      new ExactNumber('1e21'),
      '1.0',
    ]);
    assert.deepEqual(parseJsonAsWritten('10.0'), new ExactNumber('10.0'));
    assert.throws(() => parseJsonAsWritten('[01.0]'), SyntaxError);
    assert.throws(() => parseJsonAsWritten('{"a":1.0'), SyntaxError);
  });
});
