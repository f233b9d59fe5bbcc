/** Long digits come from cells, files and answers: nobody waits for the square of their number. */
import assert from 'node:assert/strict';
import { guardFormula } from '../../../src/core/exports/formula-guard.ts';
import { isExactInDouble } from '../../../src/core/http/exact-scan.ts';
import { numeralIn } from '../../../src/core/numeral.ts';

describe('Texts of very many digits', () => {
  const digits = '0'.repeat(300_000);

  it('are told from formulas in time that grows with them', () => {
    assert.equal(guardFormula(`+1${digits}x`)[0], "'");
    assert.equal(guardFormula(`+1${digits}.5e9`)[0], '+');
  });

  it('are compared with doubles in time that grows with them', () => {
    assert.equal(isExactInDouble(`1.1${digits}1`), false);
    assert.equal(isExactInDouble('1200'), true);
    assert.equal(isExactInDouble('1.50e3'), true);
  });

  it('are told from numbers in time that grows with them', () => {
    assert.equal(numeralIn(`1${digits}x`), undefined);
    assert.deepEqual(
      ['1.', '.5', '1.5e3', '.'].map((text) => numeralIn(text)),
      [1, 0.5, 1500, undefined],
    );
  });
});
