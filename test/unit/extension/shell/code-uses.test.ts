import assert from 'node:assert/strict';
import { usesText } from '../../../../src/extension/shell/code-uses.ts';
import { t } from '../words.ts';

describe('A question about a label', () => {
  const lines = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, at) => `src/${at}.ts:${at + 1}`);

  it('names the code that asks for it, and how much more there is', () => {
    assert.equal(usesText({ lines: [], isPartial: false }, t), undefined);
    assert.equal(
      usesText({ lines: lines(2), isPartial: false }, t),
      'Code asks for this label: src/0.ts:1, src/1.ts:2',
    );
    assert.match(
      usesText({ lines: lines(7), isPartial: false }, t) ?? '',
      /4\.ts:5\nFurther places: 2$/,
    );
    // Nothing found among the first files is not the same as nothing.
    assert.equal(
      usesText({ lines: [], isPartial: true }, t),
      'Only the first 20,000 code files were searched.',
    );
  });
});
