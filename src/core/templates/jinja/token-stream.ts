import { broken } from '../python-text.ts';
import type { Token } from './lexer.ts';

const end: Token = { type: 'end', text: '' };

function described(token: Token): string {
  if (token.type === 'end') return 'the end of the text';
  if (token.type === 'print_end') return '"}}"';
  if (token.type === 'block_end') return '"%}"';
  return token.text === '' ? 'text' : JSON.stringify(token.text.slice(0, 40));
}

/** Tokens with a place in them. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get current(): Token {
    return this.#tokens[this.#at] ?? end;
  }

  get following(): Token {
    return this.#tokens[this.#at + 1] ?? end;
  }

  next(): Token {
    const token = this.current;
    this.#at += 1;
    return token;
  }

  isOperator(...texts: readonly string[]): boolean {
    return this.current.type === 'operator' && texts.includes(this.current.text);
  }

  isName(...texts: readonly string[]): boolean {
    return this.current.type === 'name' && texts.includes(this.current.text);
  }

  skipOperator(text: string): boolean {
    const is = this.isOperator(text);
    if (is) this.#at += 1;
    return is;
  }

  skipName(text: string): boolean {
    const is = this.isName(text);
    if (is) this.#at += 1;
    return is;
  }

  expectOperator(text: string): void {
    if (!this.skipOperator(text)) this.unexpected(`"${text}"`);
  }

  expect(type: Token['type'], what: string): Token {
    return this.current.type === type ? this.next() : this.unexpected(what);
  }

  expectName(text: string): void {
    if (!this.skipName(text)) this.unexpected(text);
  }

  unexpected(wanted: string): never {
    return broken(`${described(this.current)} where ${wanted} should be`);
  }
}
