import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withoutBlankEdges } from '../../../src/webview/grid/edit/blank-edges.ts';

describe('Blanks of a pasted cell', () => {
  it('are dropped around line breaks and around the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r', 'a') }), (text) => {
        const byPattern = text
          .replaceAll(/ *\n */g, '\n')
          .replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
        assert.equal(withoutBlankEdges(text), byPattern);
      }),
    );
  });

  it('are looked for in time that grows with the text', () => {
    assert.equal(withoutBlankEdges(`a${' '.repeat(500_000)}b`).length, 500_002);
  });
});
