import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addressProblem,
  cleanAddress,
  cleanKey,
  keyProblem,
} from '../../../src/extension/connections/entered.ts';

describe('what people enter for a connection', () => {
  it('is a key without what was copied along with it', () => {
    const pasted = [
      'pl_0123456789abcdef',
      '  pl_0123456789abcdef\r\n',
      '"pl_0123456789abcdef"',
      'PROMPTLAYER_API_KEY=pl_0123456789abcdef',
      "export PROMPTLAYER_API_KEY='pl_0123456789abcdef'\n",
      'X-API-KEY: pl_0123456789abcdef',
      'pl_01234567\n89abcdef',
    ];
    for (const text of pasted) assert.equal(cleanKey(text), 'pl_0123456789abcdef', text);
  });

  it('keeps a clean key as it is, whatever its characters', () => {
    const key = fc.string({
      unit: fc.constantFrom(...Array.from('abcXYZ0189_-.~+/$%!')),
      minLength: 8,
      maxLength: 200,
    });
    fc.assert(
      fc.property(key, (text) => {
        assert.equal(cleanKey(text), text);
        assert.equal(keyProblem(text), undefined);
      }),
    );
  });

  it('is refused when it can be no key', () => {
    assert.equal(keyProblem('  \n'), 'empty');
    assert.equal(keyProblem('pl_1'), 'short');
    assert.equal(keyProblem('pl_0123456789•••'), 'character');
  });

  it('is an address of host and path only', () => {
    assert.equal(addressProblem('https://api.promptlayer.com'), undefined);
    assert.equal(addressProblem(' http://localhost:8080/base/ '), undefined);
    assert.equal(addressProblem('api.promptlayer.com'), 'address');
    assert.equal(addressProblem('ftp://example.org'), 'scheme');
    assert.equal(addressProblem('https://user:key@example.org'), 'parts');
    assert.equal(addressProblem('https://example.org/?api_key=1'), 'parts');
    assert.equal(cleanAddress(' https://example.org/base// '), 'https://example.org/base');
  });
});
