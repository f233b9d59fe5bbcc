import assert from 'node:assert/strict';
import { Throttled } from '../../../../src/extension/shell/throttled.ts';
import { until } from '../../../support/until.ts';

describe('what is typed, written down', () => {
  it('is written at the first key, and as it is when the writing ends', async () => {
    const written: string[] = [];
    const gone = new AbortController();
    const saving = new Throttled<string>(30, (text) => written.push(text), gone.signal);
    saving.put('a');
    assert.deepEqual(written, ['a']);
    saving.put('ab');
    saving.put('abc');
    assert.deepEqual(written, ['a']);
    await until('it is written again', () => written.length >= 2);
    assert.deepEqual(written, ['a', 'abc']);
    saving.put('abcd');
    saving.flush();
    assert.equal(written.at(-1), 'abcd');
    saving.put('abcde');
    saving.put('given up');
    saving.drop();
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(written.at(-1), 'abcde');
  });

  it('is written when the window goes, and not if it was given up before', () => {
    const written: string[] = [];
    const gone = new AbortController();
    const savings = ['kept', 'given up'].map((text) => {
      const saving = new Throttled<string>(60_000, (now) => written.push(now), gone.signal);
      saving.put('');
      saving.put(text);
      return saving;
    });
    savings[1]?.drop();
    gone.abort();
    assert.deepEqual(written, ['', '', 'kept']);
  });
});
