import type { Dialect, Field } from './csv-options.ts';

/** Where a record or what follows it begins; all from 0. */
export interface Place {
  readonly records: number;
  readonly lines: number;
  /** Of the text in UTF-8. */
  readonly bytes: number;
}

export interface WholeRecord {
  readonly fields: readonly Field[];
  readonly hasBackslashes: boolean;
  /** Of the record; its bytes begin where the record before it has ended. */
  readonly place: Place;
}

/** A longer one is left to the parser, so that the beginning of it is not read again and again. */
const LONGEST = 1024 * 1024;

/** Finds a sign again and again, going forward: one that is not there is looked for once. */
class Finder {
  readonly #text: string;
  readonly #sign: string;
  #found = -1;

  constructor(text: string, sign: string) {
    this.#text = text;
    this.#sign = sign;
    if (sign === '') this.#found = Infinity;
  }

  /** The first place that is not before `from`; Infinity when there is none. */
  next(from: number): number {
    if (this.#found >= from) return this.#found;
    const found = this.#text.indexOf(this.#sign, from);
    this.#found = found < 0 ? Infinity : found;
    return this.#found;
  }
}

interface Finders {
  readonly quote: Finder;
  readonly delimiter: Finder;
  readonly lf: Finder;
  readonly cr: Finder;
}

interface Found {
  readonly fields: Field[];
  readonly hasBackslashes: boolean;
  /** Of its last field. */
  readonly end: number;
  /** Lines that it has beside the first one. */
  readonly moreLines: number;
}

/** `more`: the record may go on in what is still to come. `odd`: its quotes are not as they should be. */
type Stop = 'more' | 'odd';

const lineEnds = /\r\n|\n|\r/g;

/**
 * Takes records off the front of a text for as long as they are whole and written as all programs
 * read them, several times as fast as the parser, which reads sign by sign. What is left is for the
 * parser: it knows what to make of the rest.
 */
export class WholeRecords {
  readonly #delimiter: string;
  readonly #quote: string;
  #place: Place;

  constructor({ delimiter, quote = '"' }: Dialect, place: Place) {
    this.#delimiter = delimiter;
    this.#quote = quote;
    this.#place = place;
  }

  /** Where what is left begins. */
  get place(): Place {
    return this.#place;
  }

  /** Answers how many characters were read, and whether what follows is for the parser. */
  read(text: string, take: (record: WholeRecord) => void): { end: number; isOdd: boolean } {
    const finders: Finders = {
      quote: new Finder(text, this.#quote),
      delimiter: new Finder(text, this.#delimiter),
      lf: new Finder(text, '\n'),
      cr: new Finder(text, '\r'),
    };
    /** The end of the record before, and of the empty lines after it. */
    let [last, at] = [0, afterEmptyLines(text, 0)];
    for (;;) {
      const found = this.#record(text, at, finders);
      if (found === 'more' || found === 'odd') {
        const isOdd = found === 'odd' || text.length - last > LONGEST;
        return { end: last, isOdd };
      }
      const after = afterLine(text, found.end);
      if (after === undefined) return { end: last, isOdd: false };
      const { records, lines, bytes } = this.#place;
      const emptyLines = this.#emptyLines(text, last, at);
      take({
        fields: found.fields,
        hasBackslashes: found.hasBackslashes,
        place: { records, lines: lines + emptyLines, bytes },
      });
      this.#place = {
        records: records + 1,
        lines: lines + emptyLines + found.moreLines + 1,
        bytes: bytes + Buffer.byteLength(text.slice(last, after)),
      };
      last = after;
      at = afterEmptyLines(text, after);
    }
  }

  #emptyLines(text: string, from: number, to: number): number {
    return from === to ? 0 : (text.slice(from, to).match(lineEnds)?.length ?? 0);
  }

  #record(text: string, at: number, finders: Finders): Found | Stop {
    const end = Math.min(finders.lf.next(at), finders.cr.next(at));
    if (end === Infinity) return 'more';
    if (finders.quote.next(at) > end) {
      const fields: Field[] = text.slice(at, end).split(this.#delimiter);
      for (let index = 0; index < fields.length; index += 1) {
        if (fields[index] === '') fields[index] = null;
      }
      return { fields, hasBackslashes: false, end, moreLines: 0 };
    }
    return this.#quotedRecord(text, at, finders);
  }

  #quotedRecord(text: string, start: number, finders: Finders): Found | Stop {
    const fields: Field[] = [];
    let hasBackslashes = false;
    let moreLines = 0;
    for (let at = start; ;) {
      let end: number;
      if (text.startsWith(this.#quote, at)) {
        const close = this.#closingQuote(text, at + this.#quote.length, finders);
        if (close === undefined) return 'more';
        const value = this.#unquoted(text.slice(at + this.#quote.length, close));
        hasBackslashes ||= value.startsWith(this.#quote) && value.includes(`\\${this.#quote}`);
        moreLines += value.match(lineEnds)?.length ?? 0;
        fields.push(value);
        end = close + this.#quote.length;
      } else {
        end = Math.min(finders.delimiter.next(at), finders.lf.next(at), finders.cr.next(at));
        if (end === Infinity) return 'more';
        fields.push(end === at ? null : text.slice(at, end));
      }
      if (end >= text.length) return 'more';
      if (text.startsWith(this.#delimiter, end)) at = end + this.#delimiter.length;
      else if (isLineEnd(text, end)) return { fields, hasBackslashes, end, moreLines };
      else return 'odd';
    }
  }

  /** A quote that is not doubled; undefined when the text may end in the middle of two. */
  #closingQuote(text: string, start: number, { quote }: Finders): number | undefined {
    for (let at = start; ;) {
      const found = quote.next(at);
      if (found + this.#quote.length >= text.length) return undefined;
      if (!text.startsWith(this.#quote, found + this.#quote.length)) return found;
      at = found + 2 * this.#quote.length;
    }
  }

  #unquoted(text: string): string {
    return text.includes(this.#quote)
      ? text.replaceAll(this.#quote + this.#quote, this.#quote)
      : text;
  }
}

const isLineEnd = (text: string, at: number): boolean => text[at] === '\n' || text[at] === '\r';

/** Undefined when a line feed may follow in what is still to come. */
function afterLine(text: string, end: number): number | undefined {
  if (text[end] === '\n') return end + 1;
  if (end + 1 >= text.length) return undefined;
  return text[end + 1] === '\n' ? end + 2 : end + 1;
}

function afterEmptyLines(text: string, start: number): number {
  let at = start;
  while (at < text.length && isLineEnd(text, at)) at += 1;
  return at;
}
