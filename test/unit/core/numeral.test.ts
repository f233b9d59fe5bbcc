import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareNumerals, decimalIn, ExactSum, numeralIn } from '../../../src/core/numeral.ts';

/** Digits and scale as a whole number of units of 10^-40: what exact arithmetic is checked with. */
const scale = 40;
function units(text: string): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(text) ?? assert.fail(text);
  const shift = scale - fraction.length + Number(exponent);
  const value = BigInt(`${whole}${fraction}`) * 10n ** BigInt(shift);
  return sign === '-' ? -value : value;
}

const digits = (max: number) =>
  fc.string({ unit: fc.constantFrom('0', '1', '9', '5'), minLength: 1, maxLength: max });
const number = fc
  .record({
    sign: fc.constantFrom('', '-', '+'),
    whole: digits(22),
    fraction: fc.option(digits(12), { nil: undefined }),
    exponent: fc.option(fc.integer({ min: -20, max: 20 }), { nil: undefined }),
  })
  .map(
    ({ sign, whole, fraction, exponent }) =>
      `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${exponent === undefined ? '' : `e${String(exponent)}`}`,
  );
/** Numbers that differ in their last digit, where doubles see none. */
const pair = fc.oneof(
  fc.tuple(number, number),
  number.map((text) => [text, text.replace(/\d(?=e|$)/, (last) => (last === '9' ? '1' : '9'))]),
);

describe('core: numbers in texts', () => {
  it('are compared with all their digits', () => {
    fc.assert(
      fc.property(pair, ([one = '', other = '']) => {
        const [a, b] = [numeralIn(one), numeralIn(other)];
        assert.ok(a !== undefined && b !== undefined);
        const [x, y] = [units(one), units(other)];
        assert.equal(compareNumerals(a, b), x < y ? -1 : x > y ? 1 : 0);
      }),
      { numRuns: 1000 },
    );
  });

  it('are added up without losing one', () => {
    fc.assert(
      fc.property(fc.array(number, { maxLength: 30 }), (texts) => {
        const sum = new ExactSum();
        for (const text of texts) sum.add(numeralIn(text) ?? assert.fail());
        assert.equal(
          units(sum.text),
          texts.reduce((total, text) => total + units(text), 0n),
        );
      }),
      { numRuns: 300 },
    );
    const cents = new ExactSum();
    for (const text of ['0.1', '0.2', '9007199254740993', '1']) cents.add(numeralIn(text) ?? 0);
    assert.equal(cents.text, '9007199254740994.3');
  });

  it('are no other texts', () => {
    for (const text of [
      '',
      ' ',
      '-',
      'N/A',
      '1,5',
      'Infinity',
      'NaN',
      '0x10',
      '1_000',
      '３',
      '1 2',
    ])
      assert.equal(numeralIn(text), undefined, text);
    assert.equal(decimalIn(`1e${'9'.repeat(9)}`), undefined);
    assert.equal(decimalIn('9'.repeat(5001)), undefined);
  });
});
