import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLosslessNumber, parse as losslessParse } from 'lossless-json';
import { describe, it } from 'mocha';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import { decodeText } from '../../../../src/core/platform/node/decode.ts';
import { isExactInDouble } from '../../../../src/core/http/exact-scan.ts';
import { parseJson, parseJsonBytes, stringifyJson } from '../../../../src/core/http/json.ts';

const digits = (max: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));

/** Texts of JSON numbers of every length and form. */
const numberText = fc
  .record({
    minus: fc.constantFrom('', '-'),
    whole: fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,24}$/)),
    fraction: fc.oneof(
      fc.constant(''),
      digits(30).map((text) => `.${text}`),
    ),
    exponent: fc.oneof(
      fc.constant(''),
      fc
        .tuple(
          fc.constantFrom('e', 'E'),
          fc.constantFrom('', '+', '-'),
          fc.integer({ min: 0, max: 420 }),
        )
        .map(([e, sign, power]) => `${e}${sign}${power}`),
    ),
  })
  .map(({ minus, whole, fraction, exponent }) => `${minus}${whole}${fraction}${exponent}`);

/** JSON texts with such numbers anywhere, and strings that look like them. */
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numberText,
    fc.constantFrom('true', 'false', 'null'),
    fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    numberText.map((text) => JSON.stringify(`\\"x: ${text}, [${text}]\\`)),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[ ${items.join(' ,\n')} ]`),
    fc
      .array(
        fc.tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')), tie('value')),
        {
          maxLength: 4,
        },
      )
      .map(
        (pairs) => `{${pairs.map(([key, item]) => `${JSON.stringify(key)}\t: ${item}`).join(',')}}`,
      ),
  ),
})).value;

/** Everything back to plain JSON.parse values. */
function flatten(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.valueOf();
  if (Array.isArray(value)) return value.map(flatten);
  if (typeof value !== 'object' || value === null) return value;
  const plain = JSON.parse('{}') as Record<string, unknown>;
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(plain, key, {
      value: flatten(item),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return plain;
}

describe('parseJson', () => {
  it('gives what JSON.parse gives for anything a double can hold', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepStrictEqual(flatten(parseJson(text)), JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse up to the exact numbers, for any text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        assert.deepStrictEqual(flatten(parseJson(text)), JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives the same for bytes as for text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        assert.deepStrictEqual(parseJsonBytes(Buffer.from(text), decodeText), parseJson(text));
      }),
      { numRuns: 2_000 },
    );
    const text = '{"é": [9007199254740993, "a", -9007199254740993], "s": "x, 9007199254740993, y"}';
    assert.equal(
      stringifyJson(parseJsonBytes(Buffer.from(text), decodeText)),
      '{"é":[9007199254740993,"a",-9007199254740993],"s":"x, 9007199254740993, y"}',
    );
  });

  it('writes over nothing but the number, whatever the mark is', () => {
    // The shortest numbers that are overwritten, side by side.
    const text = `[${Array.from({ length: 300 }, (_, at) => `9007199254740${993 + 2 * (at % 3)}`).join(',')},"end"]`;
    for (let round = 0; round < 200; round += 1) {
      assert.equal(stringifyJson(parseJsonBytes(Buffer.from(text), decodeText)), text);
    }
  });

  it('loses no digit: writing back gives the same numbers', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        const value = parseJson(`{"n":${text}}`) as { n: unknown };
        if (value.n instanceof ExactNumber) {
          assert.equal(value.n.text, text);
          assert.equal(stringifyJson(value), `{"n":${text}}`);
        } else {
          assert.equal(value.n, Number(text));
          assert.ok(isExactInDouble(text));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('decides like exact arithmetic', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (big) => {
        const isRound = BigInt(Number(big)) === big;
        // Above 2^53 the shortest decimal of a double can differ from its exact value.
        if (isExactInDouble(String(big)) && !isRound) {
          assert.equal(BigInt(Number(big).toLocaleString('fullwide', { useGrouping: false })), big);
        }
        if (big >= -(2n ** 53n) && big <= 2n ** 53n) assert.ok(isExactInDouble(String(big)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses what JSON.parse refuses, also when the text holds long numbers', () => {
    fc.assert(
      fc.property(
        jsonText,
        fc.nat(),
        fc.constantFrom('', '-', '1', '"', ',', '}', 'e', '.', '\\', '9007199254740993'),
        (text, at, noise) => {
          const place = at % (text.length + 1);
          const spoiled = text.slice(0, place) + noise + text.slice(place + (noise === '' ? 1 : 0));
          let expected: unknown;
          try {
            expected = JSON.parse(spoiled);
          } catch {
            assert.throws(() => parseJson(spoiled), SyntaxError);
            return;
          }
          assert.deepStrictEqual(flatten(parseJson(spoiled)), expected);
        },
      ),
      { numRuns: 2_000 },
    );
    for (const text of [
      '[1e400-2]',
      '[01234567890123456789]',
      '[-]',
      '[1.e999]',
      '{"a" 12345678901234567890}',
      '[12345678901234567890',
      '+1e400',
    ]) {
      assert.throws(() => parseJson(text), SyntaxError, text);
    }
  });

  it('keeps the numbers that a double would change', () => {
    for (const text of [
      '9007199254740993',
      '-9223372036854775808',
      '1e400',
      '-1E+400',
      '1e-400',
      '0.1000000000000000055511151231257827',
      '3.14159265358979323846',
      '12345678.123456789012',
    ]) {
      for (const [open, close] of [
        ['', ''],
        ['[', ']'],
        ['{"v":', '}'],
        ['[ "x:1", ', ' ]'],
      ] as const) {
        const written = stringifyJson(parseJson(`${open}${text}${close}`));
        assert.ok(written.includes(text), `${text} in ${written}`);
      }
    }
  });

  it('leaves ordinary numbers alone, whatever their form', () => {
    for (const text of [
      '0.30000000000000004',
      '9007199254740992',
      '1.0000000000000000000',
      '1e5',
      '-0',
      '0e999',
      '5e-324',
      '1.7976931348623157e308',
      '100000000000000000000',
      '0.00000000000000000001',
    ]) {
      const [value] = parseJson(`[${text}]`) as [unknown];
      assert.ok(Object.is(value, Number(text)), text);
    }
  });

  it('finds exact numbers where an independent parser finds them', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        const theirs = losslessParse(`[${text}]`) as [unknown];
        const ours = parseJson(`[${text}]`) as [unknown];
        assert.ok(isLosslessNumber(theirs[0]));
        const kept = ours[0] instanceof ExactNumber ? ours[0].text : text;
        assert.equal(kept, theirs[0].value);
      }),
    );
  });

  it('is not fooled by a key named __proto__', () => {
    const value = parseJson(
      '{"__proto__": 9007199254740993, "a": {"__proto__": {"b": 9007199254740993}}}',
    );
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(
      stringifyJson(value),
      '{"__proto__":9007199254740993,"a":{"__proto__":{"b":9007199254740993}}}',
    );
  });
});

describe('stringifyJson', () => {
  it('writes what JSON.stringify writes for plain values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (JSON.stringify(value).includes('-0') || containsMinusZero(value)) return;
        assert.equal(stringifyJson(value), JSON.stringify(value));
      }),
    );
    assert.equal(
      stringifyJson({ a: undefined, d: new Date(0) }),
      '{"d":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it('writes exact numbers, bigints and -0 digit by digit', () => {
    const value = { a: [new ExactNumber('1e400'), 10n ** 20n, -0], text: '"⁅"' };
    assert.equal(stringifyJson(value), '{"a":[1e400,100000000000000000000,-0],"text":"\\"⁅\\""}');
  });

  it('refuses an ExactNumber that is not a number, and values without a JSON form', () => {
    assert.throws(() => stringifyJson([new ExactNumber('1,"admin":true')]), TypeError);
    assert.throws(() => stringifyJson(undefined), TypeError);
  });
});

function containsMinusZero(value: unknown): boolean {
  if (Object.is(value, -0)) return true;
  return (
    typeof value === 'object' && value !== null && Object.values(value).some(containsMinusZero)
  );
}
