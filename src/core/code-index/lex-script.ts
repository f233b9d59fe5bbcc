/** Tokens of JavaScript and TypeScript, also of code that is half typed. */
import type { Lexing } from './tokens.ts';
import {
  beginsName,
  beginsNumber,
  kind,
  lineEnd,
  nameEnd,
  numberEnd,
  shortStringEnd,
  Tokens,
  tokensAtOnce,
} from './tokens.ts';

/** After these a value begins, so that a slash begins a pattern. */
const beforeValue = new Set([
  ...['return', 'typeof', 'case', 'do', 'else', 'in', 'of', 'void', 'delete', 'throw', 'new'],
  ...['await', 'yield', 'instanceof', 'default'],
]);

const longSigns = ['...', '=>', '?.', '===', '!==', '**='];
/** Signs that an equals sign makes an operator of. */
const withEquals = '=!<>+-*/%&|^?';

/** What a closing brace ends. */
type Inside =
  /** Braces of code. */
  | 'braces'
  /** A substitution of a template. */
  | 'template'
  /** An expression in an element. */
  | 'expression'
  /** The opening tag of an element. */
  | 'tag'
  /** What stands between its tags. */
  | 'children';

class ScriptLexer {
  readonly #text: string;
  readonly #hasElements: boolean;
  readonly #inside: Inside[] = [];
  readonly tokens: Tokens;
  #at = 0;
  /** A line in which a pattern without an end was found: there are only divisions up to here. */
  #dividesUntil = 0;

  constructor(text: string, hasElements: boolean) {
    this.#text = text;
    this.#hasElements = hasElements;
    this.tokens = new Tokens(text);
    if (text.startsWith('#!')) this.#at = lineEnd(text, 0);
  }

  /** One step further; false at the end. */
  step(): boolean {
    if (this.#at >= this.#text.length) return false;
    const inside = this.#inside.at(-1);
    if (inside === 'tag') return this.#inTag();
    return inside === 'children' ? this.#inChildren() : this.#inCode();
  }

  #add(what: (typeof kind)[keyof typeof kind], to: number): true {
    this.tokens.add(what, this.#at, to);
    this.#at = to;
    return true;
  }

  /** Goes over a comment; false when none is here. */
  #comment(): boolean {
    const text = this.#text;
    if (text[this.#at] !== '/') return false;
    if (text[this.#at + 1] === '/') {
      this.#at = lineEnd(text, this.#at);
      return true;
    }
    if (text[this.#at + 1] !== '*') return false;
    const end = text.indexOf('*/', this.#at + 2);
    this.#at = end < 0 ? text.length : end + 2;
    return true;
  }

  #inCode(): true {
    const text = this.#text;
    const code = text.charCodeAt(this.#at);
    const sign = text[this.#at] ?? '';
    if (beginsName(code)) return this.#add(kind.name, nameEnd(text, this.#at));
    if (code <= 32) return this.#goOver(1);
    if (beginsNumber(text, this.#at)) return this.#add(kind.number, numberEnd(text, this.#at));
    if (sign === '"' || sign === "'") {
      return this.#add(kind.string, shortStringEnd(text, this.#at + 1, sign));
    }
    switch (sign) {
      case '`':
        return this.#template(this.#at + 1, kind.open);
      case '{':
        this.#inside.push('braces');
        return this.#add(kind.open, this.#at + 1);
      case '(':
      case '[':
        return this.#add(kind.open, this.#at + 1);
      case ')':
      case ']':
        return this.#add(kind.close, this.#at + 1);
      case '}':
        return this.#brace();
      case '/':
        if (this.#comment()) return true;
        if (this.#at >= this.#dividesUntil && this.#beginsValue()) return this.#pattern();
        break;
      case '<':
        if (this.#beginsElement()) {
          this.#inside.push('tag');
          return this.#add(kind.open, this.#at + 1);
        }
        break;
      default:
        break;
    }
    return this.#operator(sign);
  }

  #operator(sign: string): true {
    const text = this.#text;
    const long = longSigns.find((each) => text.startsWith(each, this.#at));
    if (long !== undefined) return this.#add(kind.sign, this.#at + long.length);
    const isAssigning = withEquals.includes(sign) && text[this.#at + 1] === '=';
    return this.#add(kind.sign, this.#at + (isAssigning ? 2 : 1));
  }

  #brace(): true {
    const inside = this.#inside.pop();
    if (inside === 'template') return this.#template(this.#at + 1, kind.sign);
    return this.#add(kind.close, this.#at + 1);
  }

  /** A piece of a template, from behind its backtick or the brace of a substitution. */
  #template(from: number, first: typeof kind.open | typeof kind.sign): true {
    const text = this.#text;
    let at = from;
    while (at < text.length && text[at] !== '`' && !text.startsWith('${', at)) {
      at += text[at] === '\\' ? 2 : 1;
    }
    if (text[at] === '$') {
      this.#inside.push('template');
      return this.#add(first, at + 2);
    }
    const end = Math.min(at + 1, text.length);
    return this.#add(first === kind.open ? kind.string : kind.close, end);
  }

  /** Whether a value may begin here, after what stands before. */
  #beginsValue(): boolean {
    const last = this.tokens.length - 1;
    switch (this.tokens.kindAt(last)) {
      case undefined:
      case kind.open:
      case kind.sign:
        return true;
      case kind.name:
        return beforeValue.has(this.tokens.textAt(last));
      case kind.close:
        return (
          this.tokens.is(last, '}') &&
          this.#text.slice(this.tokens.to(last), this.#at).includes('\n')
        );
      case kind.number:
      case kind.string:
      case kind.opaque:
        return false;
    }
  }

  #beginsElement(): boolean {
    if (!this.#hasElements || !this.#beginsValue()) return false;
    const text = this.#text;
    const next = this.#at + 1;
    if (text[next] === '>') return true;
    if (!beginsName(text.charCodeAt(next))) return false;
    // A function of a type parameter: <T,>(…) or <T extends …>(…).
    const rest = text.slice(nameEnd(text, next), nameEnd(text, next) + 20);
    return !/^\s*(?:,|extends\b|=(?!["'{]))/.test(rest);
  }

  /** A regular expression; only a division when its line ends before it does. */
  #pattern(): true {
    const text = this.#text;
    let isInClass = false;
    let at = this.#at + 1;
    for (; at < text.length && text[at] !== '\n'; at += 1) {
      const sign = text[at];
      if (sign === '\\') at += 1;
      else if (sign === '[') isInClass = true;
      else if (sign === ']') isInClass = false;
      else if (sign === '/' && !isInClass) return this.#add(kind.opaque, nameEnd(text, at));
    }
    this.#dividesUntil = at;
    return this.#add(kind.sign, this.#at + 1);
  }

  #goOver(signs: number): true {
    this.#at += signs;
    return true;
  }

  #inTag(): true {
    const text = this.#text;
    const sign = text[this.#at] ?? '';
    if (this.#comment()) return true;
    if (text.startsWith('/>', this.#at)) return this.#endElement(this.#at + 2);
    if (sign === '>') {
      this.#inside[this.#inside.length - 1] = 'children';
      return this.#goOver(1);
    }
    if (sign === '{') {
      this.#inside.push('expression');
      return this.#add(kind.open, this.#at + 1);
    }
    if (sign !== '"' && sign !== "'") return this.#goOver(1);
    const end = text.indexOf(sign, this.#at + 1);
    return this.#goOver((end < 0 ? text.length : end + 1) - this.#at);
  }

  #inChildren(): true {
    const text = this.#text;
    while (this.#at < text.length && text[this.#at] !== '<' && text[this.#at] !== '{')
      this.#at += 1;
    if (this.#at >= text.length) return true;
    if (text.startsWith('</', this.#at)) {
      const end = text.indexOf('>', this.#at);
      return this.#endElement(end < 0 ? text.length : end + 1);
    }
    this.#inside.push(text[this.#at] === '{' ? 'expression' : 'tag');
    return this.#add(kind.open, this.#at + 1);
  }

  #endElement(to: number): true {
    this.#inside.pop();
    return this.#add(kind.close, to);
  }
}

export function* lexScript(text: string, hasElements: boolean): Lexing {
  const lexer = new ScriptLexer(text, hasElements);
  let steps = 0;
  while (lexer.step()) {
    steps += 1;
    if (steps % tokensAtOnce === 0) yield;
  }
  return lexer.tokens;
}
