/** Files against what other programs say of them: see reference/make-csv.py and make-parquet.py. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { TextEncoding } from '../../../../src/core/imports/encodings.ts';
import type { ReadChoices } from '../../../../src/core/imports/open-file.ts';
import { fileOf, readFile } from './support.ts';

interface Reference {
  /** Base64. */
  readonly bytes: string;
  readonly encoding: TextEncoding;
  readonly reported: ReadChoices;
  readonly records: readonly (readonly string[])[];
}

interface ParquetReference {
  readonly about: string;
  /** Base64. */
  readonly bytes: string;
  readonly fields: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

const linesOf = (name: string): readonly unknown[] =>
  fs
    .readFileSync(path.join(import.meta.dirname, 'reference', name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

const references = linesOf('csv.jsonl') as readonly Reference[];

describe('Separated values of 17 encodings, with line ends, quotes and delimiters of all kinds', () => {
  for (const pieceBytes of [3, 7, 64 * 1024]) {
    it(`are read as Python reads them, in pieces of ${String(pieceBytes)} bytes`, async () => {
      assert.equal(references.length, 400);
      for (const [index, { bytes, encoding, reported, records }] of references.entries()) {
        const content = Buffer.from(bytes, 'base64');
        const { form, values } = await readFile(fileOf('a.csv', content, pieceBytes), {
          ...reported,
          hasHeader: false,
        });
        const about = `file ${String(index + 1)}`;
        assert.equal(form.encoding?.value, encoding, about);
        const read = values.map((row) =>
          row.map((value) => (value === null ? '' : (JSON.parse(value) as string))),
        );
        const width = records[0]?.length ?? 0;
        const padded = records.map((record) => [
          ...record,
          ...Array.from({ length: width - record.length }, () => ''),
        ]);
        assert.deepEqual(read, padded, about);
      }
    });
  }
});

describe('Parquet files of pyarrow, Polars and DuckDB', () => {
  const files = linesOf('parquet.jsonl') as readonly ParquetReference[];
  for (const { about, bytes, fields, rows } of files) {
    it(`hold the values that were written, by themselves and nested: ${about}`, async () => {
      const read = await readFile(fileOf('a.parquet', Buffer.from(bytes, 'base64')));
      assert.deepEqual(read.table?.fields, fields);
      assert.deepEqual(read.values, rows);
    });
  }
});
