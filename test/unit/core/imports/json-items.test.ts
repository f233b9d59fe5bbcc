import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stringifyJson } from '../../../../src/core/http/json.ts';
import { ImportError } from '../../../../src/core/imports/import-error.ts';
import { jsonItems, titlesOfItems } from '../../../../src/core/imports/json-rows.ts';

async function* piecesOf(text: string, cuts: readonly number[]): AsyncGenerator<string> {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  for (const [index, start] of [0, ...at].entries()) yield text.slice(start, at[index]);
}

async function itemsOf(text: string, cuts: readonly number[] = []): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of jsonItems(piecesOf(text, cuts))) items.push(item);
  return items;
}

describe('A JSON file', () => {
  it('is read item by item as a parser reads all of it, wherever it is cut', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const item = fc.dictionary(
      fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', ']', ',', ' ', 'é', '🙂') }),
      value,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.constantFrom('', ' ', '\n'),
        async (items, cuts, space) => {
          const text = `${space}${JSON.stringify(items, null, space)}${space}`;
          // Through text: JSON knows no -0.
          const expected = JSON.parse(JSON.stringify(items)) as unknown;
          assert.equal(JSON.stringify(await itemsOf(text, cuts)), JSON.stringify(expected));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('may hold a key again in another object, and what looks like one in a text', async () => {
    const text =
      '[{"a":{"a":1,"b":[{"a":2},{"a":3}]},"b":"\\"a\\":\\\\","c":"{\\"c\\":1}","n":1.50}]';
    assert.deepEqual(JSON.parse(stringifyJson(await itemsOf(text))), JSON.parse(text));
  });

  it('says what it is not: an array, whole, of objects, or JSON', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['', /not valid JSON: it is empty/],
      ['nonsense', /not valid JSON/],
      ['{"a": 1}', /must hold an array/],
      ['"text"', /must hold an array/],
      ['12', /must hold an array/],
      ['[1]', /Item 1 of the JSON array is not an object/],
      ['[{"a":1},[]]', /Item 2 of the JSON array is not an object/],
      ['[{"a":1}', /not valid JSON: it ends/],
      ['[{"a":"', /not valid JSON: it ends/],
      ['[{"a":1},]', /not valid JSON: item 2 is missing/],
      ['[,{"a":1}]', /not valid JSON: item 1 is missing/],
      ['[{"a":1} {"b":2}]', /not valid JSON: item 1/],
      ['[{"a":1]', /not valid JSON: it ends|not valid JSON: item 1/],
      ['[{"a":1}}]', /not valid JSON/],
      ['[{"a":1}] x', /not valid JSON: something follows/],
      ['[{"a":1}][]', /not valid JSON: something follows/],
      ['[{a:1}]', /not valid JSON: item 1/],
      ['[{"a":1},{"b":2,"a" : 3,"b":4}]', /Item 2 of the JSON array has the key "b" twice/],
      ['[{"x":{"y":[{"x":1}]},"\\u0078":2}]', /has the key "x" twice/],
      ['[{"v":{"a":1,"b":2,"a":3}}]', /Item 1 .* has the key "a" twice in one object/],
      ['[{"v":[[{"":1.0,"":{}}]],"w":"a"}]', /has the key "" twice/],
    ];
    for (const [text, reason] of cases) {
      for (const cuts of [[], [1, 3, 5, 7]]) {
        await assert.rejects(itemsOf(text, cuts), (error: unknown) => {
          assert.ok(error instanceof ImportError, text);
          assert.match(error.message, reason, text);
          return true;
        });
      }
    }
    await assert.rejects(titlesOfItems(piecesOf('[{}]', [])), /no object with a key/);
    await assert.rejects(titlesOfItems(piecesOf('[]', [])), /no object with a key/);
    assert.deepEqual(await titlesOfItems(piecesOf('[{"b":1},{"a":1,"b":2}]', [9])), ['b', 'a']);
  });
});
