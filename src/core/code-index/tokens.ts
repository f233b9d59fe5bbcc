export const kind = {
  name: 0,
  number: 1,
  /** One whose text is known: without substitutions. */
  string: 2,
  /** A string that is computed, or that are bytes. */
  opaque: 3,
  /** A bracket, the beginning of a template with substitutions, or of an element. */
  open: 4,
  close: 5,
  sign: 6,
} as const;
type Kind = (typeof kind)[keyof typeof kind];

export interface Span {
  readonly from: number;
  readonly to: number;
}

export const tokensAtOnce = 2000;
const chunkBits = 13;
const chunkSize = 1 << chunkBits;

/** Whole numbers in chunks: one long list would be copied as it grows, which takes longer than a slice. */
class Column {
  readonly #chunks: Int32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const at = this.#length & (chunkSize - 1);
    if (at === 0) this.#chunks.push(new Int32Array(chunkSize));
    const chunk = this.#chunks[this.#length >> chunkBits];
    if (chunk !== undefined) chunk[at] = value;
    this.#length += 1;
  }

  at(place: number): number | undefined {
    return place < this.#length
      ? this.#chunks[place >> chunkBits]?.[place & (chunkSize - 1)]
      : undefined;
  }
}

/** The tokens of a text, without comments, in columns: a large file has hundreds of thousands. */
export class Tokens {
  readonly text: string;
  readonly #kinds = new Column();
  readonly #starts = new Column();
  readonly #ends = new Column();
  #partners: Int32Array | undefined;
  #parents: Int32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get length(): number {
    return this.#kinds.length;
  }

  add(what: Kind, from: number, to: number): void {
    this.#kinds.push(what);
    this.#starts.push(from);
    this.#ends.push(to);
  }

  kindAt(at: number): Kind | undefined {
    return this.#kinds.at(at) as Kind | undefined;
  }

  from(at: number): number {
    return this.#starts.at(at) ?? this.text.length;
  }

  to(at: number): number {
    return this.#ends.at(at) ?? this.text.length;
  }

  span(at: number): Span {
    return { from: this.from(at), to: this.to(at) };
  }

  textAt(at: number): string {
    return this.text.slice(this.#starts.at(at) ?? 0, this.#ends.at(at) ?? 0);
  }

  is(at: number, text: string): boolean {
    const from = this.#starts.at(at);
    return (
      from !== undefined &&
      (this.#ends.at(at) ?? 0) - from === text.length &&
      this.text.startsWith(text, from)
    );
  }

  isName(at: number): boolean {
    return this.#kinds.at(at) === kind.name;
  }

  /** The bracket that belongs to this one; the end of the text for one that is never closed. */
  partner(at: number): number {
    this.#match();
    return this.#partners?.[at] ?? this.length;
  }

  /** The open bracket around a token; -1: none. */
  parent(at: number): number {
    this.#match();
    return this.#parents?.[at] ?? -1;
  }

  /** The first of the tokens after `at` that is not inside a bracket which `at` opens. */
  after(at: number): number {
    return this.#kinds.at(at) === kind.open ? this.partner(at) + 1 : at + 1;
  }

  #match(): void {
    if (this.#partners !== undefined) return;
    const matching = this.matching();
    while (matching.next().done !== true);
  }

  /** Looks which brackets belong together, before somebody wants to know; it stops now and then. */
  *matching(): Generator<void, void, undefined> {
    const partners = new Int32Array(this.length).fill(this.length);
    const parents = new Int32Array(this.length).fill(-1);
    const open: number[] = [];
    for (let at = 0; at < this.length; at += 1) {
      if (at % tokensAtOnce === 0) yield;
      if (this.#kinds.at(at) === kind.close) {
        const partner = open.pop();
        if (partner !== undefined) {
          partners[partner] = at;
          partners[at] = partner;
        }
      }
      parents[at] = open.at(-1) ?? -1;
      if (this.#kinds.at(at) === kind.open) open.push(at);
    }
    this.#partners = partners;
    this.#parents = parents;
  }
}

/** Reads a text token by token; it stops after every few thousand of them, for whoever has other work. */
export type Lexing = Generator<void, Tokens, undefined>;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Every sign beyond ASCII counts as one of a name: what is none is no code either. */
export const beginsName = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  code === 36 ||
  (code >= 128 && code !== 0xa0 && code !== 0xfeff && code !== 0x2028 && code !== 0x2029);

export const isInName = (code: number): boolean => beginsName(code) || isDigit(code);

export function nameEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && isInName(text.charCodeAt(at))) at += 1;
  return at;
}

export const beginsNumber = (text: string, at: number): boolean =>
  isDigit(text.charCodeAt(at)) || (text[at] === '.' && isDigit(text.charCodeAt(at + 1)));

export function numberEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const isExponentSign =
      (text[at] === '+' || text[at] === '-') &&
      /[eE]/.test(text[at - 1] ?? '') &&
      !isHex(text, from);
    if (!isInName(code) && text[at] !== '.' && !isExponentSign) break;
    at += 1;
  }
  return at;
}

const isHex = (text: string, from: number): boolean => /[xX]/.test(text[from + 1] ?? '');

export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Where a string in quotes of one sign ends: behind its quote, or with its line, which it can't leave. */
export function shortStringEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === quote) return at + 1;
    if (sign === '\n') return text[at - 1] === '\r' ? at - 1 : at;
    if (sign === '\\') at += text[at + 1] === '\r' && text[at + 2] === '\n' ? 2 : 1;
  }
  return text.length;
}
