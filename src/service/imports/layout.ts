import type { TextEncoding } from './decode-text.ts';
import { TextReader, encodingOf } from './decode-text.ts';
import { guessDelimiter, readHeader } from './csv.ts';
import { readJsonRows } from './json-rows.ts';
import { checkTitles } from './titles.ts';

/** How a file is read. With the column keys it is kept beside the file, so that a restart goes on. */
export type FileForm =
  | { readonly format: 'csv'; readonly encoding: TextEncoding; readonly delimiter: string }
  | { readonly format: 'json'; readonly encoding: TextEncoding };

/** Requests in place of a file: which fields of theirs become columns. */
export interface RequestsForm {
  readonly format: 'request_logs';
  readonly fields: readonly string[];
}

export interface Layout {
  readonly form: FileForm | RequestsForm;
  /** Titles in the order of the file's fields. */
  readonly titles: readonly string[];
  /** Keys of the columns that take the fields. */
  readonly columnKeys: readonly number[];
}

/** The header must end within this many bytes. */
const HEADER_BYTES = 2 * 1024 * 1024;

/** Reads enough of the file to know its columns. Throws ImportError when they are not acceptable. */
export async function readForm(
  fileName: string,
  bytes: Uint8Array,
): Promise<{ form: FileForm; titles: string[] }> {
  const encoding = encodingOf(bytes);
  const reader = new TextReader(encoding);
  if (/\.json$/i.test(fileName)) {
    const { titles } = readJsonRows(reader.read(bytes) + reader.end());
    return { form: { format: 'json', encoding }, titles: checkTitles(titles) };
  }
  const head = reader.read(bytes.subarray(0, HEADER_BYTES));
  const delimiter = guessDelimiter(head, bytes.byteLength <= HEADER_BYTES);
  return {
    form: { format: 'csv', encoding, delimiter },
    titles: checkTitles(await readHeader(head, delimiter)),
  };
}
