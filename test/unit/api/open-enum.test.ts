import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openEnum } from '../../../src/api/open-enum.ts';

describe('open enum', () => {
  const schema = openEnum(['asc', 'desc'], (sent) => (sent === 'up' ? 'asc' : sent));

  it('keeps every text, known or not', () => {
    fc.assert(
      fc.property(fc.string(), (sent) => {
        assert.equal(schema.parse(sent), sent === 'up' ? 'asc' : sent);
      }),
    );
  });

  it('refuses what is no text', () => {
    for (const sent of [null, 1, true, [], {}]) assert.equal(schema.safeParse(sent).success, false);
  });

  it('lists what is known, for descriptions and menus', () => {
    assert.deepEqual(schema.known, ['asc', 'desc']);
  });
});
