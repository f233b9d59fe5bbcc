import { readHeader } from '../../core/imports/csv.ts';
import { TextReader } from '../../core/imports/decode-text.ts';
import { delimiterHint, guessDelimiter } from '../../core/imports/delimiter.ts';
import { findEncoding, type TextEncoding } from '../../core/imports/encodings.ts';
import { foreignFault } from '../../core/imports/foreign.ts';
import { holdsJson } from '../../core/imports/formats.ts';
import { ImportError } from '../../core/imports/import-error.ts';
import { titlesOfItems } from '../../core/imports/json-rows.ts';
import type { Content } from '../http/sent-file.ts';
import { textsOf } from './records.ts';
import { checkTitles } from './titles.ts';

/** How a file is read. With the column keys it is kept beside the file, so that a restart goes on. */
export type FileForm =
  | {
      readonly format: 'csv';
      readonly encoding: TextEncoding;
      readonly delimiter: string;
      /** Characters of a first line that only tells the delimiter. */
      readonly skip?: number | undefined;
    }
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
  content: Content,
): Promise<{ form: FileForm; titles: string[] }> {
  const head = await headOf(content);
  const foreign = foreignFault(head);
  if (foreign !== undefined) throw foreign;
  const isWhole = head.byteLength < HEADER_BYTES;
  const { encoding } = findEncoding(head, isWhole);
  if (/\.json$/i.test(fileName)) {
    const titles = await titlesOfItems(textsOf(content.pieces(), encoding));
    return { form: { format: 'json', encoding }, titles: checkTitles(titles) };
  }
  if (holdsJson(head)) throw jsonNamedCsv();
  const reader = new TextReader(encoding);
  const text = reader.read(head);
  // Not even its first records can be relied on.
  if (reader.failure !== undefined) throw reader.failure;
  const delimiter = guessDelimiter(text, isWhole);
  const skip = delimiterHint(text)?.length;
  return {
    form: { format: 'csv', encoding, delimiter, ...(skip !== undefined && { skip }) },
    titles: checkTitles([...(await readHeader(text, { delimiter, skip }))]),
  };
}

/** Split at its commas it would become a table of scraps. */
const jsonNamedCsv = (): ImportError =>
  new ImportError(
    'The file holds JSON, and not CSV. Give it a name that ends in .json; it must be an array of objects, one for each row.',
    { fault: { kind: 'foreign', what: 'other' } },
  );

async function headOf(content: Content): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content.pieces()) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size >= HEADER_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, HEADER_BYTES);
}
