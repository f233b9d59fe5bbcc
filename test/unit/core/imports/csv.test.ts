import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Field } from '../../../../src/core/imports/csv-options.ts';
import { readCsv, readHeader } from '../../../../src/core/imports/csv.ts';
import { TextReader } from '../../../../src/core/imports/decode-text.ts';
import { guessDelimiter } from '../../../../src/core/imports/delimiter.ts';
import { findEncoding } from '../../../../src/core/imports/encodings.ts';
import { ImportError } from '../../../../src/core/imports/import-error.ts';
import { checkTitles } from '../../../../src/service/imports/titles.ts';

async function all(pieces: Iterable<string>, delimiter = ','): Promise<Field[][]> {
  const records: Field[][] = [];
  for await (const { fields } of readCsv(pieces, { delimiter })) records.push([...fields]);
  return records;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const plainField = fc.string({
  unit: fc.constantFrom('a', 'é', '🙂', ' ', '\t', "'", '0'),
  minLength: 1,
});
const anyField = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ';', '🙂', ' ') });
const written = fc.oneof(
  plainField.map((text) => [text, text] as const),
  anyField.map((text) => [quoted(text), text] as const),
  fc.constant(['', null] as const),
);
const table = fc.integer({ min: 2, max: 5 }).chain((width) =>
  fc.array(fc.array(written, { minLength: width, maxLength: width }), {
    minLength: 1,
    maxLength: 8,
  }),
);

describe('CSV', () => {
  it('reads every field as it was written, wherever the text is cut into pieces', async () => {
    const cuts = fc.array(fc.nat(), { maxLength: 6 });
    // One for each record: files are put together of parts.
    const lineEnds = fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(table, cuts, lineEnds, async (rows, places, ends) => {
        const text = rows
          .map((row) => row.map(([raw]) => raw).join(','))
          .reduce((before, line, index) => `${before}${ends[index % ends.length] ?? ''}${line}`);
        // Decoders never cut a character in two.
        const characters = Array.from(text);
        const at = [...new Set(places.map((place) => place % (characters.length + 1)))].sort(
          (a, b) => a - b,
        );
        const pieces = [0, ...at].map((start, index) =>
          characters.slice(start, at[index]).join(''),
        );
        const expected = rows.map((row) => row.map(([, value]) => value));
        assert.deepEqual(await all(pieces), expected);
        assert.deepEqual(await readHeader(text, { delimiter: ',' }), expected[0]);
      }),
      { numRuns: 150 },
    );
  });

  it('ends each record where its own line ends, and keeps line ends inside quotes', async () => {
    const cases: [string, Field[][]][] = [
      ['p\r\nSum up\r\nTo French\nA poem\n', [['p'], ['Sum up'], ['To French'], ['A poem']]],
      [
        'q,e\nIs 2 even?,yes\r\n3?,no\r\n',
        [
          ['q', 'e'],
          ['Is 2 even?', 'yes'],
          ['3?', 'no'],
        ],
      ],
      ['p\nhello\r\nworld\r\n', [['p'], ['hello'], ['world']]],
      [
        'a,b\r\n1,2\n3,4\n',
        [
          ['a', 'b'],
          ['1', '2'],
          ['3', '4'],
        ],
      ],
      [
        'a,b\n1,2\r3,4\r',
        [
          ['a', 'b'],
          ['1', '2'],
          ['3', '4'],
        ],
      ],
      [
        'a,"x\r\ny"\r\n1,"u\nv\rw"\n',
        [
          ['a', 'x\r\ny'],
          ['1', 'u\nv\rw'],
        ],
      ],
    ];
    for (const [text, records] of cases) assert.deepEqual(await all([text]), records);
  });

  it('guesses the delimiter that splits the records alike', () => {
    const cases: [string, string][] = [
      ['a;b;c\n1;2;3', ';'],
      ['"a;b;c;d",b\n', ','],
      ['a\tb', '\t'],
      ['\r\na|b|c', '|'],
      ['single', ','],
      ['id;answer, short, polite\n1;yes, no\n2;maybe, so\n', ';'],
      ['name, first;city\nAnn;Oslo\n', ';'],
      ['id\tquestion, answer, note\n1\tq\n', '\t'],
      ['a,b,c\n1\n1,2\n', ','],
      ['a,b\n"x;y;z",1\n', ','],
      // Punctuation of long prose, and a cut inside quotes.
      [`id;text\n${'1;Well, yes; or no\n'.replace('; or', ' or').repeat(500)}`, ';'],
      [`id;text\n1;"${'a, b\n'.repeat(60_000)}"\n2;c\n`, ';'],
    ];
    for (const [text, delimiter] of cases)
      assert.equal(guessDelimiter(text), delimiter, text.slice(0, 80));
  });

  it('refuses to guess where two delimiters fit equally', () => {
    assert.throws(() => guessDelimiter('price, eur;x\n1,5;2\n'), /commas or by semicolons/);
  });

  it('says what is wrong with a text that is not CSV', async () => {
    await assert.rejects(all(['a,b\n"open']), ImportError);
    await assert.rejects(readHeader('', { delimiter: ',' }), ImportError);
  });

  it('reads a header that is followed by half a quoted field', async () => {
    assert.deepEqual(await readHeader('a,b\n1,"cut off', { delimiter: ',' }), ['a', 'b']);
  });
});

describe('Text of a file', () => {
  it('is decoded from UTF-8 and UTF-16, however it is cut', () => {
    const encodings = fc.constantFrom('utf-8' as const, 'utf-16le' as const, 'utf-16be' as const);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), encodings, fc.nat(), (text, encoding, place) => {
        const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
        const bytes =
          encoding === 'utf-8'
            ? Buffer.from(text)
            : encoding === 'utf-16le'
              ? little
              : Buffer.from(little).swap16();
        const cut = place % (bytes.length + 1);
        fc.pre(findEncoding(bytes).encoding === encoding && !text.startsWith('\uFEFF'));
        const reader = new TextReader(encoding);
        const read =
          reader.read(bytes.subarray(0, cut)) + reader.read(bytes.subarray(cut)) + reader.end();
        assert.equal(read, text);
      }),
    );
  });

  it('is refused when it is in no known encoding', () => {
    // What stands before it is read first.
    const late = new TextReader('utf-8');
    assert.equal(late.read(new Uint8Array([0x61, 0xff])), 'a');
    assert.throws(() => late.end(), ImportError);
    const reader = new TextReader('utf-8');
    reader.read(new Uint8Array([0xc3]));
    assert.throws(() => reader.end(), ImportError);
  });

  it('names the byte and the line that it can not read', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '🙂', '\n'), maxLength: 400 }),
        fc.nat(),
        fc.integer({ min: 1, max: 50 }),
        (text, place, size) => {
          const characters = Array.from(text);
          const before = characters.slice(0, place % (characters.length + 1)).join('');
          const good = Buffer.from(before);
          const bytes = Buffer.concat([good, Buffer.from([0xff]), Buffer.from(text)]);
          const reader = new TextReader('utf-8');
          const line = before.split('\n').length;
          assert.throws(
            () => {
              for (let at = 0; at < bytes.length; at += size)
                reader.read(bytes.subarray(at, at + size));
              reader.end();
            },
            (error: Error) =>
              error.message.includes(`byte ${String(good.length + 1)}, in line ${String(line)},`),
          );
        },
      ),
    );
  });
});

describe('Column titles of a file', () => {
  it('are trimmed, and must be there, unique and not too long or many', () => {
    assert.deepEqual(checkTitles([' a ', 'b']), ['a', 'b']);
    const wrong: (string | null)[][] = [
      ['a', null],
      ['a', ' '],
      ['a', ' a'],
      ['x'.repeat(256)],
      Array.from({ length: 1000 }, (_, index) => String(index)),
    ];
    for (const titles of wrong) assert.throws(() => checkTitles(titles), ImportError);
    assert.equal(checkTitles(Array.from({ length: 999 }, (_, index) => String(index))).length, 999);
  });
});
