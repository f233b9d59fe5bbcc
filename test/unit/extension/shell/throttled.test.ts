import assert from 'node:assert/strict';
import { Throttled } from '../../../../src/extension/shell/throttled.ts';
import { until } from '../../../support/until.ts';

describe('what is typed, written down', () => {
  it('is written at the first key, and as it is when the writing ends', async () => {
    const written: string[] = [];
    const saving = new Throttled<string>(30, (text) => written.push(text));
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
});
