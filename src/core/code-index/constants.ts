/** Names that a file gives to texts, as far as it is certain what they stand for. */
import type { CodeLanguage } from './languages.ts';
import type { Import } from './imports.ts';
import { importAt } from './imports.ts';
import type { StringLiteral } from './literals.ts';
import { stringLiteral } from './literals.ts';
import type { Span, Tokens } from './tokens.ts';
import { kind } from './tokens.ts';

export interface Constant {
  readonly literal: StringLiteral;
  /** Of the string. */
  readonly span: Span;
  /** Other files can take it in. */
  readonly isExported: boolean;
}

const binding = new Set(['const', 'let', 'var', 'function', 'class', 'enum', 'import', 'as']);
const pythonBinding = new Set([
  'for',
  'as',
  'import',
  'def',
  'class',
  'global',
  'nonlocal',
  'del',
  'lambda',
]);

/** Constants are looked for when the first is asked for: most calls need none. */
export class Constants {
  readonly #tokens: Tokens;
  readonly #language: CodeLanguage;
  readonly #known = new Map<string, Constant | undefined>();
  readonly #imports = new Map<string, Import | undefined>();
  #places: Map<string, number[]> | undefined;

  constructor(tokens: Tokens, language: CodeLanguage) {
    this.#tokens = tokens;
    this.#language = language;
  }

  /** Undefined: not given here, given more than once, or perhaps something else where it is used. */
  get(name: string): Constant | undefined {
    if (!this.#known.has(name)) this.#known.set(name, this.#find(name));
    return this.#known.get(name);
  }

  /** Undefined: it comes from no file beside this one, or perhaps it is something else where it is used. */
  imported(name: string): Import | undefined {
    if (!this.#imports.has(name)) this.#imports.set(name, this.#findImport(name));
    return this.#imports.get(name);
  }

  #findImport(name: string): Import | undefined {
    let found: Import | undefined;
    for (const at of this.#all().get(name) ?? []) {
      const here = importAt(this.#tokens, at, this.#language);
      if (here !== undefined) {
        if (found !== undefined) return undefined;
        found = here;
      } else if (this.#language === 'python' ? this.#isBoundInPython(at) : this.#isBound(at)) {
        return undefined;
      }
    }
    return found;
  }

  #find(name: string): Constant | undefined {
    const places = this.#all().get(name) ?? [];
    const isPython = this.#language === 'python';
    let found: Constant | undefined;
    for (const at of places) {
      const value = isPython ? this.#pythonValue(at) : this.#scriptValue(at);
      if (value !== undefined) {
        if (found !== undefined) return undefined;
        found = value;
      } else if (isPython ? this.#isBoundInPython(at) : this.#isBound(at)) return undefined;
    }
    return found;
  }

  #all(): ReadonlyMap<string, readonly number[]> {
    if (this.#places !== undefined) return this.#places;
    const places = new Map<string, number[]>();
    const tokens = this.#tokens;
    for (let at = 0; at < tokens.length; at += 1) {
      if (!tokens.isName(at) || tokens.is(at - 1, '.') || tokens.is(at - 1, '?.')) continue;
      const name = tokens.textAt(at);
      const list = places.get(name);
      if (list === undefined) places.set(name, [at]);
      else list.push(at);
    }
    this.#places = places;
    return places;
  }

  #constant(at: number, isExported: boolean): Constant | undefined {
    const literal = stringLiteral(this.#tokens, at, this.#language);
    return literal === undefined || literal.isOpen
      ? undefined
      : { literal, span: this.#tokens.span(at), isExported };
  }

  /** Whether a line, or the file, ends behind a token. */
  #endsLine(at: number): boolean {
    const { text } = this.#tokens;
    return (
      at + 1 >= this.#tokens.length ||
      text.slice(this.#tokens.to(at), this.#tokens.from(at + 1)).includes('\n')
    );
  }

  /** `const NAME = 'text';` outside of every function. */
  #scriptValue(at: number): Constant | undefined {
    const tokens = this.#tokens;
    if (!tokens.is(at - 1, 'const') || tokens.parent(at) >= 0) return undefined;
    let equals = at + 1;
    // A type that is one word.
    if (tokens.is(equals, ':') && tokens.is(equals + 1, 'string')) equals += 2;
    if (!tokens.is(equals, '=')) return undefined;
    let last = equals + 1;
    const found = this.#constant(last, tokens.is(at - 2, 'export'));
    if (tokens.is(last + 1, 'as') && tokens.is(last + 2, 'const')) last += 2;
    const next = last + 1;
    if (tokens.is(next, ';') || next >= tokens.length) return found;
    const goesOn = !tokens.isName(next) || tokens.is(next, 'as') || tokens.is(next, 'in');
    return goesOn || !this.#endsLine(last) ? undefined : found;
  }

  #isBound(at: number): boolean {
    const tokens = this.#tokens;
    if (binding.has(tokens.textAt(at - 1)) || tokens.is(at + 1, '=>')) return true;
    if (/^[^=!<>]?=$/.test(tokens.textAt(at + 1))) return true;
    // In what may be the parameters of a function, or a pattern that is assigned to.
    for (let open = tokens.parent(at); open >= 0; open = tokens.parent(open)) {
      const next = tokens.partner(open) + 1;
      const isPattern = tokens.is(next, '=') || tokens.is(next, '=>') || tokens.is(next, 'of');
      if (isPattern) return true;
      const isList = tokens.is(open, '(') && (tokens.is(next, '{') || tokens.is(next, ':'));
      if (isList) return true;
      // What a call is given binds nothing.
      if (tokens.is(open, '(')) return false;
    }
    return false;
  }

  /** `NAME = "text"` at the beginning of a line, outside of everything. */
  #pythonValue(at: number): Constant | undefined {
    const tokens = this.#tokens;
    const from = tokens.from(at);
    const isFirst = from === 0 || tokens.text[from - 1] === '\n';
    if (!isFirst || tokens.parent(at) >= 0) return undefined;
    let equals = at + 1;
    if (tokens.is(equals, ':') && tokens.isName(equals + 1)) {
      equals += 2;
      if (tokens.is(equals, '[')) equals = tokens.after(equals);
    }
    if (!tokens.is(equals, '=')) return undefined;
    return this.#endsLine(equals + 1) ? this.#constant(equals + 1, true) : undefined;
  }

  #isBoundInPython(at: number): boolean {
    const tokens = this.#tokens;
    const next = tokens.textAt(at + 1);
    if (tokens.kindAt(at + 1) === kind.sign && /^(?:[-+*/%&|^@:]|\*\*|<<|>>|\/\/)?=$/.test(next)) {
      // The name of an argument of a call is none of ours.
      return !(next === '=' && this.#isArgument(at));
    }
    if (next === ':' && tokens.parent(at) < 0) return true;
    if (this.#isInBindingStatement(at)) return true;
    const open = tokens.parent(at);
    return open >= 0 && (tokens.is(open - 2, 'def') || tokens.is(tokens.partner(open) + 1, '='));
  }

  #isArgument(at: number): boolean {
    const tokens = this.#tokens;
    const open = tokens.parent(at);
    const isFirst = tokens.is(at - 1, '(') || tokens.is(at - 1, ',');
    return (
      isFirst && tokens.is(open, '(') && tokens.isName(open - 1) && !tokens.is(open - 2, 'def')
    );
  }

  /** Whether a word like `for` stands before it in its own line. */
  #isInBindingStatement(at: number): boolean {
    const tokens = this.#tokens;
    const furthest = Math.max(0, at - 40);
    for (let here = at - 1; here >= furthest; here -= 1) {
      if (tokens.is(here, ':') || tokens.is(here, '=') || tokens.is(here, 'in')) return false;
      if (tokens.isName(here) && pythonBinding.has(tokens.textAt(here))) return true;
      if (this.#endsLine(here) && tokens.parent(here) < 0) return false;
    }
    return false;
  }
}
