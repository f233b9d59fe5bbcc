import { parse, type Parser } from 'csv-parse';
import {
  backslashQuotes,
  optionsFor,
  withDoubledQuotes,
  type Dialect,
  type Field,
} from './csv-options.ts';
import { ImportError, type FileFault, type FilePlace } from './import-error.ts';

export interface CsvRecord {
  readonly fields: readonly Field[];
  /** Of the records, the header among them; from 1. */
  readonly number: number;
  /** Line and byte (of the text in UTF-8) where it begins; from 1. */
  readonly line: number;
  readonly byte: number;
  /** It seems to escape quotes with a backslash; all of that is kept. */
  readonly hasBackslashes: boolean;
}

const lineEnds = /\r\n|\n|\r/g;

/** Counts lines as people see them: the parser takes CR and LF inside quotes for two. */
class Places {
  readonly #skipped: number;
  #number = 0;
  #byte: number;
  #line: number;
  /** Lines that were counted twice, less the one that is skipped. */
  #extra: number;

  constructor(skipped: number) {
    this.#skipped = skipped;
    this.#byte = skipped + 1;
    this.#extra = skipped > 0 ? -1 : 0;
    this.#line = skipped > 0 ? 2 : 1;
  }

  next(
    fields: readonly Field[],
    { lines, bytes }: Readonly<Record<'lines' | 'bytes', number>>,
    hasBackslashes: boolean,
  ): CsvRecord {
    let within = 0;
    for (const field of fields) {
      if (field === null || !/[\r\n]/.test(field)) continue;
      const ends = field.match(lineEnds) ?? [];
      within += ends.length;
      this.#extra += ends.filter((end) => end.length === 2).length;
    }
    this.#number += 1;
    const record = {
      ...{ fields, number: this.#number, byte: this.#byte, hasBackslashes },
      line: lines - this.#extra - within,
    };
    this.#byte = this.#skipped + bytes + 1;
    this.#line = lines - this.#extra + 1;
    return record;
  }

  /** Of the record that holds a line, or begins with it, when the last ones that could be read are these. */
  recordAt(line: number, last: readonly CsvRecord[]): number {
    const record = last.at(-1);
    if (record === undefined) return this.#number + 1;
    const text = record.fields.join('');
    const end = record.line + (text.match(lineEnds)?.length ?? 0);
    return end < line ? record.number + 1 : record.number;
  }

  /** Of the record under way. */
  get failing(): FilePlace {
    return { record: this.#number + 1, line: this.#line, byte: this.#byte };
  }
}

/** Records of separated values whose text comes in pieces, the header among them; a batch for a piece. */
export async function* readBatches(
  pieces: AsyncIterable<string> | Iterable<string>,
  dialect: Dialect,
): AsyncGenerator<readonly CsvRecord[]> {
  const { skip = 0 } = dialect;
  const places = new Places(skip);
  let found: CsvRecord[] = [];
  let hasBackslashes = false;
  const parser = parse({
    ...optionsFor(dialect, () => (hasBackslashes = true)),
    on_record: (fields: Field[], context) => {
      found.push(places.next(fields, context, hasBackslashes));
      hasBackslashes = false;
      return null;
    },
  });
  // Every call passes it on.
  parser.on('error', () => undefined).resume();
  const take = (): CsvRecord[] => {
    const taken = found;
    found = [];
    return taken;
  };
  /** Bytes that are no text: what stands before them is read to its end, and tells which record it is. */
  const placed = async (error: unknown) => {
    if (!(error instanceof ImportError) || error.fault.kind !== 'bytes')
      return { error, whole: [] };
    await tell(parser, undefined);
    const { message, fault } = error;
    const rest = take();
    const record = places.recordAt(fault.line ?? 1, rest);
    return {
      error: new ImportError(message, { cause: error, fault: { ...fault, record } }),
      whole: rest.filter(({ number }) => number < record),
    };
  };
  const written = without(pieces, skip);
  const texts = dialect.quote === backslashQuotes ? doubled(written) : written;
  try {
    for (;;) {
      let next: IteratorResult<string, void>;
      try {
        next = await texts.next();
      } catch (thrown) {
        const { error, whole } = await placed(thrown);
        if (whole.length > 0) yield whole;
        throw error;
      }
      if (next.done === true) break;
      const error = await tell(parser, next.value);
      if (found.length > 0) yield take();
      if (error !== undefined) throw wrong(error, places);
    }
    const error = await tell(parser, undefined);
    if (found.length > 0) yield take();
    if (error !== undefined) throw wrong(error, places);
  } finally {
    parser.destroy();
    await texts.return();
  }
}

/** A text without its first characters. */
async function* without(
  pieces: AsyncIterable<string> | Iterable<string>,
  count: number,
): AsyncGenerator<string, void, undefined> {
  let left = count;
  for await (const piece of pieces) {
    const rest = piece.slice(left);
    left -= piece.length - rest.length;
    if (rest !== '') yield rest;
  }
}

async function* doubled(
  pieces: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  let before = '';
  for await (const piece of pieces) {
    const { text, rest } = withDoubledQuotes(before + piece);
    before = rest;
    if (text !== '') yield text;
  }
  if (before !== '') yield before;
}

/** What the parser says to a piece; undefined: nothing more comes. */
const tell = (parser: Parser, piece: string | undefined): Promise<Error | undefined> =>
  new Promise((resolve) => {
    const done = (error?: Error | null): void => resolve(error ?? undefined);
    if (piece === undefined) parser.end(done);
    else parser.write(piece, done);
  });

function wrong(error: Error, places: Places): Error {
  if (!('code' in error) || !String(error.code).startsWith('CSV_')) return error;
  const place = places.failing;
  const fault: FileFault =
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? { kind: 'open-quote', ...place }
      : error.code === 'CSV_MAX_RECORD_SIZE'
        ? { kind: 'long-record', ...place }
        : { kind: 'csv', reason: error.message, ...place };
  return new ImportError(`The file is not valid CSV: ${error.message}.`, { cause: error, fault });
}

/** One record after the other. */
export async function* readCsv(
  pieces: AsyncIterable<string> | Iterable<string>,
  dialect: Dialect,
): AsyncGenerator<CsvRecord> {
  for await (const records of readBatches(pieces, dialect)) yield* records;
}

const HEADER_CHARACTERS = 64 * 1024;

function* partsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = at + HEADER_CHARACTERS;
    // Not between the halves of a character.
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end += 1;
    yield text.slice(at, end);
    at = end;
  }
}

/** The first record of a text that holds at least that; what follows it may be cut anywhere. */
export async function readHeader(text: string, dialect: Dialect): Promise<readonly Field[]> {
  for await (const { fields } of readCsv(partsOf(text), dialect)) return fields;
  throw new ImportError('The file is empty. Its first line must hold the column titles.', {
    fault: { kind: 'empty' },
  });
}
