import { readCsv } from './csv.ts';
import { TextReader } from './decode-text.ts';
import { ImportError } from './import-error.ts';
import { fieldJson, readJsonRows } from './json-rows.ts';
import type { FileForm } from './layout.ts';

/** The values of one row as JSON texts, in the order of the layout. Null means: no value. */
export type RowValues = readonly (string | null)[];

async function* texts(
  pieces: AsyncIterable<Uint8Array>,
  reader: TextReader,
): AsyncGenerator<string> {
  for await (const piece of pieces) yield reader.read(piece);
  yield reader.end();
}

/** Rows of an uploaded file, in order. */
export async function* readRows(
  { form, titles }: { readonly form: FileForm; readonly titles: readonly string[] },
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<RowValues> {
  const source = texts(pieces, new TextReader(form.encoding));
  if (form.format === 'json') {
    const parts: string[] = [];
    for await (const part of source) parts.push(part);
    const rows = readJsonRows(parts.join(''));
    // The titles are trimmed, the keys of the file are as they are.
    const keyOf = new Map(rows.titles.map((key) => [key.trim(), key]));
    const keys = titles.map((title) => keyOf.get(title) ?? title);
    for (const item of rows.items) yield keys.map((key) => fieldJson(item, key));
    return;
  }
  let number = 0;
  for await (const fields of readCsv(source, form.delimiter)) {
    number += 1;
    if (number === 1) continue;
    if (fields.length > titles.length) {
      throw new ImportError(
        `Record ${String(number)} has ${String(fields.length)} fields, but the header has ${String(titles.length)}. Check its quotes and delimiters.`,
      );
    }
    yield fields.map((field) => (field === null ? null : JSON.stringify(field)));
  }
}
