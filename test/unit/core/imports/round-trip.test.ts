/** What our own exports write comes back as the same cells. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { csv } from '../../../../src/core/exports/csv.ts';
import { json, jsonLines } from '../../../../src/core/exports/json.ts';
import { parquet } from '../../../../src/core/exports/parquet.ts';
import type { Encode, ExportPlan } from '../../../../src/core/exports/shape.ts';
import { xlsx } from '../../../../src/core/exports/xlsx.ts';
import { parseJson, stringifyJson } from '../../../../src/core/http/json.ts';
import type { ValueText } from '../../../../src/core/imports/table.ts';
import { fileOf, readFile } from './support.ts';

function planOf(titles: readonly string[], rows: readonly (readonly ValueText[])[]): ExportPlan {
  return {
    ...{ titles, content: 'values' },
    columns: titles.map((title) => ({ title, isComputed: false })),
    async *pages() {
      for (const [rowIndex, values] of rows.entries()) {
        const cells = values.map((value) => ({
          ...{ status: 'input', value, error: null, error_message: null },
        }));
        yield await Promise.resolve([{ rowIndex, cells }]);
      }
    },
  };
}

async function bytesOf(encode: Encode, plan: ExportPlan): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of encode(plan)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const text = fc
  .string({
    unit: fc.constantFrom(
      'a',
      'é',
      '漢',
      '🙂',
      ' ',
      '"',
      ',',
      ';',
      '\t',
      '\n',
      '\r\n',
      '=',
      '_x0041_',
      '0',
    ),
  })
  .map((value) => JSON.stringify(value));
const number = fc.oneof(
  fc.maxSafeInteger().map(String),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => stringifyJson(value)),
  fc.constantFrom('0.1', '12345678901234567890.5', '1e400', '-0'),
);
const nested = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify({ a: [value] }));
const value = fc.oneof(text, number, fc.boolean().map(String), nested, fc.constant(null));
/** Columns of one kind and of mixed ones. */
const column = fc.constantFrom(text, number, fc.boolean().map(String), fc.constant(null), value);
const table = fc
  .tuple(column, column, column)
  .chain(([first, second, third]) =>
    fc.array(fc.tuple(first, second, third), { minLength: 1, maxLength: 8 }),
  );
const titles = ['Question', 'a, b; "c"', 'Ünï 2'];

/** How the service itself keeps a value that it is sent. */
const kept = (given: ValueText): ValueText =>
  given === null ? null : stringifyJson(parseJson(given));

/** A text is itself, everything else the text that stands for it. */
const asText = (given: ValueText): ValueText =>
  given === null || given.startsWith('"') ? given : JSON.stringify(given);

const returns = async (
  name: string,
  encode: Encode,
  expected: (given: ValueText) => ValueText,
): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const bytes = await bytesOf(encode, planOf(titles, rows));
      const { table: read, values, remarks } = await readFile(fileOf(name, bytes, 11));
      assert.deepEqual(read?.fields, titles);
      const isBook = name.endsWith('.xlsx');
      // Excel has no rows in which nothing is.
      const filled = rows.filter((row) => !isBook || row.some((one) => one !== null));
      assert.deepEqual(
        values,
        filled.map((row) => row.map(expected)),
      );
      const reported = remarks.filter(({ kind }) => kind !== 'rounded' && kind !== 'blank');
      assert.deepEqual(reported, []);
    }),
    { numRuns: 60 },
  );
};

describe('Exports come back through the import', () => {
  it('CSV, CSV with semicolons and TSV: texts, and the texts of all else', async () => {
    for (const separator of [',', ';', '\t'])
      for (const isMarked of [false, true])
        await returns('a.csv', csv({ guard: false, separator, isMarked }), asText);
  });

  it('JSON and JSON Lines: every value as it was', async () => {
    // A row that has no value at all names no column: the first one here names them all.
    const all = ['"all"', '"are"', '"named"'];
    for (const [name, encode] of [
      ['a.json', json],
      ['a.jsonl', jsonLines],
    ] as const) {
      await fc.assert(
        fc.asyncProperty(table, async (rows) => {
          const given = [all, ...rows];
          const bytes = await bytesOf(encode, planOf(titles, given));
          const { table: read, values } = await readFile(fileOf(name, bytes, 11));
          assert.deepEqual(read?.fields, titles);
          assert.deepEqual(
            values,
            given.map((row) => row.map(kept)),
          );
        }),
        { numRuns: 60 },
      );
    }
  });

  it('Parquet: every value as it was, with all its digits', async () => {
    await returns('a.parquet', parquet, kept);
  });

  it('Excel: texts, booleans and the numbers that it keeps; all else as text', async () => {
    const shown = (given: ValueText): ValueText => {
      if (given === null || given === 'true' || given === 'false') return given;
      if (given.startsWith('"')) return given;
      const digits = given
        .replace(/[eE].*$/, '')
        .replaceAll(/[-.]/g, '')
        .replace(/^0+|0+$/g, '');
      const isKept = /^-?\d/.test(given) && digits.length <= 15 && Number.isFinite(Number(given));
      return isKept ? stringifyJson(Number(given) + 0) : JSON.stringify(given);
    };
    await returns('a.xlsx', xlsx({ sheetTitle: 'Answers' }), shown);
  });
});
