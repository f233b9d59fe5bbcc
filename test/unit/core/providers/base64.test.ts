import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textOfBase64 } from '../../../../src/core/providers/base64.ts';

describe('providers: texts in base64', () => {
  it("are what Node's Buffer reads, in both alphabets, with and without padding", () => {
    const text = fc.string({ unit: 'grapheme' });
    const form = fc.constantFrom('base64', 'base64url');
    fc.assert(
      fc.property(text, form, (wanted, alphabet) => {
        const encoded = Buffer.from(wanted).toString(alphabet);
        assert.equal(textOfBase64(encoded), wanted);
        assert.equal(textOfBase64(`${encoded.slice(0, 2)}\n${encoded.slice(2)}`), wanted);
      }),
    );
  });

  it('never fail on what is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        const plain = text.replaceAll('=', '');
        assert.equal(textOfBase64(plain), Buffer.from(plain, 'base64').toString('utf8'));
      }),
    );
  });
});
