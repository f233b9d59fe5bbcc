import { broken, refuse } from '../python-text.ts';
import { stringLiteral } from './string-literal.ts';
import { integerLiteral, floatLiteral } from './number-literal.ts';

/** `data` is text between tags; `name` includes the words of the language; operators are themselves. */
export interface Token {
  readonly type:
    | 'data'
    | 'print_begin'
    | 'print_end'
    | 'block_begin'
    | 'block_end'
    | 'name'
    | 'constant'
    | 'string'
    | 'integer'
    | 'operator'
    | 'end';
  readonly text: string;
  /** Of numbers and strings. */
  readonly value?: unknown;
}

/** `\s` of Python. */
const space =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const sticky = (pattern: string, flags = ''): RegExp => new RegExp(pattern, `y${flags}`);

const tagStart = /\{[{%#]/g;
const rawStart = sticky(`\\{%([-+]?)${space}*raw${space}*(?:-%\\}${space}*|%\\})`);
const rawEnd = new RegExp(
  `\\{%([-+]?)${space}*endraw${space}*(?:\\+%\\}|-%\\}${space}*|%\\})`,
  'g',
);
const commentEnd = new RegExp(`\\+#\\}|-#\\}${space}*|#\\}`, 'g');
const blockEnd = sticky(`\\+%\\}|-%\\}${space}*|%\\}`);
const printEnd = sticky(`-\\}\\}${space}*|\\}\\}`);
const spaces = sticky(`${space}+`);
const float = sticky(
  '(?<!\\.)(?:\\d+_)*\\d+(?:(?:\\.(?:\\d+_)*\\d+)?e[+-]?(?:\\d+_)*\\d+|\\.(?:\\d+_)*\\d+)',
  'i',
);
const integer = sticky(
  '0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\\da-f])+|[1-9](?:_?\\d)*|0(?:_?0)*',
  'i',
);
const word = sticky('[\\p{L}\\p{M}\\p{N}_]+', 'u');
const identifier = /^[\p{L}_][\p{L}\d_]*$/u;
const string = sticky(`'[^'\\\\]*(?:\\\\[^][^'\\\\]*)*'|"[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"`);
const operator = sticky('//|\\*\\*|==|!=|>=|<=|[-+/*%~\\[\\](){}><=.:|,;]');

const closing: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };
const trailingSpace = new RegExp(`${space}$`);

/** `rstrip()`: a regular expression would look at every run of blanks to its end. */
function withoutSpaceAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && trailingSpace.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

class Lexer {
  readonly #source: string;
  readonly tokens: Token[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): readonly Token[] {
    while (this.#at < this.#source.length) this.#root();
    this.tokens.push({ type: 'end', text: '' });
    return this.tokens;
  }

  #data(text: string): void {
    if (text !== '') this.tokens.push({ type: 'data', text });
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  /** Text up to the next tag, and the tag. */
  #root(): void {
    tagStart.lastIndex = this.#at;
    const tag = tagStart.exec(this.#source);
    if (tag === null) {
      this.#data(this.#source.slice(this.#at));
      this.#at = this.#source.length;
      return;
    }
    const text = this.#source.slice(this.#at, tag.index);
    this.#at = tag.index;
    const raw = this.#match(rawStart);
    const sign = raw === null ? this.#source.charAt(tag.index + 2) : (raw[1] ?? '');
    this.#data(sign === '-' ? withoutSpaceAtEnd(text) : text);
    if (raw !== null) {
      this.#raw();
      return;
    }
    this.#at = tag.index + (sign === '-' || sign === '+' ? 3 : 2);
    if (tag[0] === '{#') this.#comment();
    else this.#tag(tag[0] === '{{' ? 'print' : 'block');
  }

  #raw(): void {
    const start = this.#at;
    const end = this.#next(rawEnd) ?? broken('a raw block without an end');
    const text = this.#source.slice(start, end.index);
    this.#data(end[1] === '-' ? withoutSpaceAtEnd(text) : text);
  }

  #comment(): void {
    if (this.#next(commentEnd) === null) broken('a comment without an end');
  }

  /** The next match from here on, and behind it. */
  #next(pattern: RegExp): RegExpExecArray | null {
    return this.#match(pattern);
  }

  #tag(kind: 'print' | 'block'): void {
    this.tokens.push({ type: `${kind}_begin`, text: '' });
    const open: string[] = [];
    const end = kind === 'print' ? printEnd : blockEnd;
    for (;;) {
      if (open.length === 0 && this.#match(end) !== null) {
        this.tokens.push({ type: `${kind}_end`, text: '' });
        return;
      }
      if (this.#at >= this.#source.length) broken('a tag without an end');
      if (this.#match(spaces) === null) this.#token(open);
    }
  }

  #token(open: string[]): void {
    const found =
      this.#literal(float, 'constant', floatLiteral) ??
      this.#literal(integer, 'integer', integerLiteral) ??
      this.#literal(word, 'name', nameOf) ??
      this.#literal(string, 'string', stringLiteral);
    if (found === true) return;
    const text = this.#match(operator)?.[0];
    if (text === undefined) {
      const [character = ''] = this.#source.slice(this.#at, this.#at + 2);
      return broken(`the character ${JSON.stringify(character)} in a tag`);
    }
    const closer = closing[text];
    if (closer !== undefined) open.push(closer);
    else if ('})]'.includes(text) && open.pop() !== text) broken(`"${text}" without its beginning`);
    this.tokens.push({ type: 'operator', text });
  }

  #literal(
    pattern: RegExp,
    type: 'constant' | 'integer' | 'name' | 'string',
    read: (text: string) => unknown,
  ): true | undefined {
    const text = this.#match(pattern)?.[0];
    if (text === undefined) return undefined;
    this.tokens.push({ type, text, value: read(text) });
    return true;
  }
}

/** Python brings names into one form; which one depends on its tables of letters. */
function nameOf(text: string): string {
  if (identifier.test(text) && text.normalize('NFKC') === text) return text;
  return refuse(`the name ${text}`);
}

/** The tokens of a template, line ends as Jinja2 makes them: one kind, and none at the end. */
export function tokensOf(source: string): readonly Token[] {
  const lines = source.includes('\r') ? source.replaceAll(/\r\n?/g, '\n') : source;
  return new Lexer(lines.endsWith('\n') ? lines.slice(0, -1) : lines).run();
}
