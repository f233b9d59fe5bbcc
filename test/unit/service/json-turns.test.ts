import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExactNumber } from '../../../src/api/exact-number.ts';
import { parseJson } from '../../../src/core/http/json.ts';
import { parseJsonInTurns } from '../../../src/service/http/json-turns.ts';

/** What comes of it, or that it is no JSON. */
const outcome = async (parse: () => unknown): Promise<unknown> => {
  try {
    return { value: await parse() };
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return 'no JSON';
  }
};

async function isSame(text: string, piece: number): Promise<void> {
  assert.deepEqual(
    await outcome(() => parseJsonInTurns(text, parseJson, piece)),
    await outcome(() => parseJson(text)),
    `${text} in pieces of ${String(piece)}`,
  );
}

const blank = fc.stringMatching(/^[ \n\r\t]{0,2}$/);

describe('JSON that is parsed in turns', () => {
  it('is what JSON.parse makes of it, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 5 }),
        fc.integer({ min: 1, max: 40 }),
        async (text, piece) => isSame(text, piece),
      ),
      { numRuns: 2000 },
    );
  });

  it('is also so with blanks, same names, long numbers and names like __proto__', async () => {
    const name = fc.constantFrom('a', 'b', '__proto__', '1', '0', 'x"]},{[:\\');
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('1', '1e400', '12345678901234567890', '"],"', '"\\\\"', '-0', 'null', '""'),
        fc
          .array(fc.tuple(blank, tie('json') as fc.Arbitrary<string>, blank))
          .map((items) => `[${items.map((parts) => parts.join('')).join(',')}]`),
        fc
          .array(fc.tuple(blank, name, blank, blank, tie('json') as fc.Arbitrary<string>, blank))
          .map((items) => {
            const fields = items.map(
              ([a, key, b, c, value, d]) => `${a}${JSON.stringify(key)}${b}:${c}${value}${d}`,
            );
            return `{${fields.join(',')}}`;
          }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(json, fc.integer({ min: 1, max: 20 }), async (text, piece) =>
        isSame(text, piece),
      ),
      { numRuns: 2000 },
    );
  });

  it('is refused as JSON.parse does, wherever it is broken', async () => {
    const text = '{"a": [1, {"b": [1, 2, "x,]}"]}, [], {}], "c": {"d": null}, "e": "\\""}';
    for (let piece = 1; piece < 12; piece += 1) {
      for (let at = 0; at < text.length; at += 1) {
        await isSame(text.slice(0, at) + text.slice(at + 1), piece);
        for (const sign of [',', ':', '[', ']', '{', '}', '"', '\u00a0', 'x', ' ']) {
          await isSame(text.slice(0, at) + sign + text.slice(at), piece);
        }
      }
    }
  });

  it('lets others have their turns while it is long', async () => {
    const items = Array.from({ length: 60_000 }, (_, index) => ({ index, text: 'x'.repeat(200) }));
    const text = `{"spans":${JSON.stringify(items).replace('"index":7,', '"index":70000000000000000007,')}}`;
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    const parsed = (await parseJsonInTurns(text)) as { spans: { index: unknown }[] };
    clearInterval(counting);
    assert.equal(parsed.spans.length, items.length);
    assert.ok(parsed.spans[7]?.index instanceof ExactNumber);
    assert.ok(turns > 3, String(turns));
  });
});
