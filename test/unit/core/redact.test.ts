import assert from 'node:assert/strict';
import { redactText } from '../../../src/core/redact.ts';

describe('Secrets in texts', () => {
  it('are blanked out in addresses, headers and parameters', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['at https://ann:pw@host/x', 'at https://[redacted]@host/x'],
      ['socks5h.x-y://u:p@h, and', 'socks5h.x-y://[redacted]@h, and'],
      ['https://host/a@b', 'https://host/a@b'],
      ['Authorization: Bearer abc', 'Authorization: [redacted]'],
      ['x-api-key=abc&n=1', 'x-api-key=[redacted]&n=1'],
    ];
    for (const [text, clean] of cases) assert.equal(redactText(text, []), clean);
  });

  it('are looked for in time that grows with the text', () => {
    for (const piece of ['a.', 'a-', '://a', 'a://', 'bearer ', 'sk-', 'authorization: ', '@'])
      redactText(piece.repeat(300_000), []);
  });
});
