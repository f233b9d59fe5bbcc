import { Readable } from 'node:stream';
import type { Options } from 'csv-parse';
import { parse } from 'csv-parse';
import { CsvError, parse as parseSync } from 'csv-parse/sync';
import { ImportError } from './import-error.ts';

/** A field is null when nothing stands between its delimiters, and '' when two quotes do. */
export type Field = string | null;

const delimiters = [',', ';', '\t', '|'] as const;
const LONGEST_RECORD = 20 * 1024 * 1024;

const optionsFor = (delimiter: string): Options => ({
  delimiter,
  // Each record ends as it ends: files are put together of parts with other line ends.
  record_delimiter: ['\r\n', '\n', '\r'],
  bom: false,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: LONGEST_RECORD,
  cast: (value, { quoting }): Field => (value === '' && !quoting ? null : value),
});

/** As much of a file is looked at for the guess; enough to tell a separator from punctuation. */
const GUESS_CHARACTERS = 256 * 1024;
const GUESS_RECORDS = 1_000;

/**
 * The delimiter that splits the records alike: each at most as wide as the header, and as many as
 * possible exactly as wide. The most fields win. `isWhole`: the text is all of the file, so its last
 * record is not cut. Throws ImportError where two split it equally well, because a wrong guess would
 * not be seen.
 */
export function guessDelimiter(text: string, isWhole = true): string {
  const head = text.slice(0, GUESS_CHARACTERS);
  const isCut = !isWhole || head.length < text.length;
  const fits = delimiters
    .map((delimiter) => ({ delimiter, ...fitOf(head, delimiter, isCut) }))
    .filter(({ fields }) => fields > 1)
    .sort((a, b) => b.share - a.share || b.fields - a.fields);
  const [best, next] = fits;
  // No agreement at all: the usual delimiter, whose reader then names the record that is too wide.
  if (best === undefined) return mostUsed(head);
  if (next !== undefined && next.share === best.share && next.fields === best.fields) {
    const [one, other] = [best, next].map(({ delimiter }) => nameOf(delimiter));
    throw new ImportError(
      `The fields of the file could be separated by ${String(one)} or by ${String(other)}: both give ${String(best.fields)} columns. Put quotes around the fields that hold the other one.`,
    );
  }
  return best.delimiter;
}

const nameOf = (delimiter: string): string =>
  ({ ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' })[delimiter] ??
  delimiter;

/** Fields of the header (0: not a table) and the share of the records that have as many. */
function fitOf(
  head: string,
  delimiter: string,
  isCut: boolean,
): { readonly fields: number; readonly share: number } {
  const nothing = { fields: 0, share: 0 };
  const records: Field[][] = [];
  const keep = (record: unknown): null => {
    records.push(record as Field[]);
    return null;
  };
  try {
    const text = isCut ? head.slice(0, lastLineEnd(head)) : head;
    parseSync(text, { ...optionsFor(delimiter), to: GUESS_RECORDS, on_record: keep });
  } catch (error) {
    const isOpen = error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED';
    // The cut may lie inside quotes; otherwise it is not CSV with this delimiter.
    if (!isCut || !isOpen) return nothing;
  }
  const [header, ...rows] = records;
  if (header === undefined || rows.some((row) => row.length > header.length)) return nothing;
  const same = rows.filter((row) => row.length === header.length).length;
  return { fields: header.length, share: rows.length === 0 ? 1 : same / rows.length };
}

const lastLineEnd = (text: string): number => {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return end === -1 ? text.length : end;
};

function mostUsed(text: string): string {
  const line = firstLine(text).replace(/"(?:[^"]|"")*"?/g, '');
  let best: string = ',';
  let most = 0;
  for (const delimiter of delimiters) {
    const count = line.split(delimiter).length - 1;
    if (count > most) [best, most] = [delimiter, count];
  }
  return best;
}

function firstLine(sent: string): string {
  const text = sent.replace(/^[\r\n]+/, '');
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) return text.slice(0, at);
  }
  return text;
}

/** Records of a CSV text that comes in pieces, the header among them. */
export async function* readCsv(
  pieces: AsyncIterable<string> | Iterable<string>,
  delimiter: string,
  more: Pick<Options, 'to'> = {},
): AsyncGenerator<Field[]> {
  const parser = parse({ ...optionsFor(delimiter), ...more });
  const source = Readable.from(pieces, { objectMode: true });
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const record of parser) yield record as Field[];
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')) {
      throw new ImportError(`The file is not valid CSV: ${error.message}.`, { cause: error });
    }
    throw error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** The first record of a text that holds at least that; what follows it may be cut anywhere. */
export async function readHeader(text: string, delimiter: string): Promise<Field[]> {
  for await (const record of readCsv([text], delimiter, { to: 1 })) return record;
  throw new ImportError('The file is empty. Its first line must hold the column titles.');
}
