import { readBatches } from '../../core/imports/csv.ts';
import { TextReader } from '../../core/imports/decode-text.ts';
import type { TextEncoding } from '../../core/imports/encodings.ts';
import { ImportError } from '../../core/imports/import-error.ts';
import { fieldJson, jsonItems } from '../../core/imports/json-rows.ts';
import { TimeSlice } from '../turn.ts';
import type { FileForm } from './layout.ts';

/** The values of one row as JSON texts, in the order of the layout. Null means: no value. */
export type RowValues = readonly (string | null)[];

/** What is read at once of a file, in bytes: whoever reads it has others served in between. */
const PART_BYTES = 64 * 1024;

/** The text of a file in parts that take a few milliseconds each. */
export async function* textsOf(
  pieces: AsyncIterable<Uint8Array>,
  encoding: TextEncoding,
): AsyncGenerator<string> {
  const reader = new TextReader(encoding);
  const slice = new TimeSlice();
  for await (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += PART_BYTES) {
      yield reader.read(piece.subarray(at, at + PART_BYTES));
      await slice.rest();
    }
  }
  yield reader.end();
}

/** Rows of an uploaded file, in order. */
export async function* readRows(
  { form, titles }: { readonly form: FileForm; readonly titles: readonly string[] },
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<RowValues> {
  const source = textsOf(pieces, form.encoding);
  if (form.format === 'json') {
    // The titles are trimmed, the keys of the file are as they are.
    const keyOf = new Map(titles.map((title) => [title, title]));
    const known = new Set(titles);
    for await (const item of jsonItems(source)) {
      for (const key of Object.keys(item)) {
        if (known.has(key)) continue;
        known.add(key);
        keyOf.set(key.trim(), key);
      }
      yield titles.map((title) => fieldJson(item, keyOf.get(title) ?? title));
    }
    return;
  }
  for await (const records of readBatches(source, form)) {
    for (const { fields, number } of records) {
      if (number === 1) continue;
      if (fields.length > titles.length) {
        throw new ImportError(
          `Record ${String(number)} has ${String(fields.length)} fields, but the header has ${String(titles.length)}. Check its quotes and delimiters.`,
        );
      }
      yield fields.map((field) => (field === null ? null : JSON.stringify(field)));
    }
  }
}
