import { parse, type Parser } from 'csv-parse';
import {
  backslashQuotes,
  optionsFor,
  withDoubledQuotes,
  type Dialect,
  type Field,
} from './csv-options.ts';
import { ImportError, type FileFault, type FilePlace } from './import-error.ts';
import { WholeRecords, type Place, type WholeRecord } from './whole-records.ts';

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
  #number: number;
  #byte: number;
  #line: number;
  /** Lines that were counted twice. */
  #extra = 0;

  /** Of what the parser reads: something may stand before it. */
  constructor({ records, lines, bytes }: Place) {
    this.#skipped = bytes;
    this.#number = records;
    this.#byte = bytes + 1;
    this.#line = lines + 1;
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

type Pieces = AsyncIterable<string> | Iterable<string>;

const placeOf = ({ skip = 0 }: Dialect): Place => ({
  records: 0,
  lines: skip > 0 ? 1 : 0,
  bytes: skip,
});

/** The parser, from where it begins to read. */
class Parsing {
  readonly #parser: Parser;
  readonly #places: Places;
  #found: CsvRecord[] = [];

  constructor(dialect: Dialect, place: Place) {
    const places = new Places(place);
    let hasBackslashes = false;
    this.#places = places;
    this.#parser = parse({
      ...optionsFor(dialect, () => (hasBackslashes = true)),
      on_record: (fields: Field[], context) => {
        this.#found.push(places.next(fields, context, hasBackslashes));
        hasBackslashes = false;
        return null;
      },
    });
    // Messages of the parser tell the line of the file.
    Object.assign(this.#parser.info, { lines: place.lines + 1 });
    // Every call passes it on.
    this.#parser.on('error', () => undefined).resume();
  }

  /** What the parser makes of a piece; undefined: nothing more comes. */
  async read(
    piece: string | undefined,
  ): Promise<{ readonly records: readonly CsvRecord[]; readonly error?: Error }> {
    const error = await tell(this.#parser, piece);
    const records = this.#found;
    this.#found = [];
    return { records, ...(error !== undefined && { error: wrong(error, this.#places) }) };
  }

  /**
   * Bytes that are no text: what stands before them is read to its end, and tells which record it is.
   */
  async placed(
    error: unknown,
    left: string,
  ): Promise<{ readonly error: unknown; readonly whole: readonly CsvRecord[] }> {
    if (!(error instanceof ImportError) || error.fault.kind !== 'bytes')
      return { error, whole: [] };
    const before = left === '' ? [] : (await this.read(left)).records;
    const rest = [...before, ...(await this.read(undefined)).records];
    const { message, fault } = error;
    const record = this.#places.recordAt(fault.line ?? 1, rest);
    return {
      error: new ImportError(message, { cause: error, fault: { ...fault, record } }),
      whole: rest.filter(({ number }) => number < record),
    };
  }

  close(): void {
    this.#parser.destroy();
  }
}

/** Records of separated values whose text comes in pieces, the header among them; a batch for a piece. */
export async function* readBatches(
  pieces: Pieces,
  dialect: Dialect,
): AsyncGenerator<readonly CsvRecord[]> {
  const isEscaped = dialect.quote === backslashQuotes;
  const written = without(pieces, dialect.skip ?? 0);
  const texts = isEscaped ? doubled(written) : written;
  const scanner = new WholeRecords(dialect, placeOf(dialect));
  let left = '';
  try {
    // Of what was rewritten the parser alone makes what was meant.
    for (; !isEscaped;) {
      let next: IteratorResult<string, void>;
      try {
        next = await texts.next();
      } catch (thrown) {
        yield* placedRecords(new Parsing(dialect, scanner.place), thrown, left);
        return;
      }
      if (next.done === true) break;
      const text = left + next.value;
      const found: CsvRecord[] = [];
      const { end, isOdd } = scanner.read(text, (record) => found.push(recordOf(record)));
      left = text.slice(end);
      if (found.length > 0) yield found;
      if (isOdd) break;
    }
    yield* parsedBatches(left, texts, dialect, scanner.place);
  } finally {
    await texts.return();
  }
}

const recordOf = ({ fields, hasBackslashes, place }: WholeRecord): CsvRecord => ({
  fields,
  number: place.records + 1,
  line: place.lines + 1,
  byte: place.bytes + 1,
  hasBackslashes,
});

async function* placedRecords(
  parsing: Parsing,
  thrown: unknown,
  left: string,
): AsyncGenerator<readonly CsvRecord[], void> {
  const { error, whole } = await parsing.placed(thrown, left);
  parsing.close();
  if (whole.length > 0) yield whole;
  throw error;
}

/** The same by the parser alone: of a text that begins at a place, and of what comes after it. */
export async function* parsedBatches(
  first: string,
  texts: AsyncIterator<string, void>,
  dialect: Dialect,
  place: Place,
): AsyncGenerator<readonly CsvRecord[], void> {
  const parsing = new Parsing(dialect, place);
  try {
    for (let piece: string | undefined = first; ;) {
      if (piece !== '') {
        const { records, error } = await parsing.read(piece);
        if (records.length > 0) yield records;
        if (error !== undefined) throw error;
        if (piece === undefined) return;
      }
      let next: IteratorResult<string, void>;
      try {
        next = await texts.next();
      } catch (thrown) {
        yield* placedRecords(parsing, thrown, '');
        return;
      }
      piece = next.done === true ? undefined : next.value;
    }
  } finally {
    parsing.close();
  }
}

/** A text without its first characters. */
async function* without(pieces: Pieces, count: number): AsyncGenerator<string, void, undefined> {
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
export async function* readCsv(pieces: Pieces, dialect: Dialect): AsyncGenerator<CsvRecord> {
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
