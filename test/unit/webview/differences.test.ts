import assert from 'node:assert/strict';
import fc from 'fast-check';
import { differencesOf, type Part } from '../../../src/webview/compare/differences.ts';

const whole = (parts: readonly Part[]): string => parts.map(({ text }) => text).join('');
const same = (parts: readonly Part[]): string =>
  parts.map(({ text, isChanged }) => (isChanged ? '' : text)).join('');

describe('differences of two texts', () => {
  const word = fc.constantFrom('a', 'bc', '😀', ' ', '\n', '  ', 'd.');
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''));

  it('lose nothing, and call the same only what both have, however long they are', () => {
    const padding = fc.constantFrom('', 'long '.repeat(50_000));
    fc.assert(
      fc.property(text, text, padding, padding, text, (left, right, one, other, end) => {
        const [first, second] = [`${one}${left}${end}`, `${other}${right}${end}`];
        const found = differencesOf(first, second);
        assert.equal(whole(found.left), first);
        assert.equal(whole(found.right), second);
        assert.equal(same(found.left), same(found.right));
        if (first === second) assert.equal(same(found.left), first);
      }),
      { numRuns: 25 },
    );
  });

  it('are around the middle of long texts, in time that grows with their length', () => {
    const [begin, end] = ['many words '.repeat(200_000), ' and so on'.repeat(200_000)];
    const began = process.cpuUsage();
    const { left, right } = differencesOf(`${begin}one two${end}`, `${begin}one three${end}`);
    const { user, system } = process.cpuUsage(began);
    assert.deepEqual([left[1]?.text, right[1]?.text], ['two', 'three']);
    assert.deepEqual([left.length, right.length], [3, 3]);
    assert.ok((user + system) / 1000 < 3000, `${String((user + system) / 1000)} ms`);
  });
});
