import assert from 'node:assert/strict';
import { ExactNumber } from '../../../src/api/exact-number.ts';
import { stringifyJson } from '../../../src/core/http/json.ts';

describe('ExactNumber', () => {
  const exact = new ExactNumber('12345678901234567890.10');

  it('shows the digits that were sent', () => {
    assert.equal(String(exact), '12345678901234567890.10');
    assert.equal(exact.text, '12345678901234567890.10');
  });

  it('loses no digit through a plain JSON.stringify', () => {
    assert.equal(JSON.stringify({ n: exact }), '{"n":"12345678901234567890.10"}');
  });

  it('compares as the nearest double', () => {
    assert.equal(Number(exact), Number(exact.text));
    assert.ok(exact.valueOf() > 1);
  });

  it('knows those that another bundle has made', async () => {
    const url = new URL('../../../src/api/exact-number.ts?copy', import.meta.url).href;
    const copy = (await import(url)) as { readonly ExactNumber: typeof ExactNumber };
    assert.notEqual(copy.ExactNumber, ExactNumber);
    const foreign: unknown = new copy.ExactNumber('1e400');
    assert.ok(foreign instanceof ExactNumber);
    assert.equal(stringifyJson([foreign]), '[1e400]');
    for (const other of [null, '1e400', { text: '1e400' }]) {
      assert.ok(!((other as unknown) instanceof ExactNumber));
    }
  });
});
