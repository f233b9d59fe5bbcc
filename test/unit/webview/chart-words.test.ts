import assert from 'node:assert/strict';
import { spellDates } from '../../../src/webview/charts/words.ts';

describe('Dates of a chart', () => {
  const at = (...times: readonly string[]): readonly string[] =>
    spellDates(times.map((time) => `2026-11-28T${time}Z`));

  it('are told to the minute, and to the second where that would say the same twice', () => {
    assert.doesNotMatch(at('10:00:07', '10:01:09').join(), /:0[79]/);
    const close = at('10:00:07', '10:00:09', '10:01:11');
    assert.equal(new Set(close).size, 3);
    assert.match(close.join(), /:07.*:09.*:11/);
  });

  it('stay as they are when they are none', () => {
    assert.deepEqual(spellDates(['', 'soon']), ['', 'soon']);
  });
});
