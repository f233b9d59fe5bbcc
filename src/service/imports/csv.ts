import { Readable } from 'node:stream';
import type { Options } from 'csv-parse';
import { parse } from 'csv-parse';
import { ImportError } from './import-error.ts';

/** A field is null when nothing stands between its delimiters, and '' when two quotes do. */
export type Field = string | null;

const delimiters = [',', ';', '\t', '|'] as const;
const LONGEST_RECORD = 20 * 1024 * 1024;

const optionsFor = (delimiter: string): Options => ({
  delimiter,
  bom: false,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: LONGEST_RECORD,
  cast: (value, { quoting }): Field => (value === '' && !quoting ? null : value),
});

/** The delimiter that the first line uses most, quoted parts left out. */
export function guessDelimiter(text: string): string {
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
