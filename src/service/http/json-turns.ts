import { parseJson } from '../../core/http/json.ts';
import { TimeSlice } from '../turn.ts';
import { parseTextInTurns } from './long-text.ts';

/** So many characters are parsed at once; of a text of no more than a few of them, all is. */
const PIECE = 256 * 1024;
const FEW = 4;
/** After so many signs the clock is looked at. */
const GLANCE = 16 * 1024;

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Parses JSON text at once. */
type Read = (text: string) => unknown;
type Holder = unknown[] | Record<string, unknown>;

/** A list or object that the scan is in. */
interface Frame {
  readonly isList: boolean;
  /** Its first sign. */
  readonly start: number;
  /** Of its items those before are in `value`. */
  done: number;
  /** Where the item begins that the scan is in. */
  item: number;
  /** Made once it is clear that it is long. */
  value: Holder | undefined;
}

class Irregular extends Error {}

const isBlankSign = (sign: number): boolean =>
  sign === 0x20 || sign === 0x0a || sign === 0x0d || sign === 0x09;

/** Without the blanks of JSON at both ends. */
function bare(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlankSign(text.charCodeAt(start))) start += 1;
  while (end > start && isBlankSign(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** As `JSON.parse` does it: a name of its own, whatever it is called. */
function assign(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else {
    const own = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(target, name, own);
  }
}

/** Parses a long text piece by piece. Throws `Irregular` where it can't tell the pieces apart. */
class PieceParser {
  readonly #text: string;
  readonly #piece: number;
  readonly #read: Read;
  readonly #frames: Frame[] = [];
  readonly #slice = new TimeSlice();
  #glance = GLANCE;

  constructor(text: string, read: Read, piece: number) {
    this.#text = text;
    this.#read = read;
    this.#piece = piece;
  }

  async parse(): Promise<unknown> {
    const text = this.#text;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charCodeAt(at);
      if (sign === quote) {
        const end = this.#endOfText(at);
        if (end - at >= this.#piece) await this.#takeText(at, end);
        at = end;
      } else if (sign === openList || sign === openObject) this.#open(at, sign === openList);
      else if (sign === comma) this.#endItem(at);
      else if (sign === closeList || sign === closeObject) {
        const whole = this.#close(at, sign === closeList);
        if (whole !== undefined) {
          if (bare(text.slice(at + 1)) !== '') throw new Irregular();
          return whole;
        }
      }
      if (at >= this.#glance) {
        this.#glance = at + GLANCE;
        await this.#slice.rest();
      }
    }
    throw new Irregular();
  }

  /** A long text; of a name nothing is taken. */
  async #takeText(start: number, end: number): Promise<void> {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    const isValue = frame.isList || bare(this.#text.slice(frame.item, start)).endsWith(':');
    if (!isValue) return;
    const json = this.#text.slice(start, end + 1);
    const value = await parseTextInTurns(json, this.#slice, this.#piece);
    this.#makeAll();
    this.#put(frame, { start, value });
    frame.done = end + 1;
  }

  #open(at: number, isList: boolean): void {
    const isFirst = this.#frames.length === 0;
    if (isFirst && bare(this.#text.slice(0, at)) !== '') throw new Irregular();
    const inner = at + 1;
    this.#frames.push({ isList, start: at, done: inner, item: inner, value: undefined });
  }

  #endItem(at: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Irregular();
    if (at - frame.done >= this.#piece) {
      this.#take(frame, at);
      frame.done = at + 1;
    }
    frame.item = at + 1;
  }

  /** Answers the whole value at its end. */
  #close(at: number, isList: boolean): Holder | undefined {
    const frame = this.#frames.pop();
    if (frame?.isList !== isList) throw new Irregular();
    const parent = this.#frames.at(-1);
    if (frame.value === undefined) {
      // Short: a piece of what it is in.
      if (parent !== undefined) return undefined;
      throw new Irregular();
    }
    // After a comma something follows.
    const rest = this.#text.slice(frame.done, at);
    if (bare(rest) !== '' || this.#text.charCodeAt(frame.done - 1) === comma) this.#take(frame, at);
    if (parent === undefined) return frame.value;
    this.#put(parent, frame);
    parent.done = at + 1;
    return undefined;
  }

  /** The items up to a place. */
  #take(frame: Frame, end: number): void {
    // What a long item has left in front of the comma after it.
    const text = this.#text.slice(frame.done, end);
    const isAfterLong = frame.value !== undefined && this.#isAfterLong(frame);
    if (isAfterLong) {
      const after = bare(text);
      if (after === '') return;
      if (after.charCodeAt(0) !== comma) throw new Irregular();
      this.#add(frame, after.slice(1));
    } else this.#add(frame, text);
  }

  #isAfterLong(frame: Frame): boolean {
    const before = this.#text.charCodeAt(frame.done - 1);
    const isLong = before === closeList || before === closeObject || before === quote;
    return isLong && frame.done > frame.start + 1;
  }

  #add(frame: Frame, text: string): void {
    if (bare(text) === '') throw new Irregular();
    this.#makeAll();
    if (frame.isList) {
      const items = this.#read(`[${text}]`) as unknown[];
      frame.value ??= [];
      for (const item of items) (frame.value as unknown[]).push(item);
    } else {
      const fields = this.#read(`{${text}}`) as Record<string, unknown>;
      frame.value ??= {};
      for (const [name, value] of Object.entries(fields)) {
        assign(frame.value as Record<string, unknown>, name, value);
      }
    }
  }

  /** All that the scan is in are long as well. */
  #makeAll(): void {
    for (const frame of this.#frames) frame.value ??= frame.isList ? [] : {};
  }

  /** A long item of a list or object. */
  #put(parent: Frame, { start, value }: Pick<Frame, 'start'> & { readonly value: unknown }): void {
    const before = this.#text.slice(parent.done, parent.item);
    const head = bare(this.#text.slice(parent.item, start));
    if (bare(before) !== '') this.#takeBefore(parent);
    if (parent.isList) {
      if (head !== '') throw new Irregular();
      (parent.value as unknown[]).push(value);
      return;
    }
    if (head.charCodeAt(head.length - 1) !== colon) throw new Irregular();
    const name: unknown = JSON.parse(head.slice(0, -1));
    if (typeof name !== 'string') throw new Irregular();
    assign(parent.value as Record<string, unknown>, name, value);
  }

  #takeBefore(parent: Frame): void {
    const end = parent.item - 1;
    if (end > parent.done) this.#take(parent, end);
    // Nothing but a comma: right only behind a long item.
    else if (!this.#isAfterLong(parent)) throw new Irregular();
  }

  /** Of a text in quotes that begins here. */
  #endOfText(start: number): number {
    const text = this.#text;
    for (let from = start + 1; ;) {
      const end = text.indexOf('"', from);
      if (end < 0) throw new Irregular();
      let escapes = 0;
      while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
      if (escapes % 2 === 0) return end;
      from = end + 1;
    }
  }
}

/**
 * The same as `read`, in turns with others: what is long is parsed piece by piece, cut between the
 * commas of its lists and objects, and within texts. Throws SyntaxErrors as `JSON.parse` does.
 */
export async function parseJsonInTurns(
  text: string,
  read: Read = parseJson,
  piece = PIECE,
): Promise<unknown> {
  if (text.length < FEW * piece) return read(text);
  try {
    return await new PieceParser(text, read, piece).parse();
  } catch (error) {
    // No JSON, or nothing but a text: whoever reads all of it says what it is.
    if (error instanceof Irregular || error instanceof SyntaxError) return read(text);
    throw error;
  }
}
