import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import { stringifyJson } from '../../../../src/core/http/json.ts';
import { isJsonOf, piecesOf, stringifyInTurns } from '../../../../src/service/http/long-text.ts';
import { TimeSlice } from '../../../../src/service/turn.ts';

/** Halves of characters too, and what JSON escapes. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\0', 'u', 'u005c', '🙂', '\ud83d', '\ude42', 'ö'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));
const length = fc.integer({ min: 2, max: 12 });

/** JSON may write every character in another way than we do. */
const escaped = (value: string): string =>
  `"${Array.from({ length: value.length }, (_, at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

describe('Long text', () => {
  it('is written in pieces as at once', async () => {
    await fc.assert(
      fc.asyncProperty(text, length, async (value, most) => {
        const written = await stringifyInTurns(value, new TimeSlice(), most);
        assert.equal(written, JSON.stringify(value));
        assert.equal([...piecesOf(value, most)].join(''), value);
      }),
    );
    const list = fc.array(fc.oneof(fc.jsonValue(), fc.constant(new ExactNumber('1.50'))));
    await fc.assert(
      fc.asyncProperty(list, length, async (value, most) => {
        const written = await stringifyInTurns(value, new TimeSlice(), most);
        assert.equal(written, stringifyJson(value));
      }),
    );
  });

  it('is known again in its JSON, however that is written, and in no other', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, length, async (value, other, most) => {
        for (const json of [JSON.stringify(value), escaped(value), ` ${JSON.stringify(value)} `]) {
          for (const asked of [value, other, `${value}!`, value.slice(1)]) {
            const isSame = await isJsonOf(json, asked, new TimeSlice(), most);
            assert.equal(isSame, asked === value, JSON.stringify([json, asked, most]));
          }
        }
      }),
    );
  });
});
