import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bodyWithFile } from '../../../../src/core/http/streamed-body.ts';

describe('A body with a file', () => {
  it('is the JSON text that it would be at once, of the length that it says, every time', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 12 });
    const sizes = fc.constantFrom(1, 1000, 20_000);
    await fc.assert(
      fc.asyncProperty(pieces, sizes, async (parts, times) => {
        const given = parts.map((part) => Buffer.concat(Array.from({ length: times }, () => part)));
        const whole = Buffer.concat(given);
        const content = {
          byteLength: whole.byteLength,
          async *pieces() {
            for (const piece of given) yield await Promise.resolve(piece);
          },
        };
        const bodyOf = (file: string) => ({ title: 'ü "t"', source: { file, more: 1n } });
        const expected = `{"title":"ü \\"t\\"","source":{"file":"${whole.toString('base64')}","more":1}}`;
        for (const body of [bodyWithFile(content, bodyOf), bodyWithFile(whole, bodyOf)]) {
          for (let time = 0; time < 2; time += 1) {
            const sent: Uint8Array[] = [];
            for await (const piece of body.pieces()) sent.push(piece);
            assert.equal(Buffer.concat(sent).toString(), expected);
            assert.equal(body.byteLength, Buffer.byteLength(expected));
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});
