import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutText, shortened } from '../../../src/core/shortened.ts';
import { shortened as shortenedInPage } from '../../../src/webview/common/shortened.ts';

const texts = fc.string({ unit: 'binary', maxLength: 12 });
const limits = fc.integer({ min: 1, max: 12 });

describe('core: a text that is cut', () => {
  it('begins as the whole does, and never ends in half of a character', () => {
    fc.assert(
      fc.property(texts, limits, (text, limit) => {
        const start = cutText(text, limit);
        assert.ok(text.startsWith(start));
        assert.doesNotMatch(start, /[\ud800-\udbff]$/);
        assert.ok(start.length <= limit && start.length >= Math.min(text.length, limit) - 1);
      }),
    );
  });

  it('has an ellipsis where it goes on, in pages, too', () => {
    fc.assert(
      fc.property(texts, limits, (text, limit) => {
        const expected = text.length > limit ? `${cutText(text, limit)}…` : text;
        assert.equal(shortened(text, limit), expected);
        assert.equal(shortenedInPage(text, limit), expected);
      }),
    );
  });
});
