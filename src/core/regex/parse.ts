import type { ClassItem, Flags, Letters, Node, Pattern } from './ast.ts';
import { PatternError, widthOf } from './ast.ts';

const controls: Readonly<Record<string, number>> = {
  a: 7,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
};
const hexLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const isDigit = (letter: string): boolean => /^[0-9]$/.test(letter);
const isOctal = (letter: string): boolean => /^[0-7]$/.test(letter);
const isAsciiLetter = (letter: string): boolean => /^[A-Za-z]$/.test(letter);
const none: Flags = { i: false, m: false, s: false, x: false, a: false };
const MOST_REPEATS = 100_000;
const DEEPEST = 200;

/** Patterns as `re` of Python 3.11 reads them, position by position. */
class Parser {
  readonly #letters: readonly string[];
  readonly #names = new Map<string, number>();
  readonly #open = new Set<number>();
  #at = 0;
  #groups = 0;
  #depth = 0;

  constructor(source: string) {
    this.#letters = Array.from(source);
  }

  parse(): Pattern {
    const flags = this.#globalFlags();
    const node = this.#choice(flags);
    if (this.#at < this.#letters.length) this.#fail('unbalanced parenthesis');
    return { node, groupCount: this.#groups };
  }

  #fail(what: string, at = this.#at): never {
    throw new PatternError(`${what} at position ${String(at)}`);
  }

  #peek(count = 1): string {
    return this.#letters.slice(this.#at, this.#at + count).join('');
  }

  #skip(text: string): boolean {
    const is = this.#peek(text.length) === text;
    if (is) this.#at += text.length;
    return is;
  }

  /** `(?im)`, which may stand at the beginning only. */
  #globalFlags(): Flags {
    let flags = none;
    for (;;) {
      const match = /^\(\?([aiLmsux]+)\)/.exec(this.#peek(20));
      if (match === null) return flags;
      flags = this.#withFlags(flags, match[1] ?? '', true);
      this.#at += match[0].length;
    }
  }

  #withFlags(flags: Flags, letters: string, is: boolean): Flags {
    const changed: Record<string, boolean> = { ...flags };
    for (const letter of letters) {
      if (letter === 'L') this.#fail("bad inline flags: cannot use 'L' flag with a str pattern");
      if (letter === 'u') changed['a'] = false;
      else changed[letter] = is;
    }
    const { i, m, s, x, a } = { ...flags, ...changed };
    if (i && a) this.#fail('the flags a and i together are not known here');
    return { i, m, s, x, a };
  }

  #choice(flags: Flags): Node {
    this.#depth += 1;
    if (this.#depth > DEEPEST) this.#fail('groups nested too deep');
    const branches = [this.#sequence(flags)];
    while (this.#skip('|')) branches.push(this.#sequence(flags));
    this.#depth -= 1;
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { type: 'choice', branches };
  }

  #skipComments(flags: Flags): void {
    while (flags.x && this.#at < this.#letters.length) {
      if (/^[ \t\n\r\f\v]$/.test(this.#peek())) this.#at += 1;
      else if (this.#peek() === '#') {
        while (this.#at < this.#letters.length && this.#peek() !== '\n') this.#at += 1;
      } else return;
    }
  }

  #sequence(flags: Flags): Node {
    const items: Node[] = [];
    for (;;) {
      this.#skipComments(flags);
      const letter = this.#peek();
      if (letter === '' || letter === '|' || letter === ')') break;
      const repeat = this.#repeat();
      if (repeat === undefined) {
        const item = this.#item(flags);
        if (item !== undefined) items.push(item);
        continue;
      }
      const body = items.pop();
      const { at, least, most } = repeat;
      if (
        body === undefined ||
        ['start', 'end', 'text start', 'text end', 'boundary'].includes(body.type)
      ) {
        return this.#fail('nothing to repeat', at);
      }
      if (body.type === 'repeat') return this.#fail('multiple repeat', at);
      if (this.#peek() === '+') this.#fail('possessive repeats are not known here');
      items.push({ type: 'repeat', body, least, most, isLazy: this.#skip('?') });
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { type: 'sequence', items };
  }

  /** `{` is a letter where no numbers follow. */
  #repeat(): { at: number; least: number; most: number } | undefined {
    const at = this.#at;
    if (this.#skip('*')) return { at, least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#skip('+')) return { at, least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#skip('?')) return { at, least: 0, most: 1 };
    const match = /^\{(\d*)(?:(,)(\d*))?\}/.exec(this.#peek(30));
    if (match === null) return undefined;
    const [whole, first = '', comma, last = ''] = match;
    if (first === '' && comma === undefined) return undefined;
    const least = Number(first);
    const most =
      comma === undefined ? least : last === '' ? Number.POSITIVE_INFINITY : Number(last);
    if (least > MOST_REPEATS || (most > MOST_REPEATS && last !== '')) {
      this.#fail('the repetition number is too large');
    }
    if (most < least) this.#fail('min repeat greater than max repeat', at + 1);
    this.#at += whole.length;
    return { at, least, most };
  }

  #item(flags: Flags): Node | undefined {
    const letter = this.#peek();
    switch (letter) {
      case '.':
        this.#at += 1;
        return { type: 'any', flags };
      case '^':
        this.#at += 1;
        return { type: 'start', flags };
      case '$':
        this.#at += 1;
        return { type: 'end', flags };
      case '[':
        return this.#class(flags);
      case '(':
        return this.#group(flags);
      case '\\':
        return this.#escape(flags);
      default:
        this.#at += 1;
        return { type: 'letter', code: letter.codePointAt(0) ?? 0, flags };
    }
  }

  #close(start: number): void {
    if (!this.#skip(')')) this.#fail('missing ), unterminated subpattern', start);
  }

  #group(flags: Flags): Node | undefined {
    const start = this.#at;
    this.#at += 1;
    if (!this.#skip('?')) return this.#captured(flags, start);
    if (this.#skip('P')) return this.#named(flags, start);
    if (this.#skip(':')) return this.#wrapped(flags, start);
    if (this.#skip('#')) {
      while (this.#peek() !== ')') {
        if (this.#peek() === '') this.#fail('missing ), unterminated comment', start);
        this.#at += 1;
      }
      this.#at += 1;
      return undefined;
    }
    for (const [mark, isBehind, isNegated] of [
      ['=', false, false],
      ['!', false, true],
      ['<=', true, false],
      ['<!', true, true],
    ] as const) {
      if (this.#skip(mark)) return this.#look(flags, start, isBehind, isNegated);
    }
    if (this.#peek() === '(') this.#fail('conditions such as (?(1)...) are not known here', start);
    if (this.#peek() === '>') this.#fail('atomic groups are not known here', start);
    return this.#scoped(flags, start);
  }

  /** A group of its own, so that what is repeated behind it is all of it. */
  #wrapped(flags: Flags, start: number): Node {
    const body = this.#choice(flags);
    this.#close(start);
    return { type: 'choice', branches: [body] };
  }

  #captured(flags: Flags, start: number): Node {
    this.#groups += 1;
    const index = this.#groups;
    this.#open.add(index);
    const body = this.#choice(flags);
    this.#close(start);
    this.#open.delete(index);
    return { type: 'group', index, body };
  }

  #named(flags: Flags, start: number): Node {
    const isGroup = this.#skip('<');
    if (!isGroup && !this.#skip('=')) {
      return this.#fail(`unknown extension ?P${this.#peek()}`, start + 1);
    }
    const at = this.#at;
    let name = '';
    while (this.#peek() !== (isGroup ? '>' : ')')) {
      if (this.#peek() === '') this.#fail('missing >, unterminated name', at);
      name += this.#peek();
      this.#at += 1;
    }
    this.#at += 1;
    if (!/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(name)) {
      this.#fail(`bad character in group name '${name}'`, at);
    }
    if (!isGroup)
      return this.#reference(this.#names.get(name), flags, at, `unknown group name '${name}'`);
    if (this.#names.has(name)) this.#fail(`redefinition of group name '${name}'`, at);
    this.#names.set(name, this.#groups + 1);
    return this.#captured(flags, start);
  }

  #reference(index: number | undefined, flags: Flags, at: number, unknown: string): Node {
    if (index === undefined || index > this.#groups) return this.#fail(unknown, at);
    if (this.#open.has(index)) return this.#fail('cannot refer to an open group', at);
    return { type: 'reference', index, flags };
  }

  #look(flags: Flags, start: number, isBehind: boolean, isNegated: boolean): Node {
    const body = this.#choice(flags);
    this.#close(start);
    if (isBehind) {
      const { least, most } = widthOf(body);
      if (least !== most) throw new PatternError('look-behind requires fixed-width pattern');
    }
    return { type: 'look', isBehind, isNegated, body };
  }

  /** `(?i:...)`, `(?-s:...)`. */
  #scoped(flags: Flags, start: number): Node {
    const match = /^([aiLmsux]*)(?:-([imsx]+))?([:)])/.exec(this.#peek(20));
    if (match === null) {
      const next = this.#peek(2);
      const name = next.startsWith('<') ? next : next.slice(0, 1);
      const hint = next.startsWith('<') ? '; named groups are written (?P<name>...)' : '';
      return this.#fail(`unknown extension ?${name}${hint}`, start + 1);
    }
    const [whole, on = '', off = '', mark] = match;
    if (mark === ')') {
      return this.#fail(
        off === '' ? 'global flags not at the start of the expression' : 'missing :',
        start,
      );
    }
    this.#at += whole.length;
    return this.#wrapped(this.#withFlags(this.#withFlags(flags, on, true), off, false), start);
  }

  #hex(letter: string, start: number): number {
    const length = hexLengths[letter] ?? 0;
    const digits = this.#peek(length);
    if (digits.length < length || !/^[\da-f]+$/i.test(digits)) {
      return this.#fail(
        `incomplete escape \\${letter}${/^[\da-f]*/i.exec(digits)?.[0] ?? ''}`,
        start,
      );
    }
    this.#at += length;
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff) return this.#fail(`bad escape \\${letter}${digits}`, start);
    if (code >= 0xd800 && code <= 0xdfff) return this.#fail('half of a character', start);
    return code;
  }

  /** What an escape means in a class and outside of it; undefined where only one of them knows it. */
  #simpleEscape(letter: string, start: number): number | ClassItem | undefined {
    if (letter === '') return this.#fail('bad escape (end of pattern)', start);
    if (controls[letter] !== undefined) return controls[letter];
    if (hexLengths[letter] !== undefined) return this.#hex(letter, start);
    if ('dDsSwW'.includes(letter)) {
      const letters = letter.toLowerCase() as Letters;
      return { type: 'letters', letters, isNegated: letter !== letters };
    }
    if (letter === 'N') return this.#fail('\\N{...} is not known here', start);
    return isAsciiLetter(letter) || isDigit(letter) ? undefined : letter.codePointAt(0);
  }

  #octal(first: string, start: number): number {
    let digits = first;
    while (digits.length < 3 && isOctal(this.#peek())) {
      digits += this.#peek();
      this.#at += 1;
    }
    const code = Number.parseInt(digits, 8);
    if (code > 0o377) {
      return this.#fail(`octal escape value \\${digits} outside of range 0-0o377`, start);
    }
    return code;
  }

  #escape(flags: Flags): Node {
    const start = this.#at;
    const letter = this.#letters[start + 1] ?? '';
    this.#at += 1 + Number(letter !== '');
    const simple = this.#simpleEscape(letter, start);
    if (typeof simple === 'number') return { type: 'letter', code: simple, flags };
    if (simple !== undefined) return { type: 'class', items: [simple], isNegated: false, flags };
    if (letter === 'A') return { type: 'text start' };
    if (letter === 'Z') return { type: 'text end' };
    if (letter === 'b' || letter === 'B') {
      return { type: 'boundary', isNegated: letter === 'B', flags };
    }
    if (letter === '0') return { type: 'letter', code: this.#octal('0', start), flags };
    if (!isDigit(letter)) return this.#fail(`bad escape \\${letter}`, start);
    return this.#numbered(letter, flags, start);
  }

  /** `\1`, `\12`; with three octal digits a letter. */
  #numbered(first: string, flags: Flags, start: number): Node {
    let digits = first;
    if (isDigit(this.#peek())) {
      if (isOctal(first) && /^[0-7]{2}/.test(this.#peek(2))) {
        return { type: 'letter', code: this.#octal(first, start), flags };
      }
      digits += this.#peek();
      this.#at += 1;
    }
    const unknown = `invalid group reference ${digits}`;
    return this.#reference(Number(digits), flags, start + 1, unknown);
  }

  #classLetter(start: number): number | ClassItem {
    const letter = this.#peek();
    if (letter === '') return this.#fail('unterminated character set', start);
    const at = this.#at;
    this.#at += 1;
    if (letter !== '\\') return letter.codePointAt(0) ?? 0;
    const escaped = this.#peek();
    this.#at += Number(escaped !== '');
    if (escaped === 'b') return 8;
    if (isOctal(escaped)) return this.#octal(escaped, at);
    return this.#simpleEscape(escaped, at) ?? this.#fail(`bad escape \\${escaped}`, at);
  }

  #class(flags: Flags): Node {
    const start = this.#at;
    this.#at += 1;
    const isNegated = this.#skip('^');
    const items: ClassItem[] = [];
    let isFirst = true;
    while (isFirst || this.#peek() !== ']') {
      isFirst = false;
      const at = this.#at;
      const low = this.#classLetter(start);
      if (this.#peek() !== '-' || this.#letters[this.#at + 1] === ']') {
        items.push(typeof low === 'number' ? { type: 'range', low, high: low } : low);
        continue;
      }
      this.#at += 1;
      const high = this.#classLetter(start);
      if (typeof low !== 'number' || typeof high !== 'number' || high < low) {
        return this.#fail(`bad character range ${this.#letters.slice(at, this.#at).join('')}`, at);
      }
      items.push({ type: 'range', low, high });
    }
    this.#at += 1;
    return { type: 'class', items, isNegated, flags };
  }
}

/** A pattern of Python's. Throws PatternError. */
export const parsePattern = (source: string): Pattern => new Parser(source).parse();
