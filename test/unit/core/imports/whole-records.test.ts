import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parsedBatches, readBatches, type CsvRecord } from '../../../../src/core/imports/csv.ts';
import { ImportError } from '../../../../src/core/imports/import-error.ts';
import type { Dialect } from '../../../../src/core/imports/csv-options.ts';

interface Outcome {
  readonly records: readonly CsvRecord[];
  readonly failure: unknown;
}

async function outcomeOf(batches: AsyncIterable<readonly CsvRecord[]>): Promise<Outcome> {
  const records: CsvRecord[] = [];
  try {
    for await (const batch of batches) records.push(...batch);
  } catch (error) {
    assert.ok(error instanceof Error);
    // The parser takes CR and LF inside quotes for two lines; the fault has the right one.
    const message = error.message.replace(/at line \d+/, 'at line N');
    return { records, failure: { message, fault: error instanceof ImportError && error.fault } };
  }
  return { records, failure: undefined };
}

async function* asItComes(pieces: readonly string[]): AsyncGenerator<string, void> {
  yield* pieces;
}

async function same(pieces: readonly string[], dialect: Dialect): Promise<void> {
  const start = { records: 0, lines: 0, bytes: 0 };
  const library = parsedBatches('', asItComes(pieces), dialect, start);
  const wanted = await outcomeOf(library);
  assert.deepEqual(await outcomeOf(readBatches(pieces, dialect)), wanted);
}

const dialects = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '||'),
  quote: fc.constantFrom('"', "'", ''),
});

/** A text in pieces of any length, empty ones too. */
const cut = (text: string, places: readonly number[]): string[] => {
  const characters = Array.from(text);
  const ends = places.map((place) => place % (characters.length + 1)).sort((a, b) => a - b);
  return [0, ...ends].map((start, index) => characters.slice(start, ends[index]).join(''));
};
const places = fc.array(fc.nat(), { maxLength: 6 });

describe('CSV: records that are taken without the parser', () => {
  it('are what the parser makes of any signs, with the same places, however the text is cut', async () => {
    const signs = fc.array(
      fc.constantFrom(
        'a',
        'é漢',
        '"',
        '""',
        "'",
        ',',
        ';',
        '|',
        '\t',
        '\n',
        '\r\n',
        '\r',
        '\\',
        ' ',
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(signs, dialects, places, (some, dialect, at) =>
        same(cut(some.join(''), at), dialect),
      ),
      { numRuns: 400 },
    );
  });

  it('are what the parser makes of files as programs write them', async () => {
    const field = fc.oneof(
      fc.constantFrom('', 'x', 'some text', '5" pipe', 'line\nbreak', 'line\r\nbreak', '\\"', '"'),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(field, fc.boolean()), { minLength: 1, maxLength: 5 })),
        dialects,
        fc.constantFrom('\n', '\r\n', '\r', '\n\n'),
        places,
        (rows, dialect, end, at) => {
          const { delimiter, quote } = dialect;
          const written = rows.map((fields) =>
            fields
              .map(([text, isQuoted]) => {
                const hasSigns = [delimiter, quote || '\n', '\n', '\r'].some((x) =>
                  text.includes(x),
                );
                if (quote === '' || !(isQuoted || hasSigns)) return text;
                return quote + text.replaceAll(quote, quote + quote) + quote;
              })
              .join(delimiter),
          );
          return same(cut(written.join(end) + end, at), dialect);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('tells the line of the file when the parser takes over', async () => {
    const read = async (): Promise<void> => {
      for await (const records of readBatches(['a,b\n1,2\n3,"4'], { delimiter: ',' })) void records;
    };
    await assert.rejects(read, /opening quote at line 3/);
  });

  it('leaves what is too long to be looked at again and again to the parser', async () => {
    const long = 'é'.repeat(1_500_000);
    const pieces = (text: string): string[] => text.match(/[^]{1,65536}/gu) ?? [];
    await same(pieces(`a,b\n1,"${long}\n"\n2,${long}\n3,"x"y\n4,z\n`), { delimiter: ',' });
    await same(pieces(`a,b\n1,"${long}`), { delimiter: ',' });
  });
});
