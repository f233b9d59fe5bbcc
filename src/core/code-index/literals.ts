/** What stands literally in code: texts, numbers, lists and objects of them. */
import type { CodeLanguage } from './languages.ts';
import type { Span, Tokens } from './tokens.ts';
import { kind } from './tokens.ts';

/** A text that stands in one string. */
export interface StringLiteral {
  readonly value: string;
  /** Between the quotes. */
  readonly inner: Span;
  readonly quote: string;
  readonly isRaw: boolean;
  /** Its end is missing. */
  readonly isOpen: boolean;
}

const plainEscapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0', "'": "'", '"': '"' },
  ...{ '\\': '\\', '\n': '' },
};
const escape = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|(\r\n|[^]))/gi;
const pythonEscape =
  /\\(?:U([0-9a-f]{8})|u([0-9a-f]{4})|x([0-9a-f]{2})|(N\{[^}]*\}|[0-7]{2,3}|\r\n|[^]))/gi;

const ofCode = (hex: string): string | undefined => {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
};

/** What a string with backslashes means; undefined: not known here. */
function unescaped(text: string, isPython: boolean): string | undefined {
  const unknown: string[] = [];
  const value = text.replace(
    isPython ? pythonEscape : escape,
    (whole, ...parts: readonly unknown[]) => {
      const [first, second, third, other] = parts as readonly (string | undefined)[];
      const hex = first ?? second ?? third;
      const made =
        hex !== undefined
          ? ofCode(hex)
          : other === '\r\n'
            ? ''
            : (plainEscapes[other ?? ''] ??
              (isPython
                ? other?.length === 1 && !/[abNuUx]/.test(other)
                  ? whole
                  : undefined
                : other));
      if (made === undefined) unknown.push(whole);
      return made ?? '';
    },
  );
  return unknown.length === 0 ? value : undefined;
}

export function stringLiteral(
  tokens: Tokens,
  at: number,
  language: CodeLanguage,
): StringLiteral | undefined {
  if (tokens.kindAt(at) !== kind.string) return undefined;
  const { from, to } = tokens.span(at);
  const text = tokens.textAt(at);
  const letters = /^[a-z]*/i.exec(text)?.[0] ?? '';
  const sign = text[letters.length] ?? '';
  const isPython = language === 'python';
  const isLong = isPython && text.startsWith(sign.repeat(3), letters.length);
  const quote = isLong ? sign.repeat(3) : sign;
  const begin = from + letters.length + quote.length;
  const body = tokens.text.slice(begin, to);
  const isClosed =
    body.endsWith(quote) && !/(?:^|[^\\])(?:\\\\)*\\$/.test(body.slice(0, -quote.length));
  const inner = { from: begin, to: isClosed ? to - quote.length : to };
  const isRaw = /r/i.test(letters);
  const written = tokens.text.slice(inner.from, inner.to);
  const value = isRaw || !written.includes('\\') ? written : unescaped(written, isPython);
  if (value === undefined) return undefined;
  return { value, inner, quote, isRaw, isOpen: !isClosed };
}

/** How a text is written between the quotes of a string. */
export function writtenBetween(quote: string, value: string): string {
  const sign = quote[0] ?? '"';
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll(sign, `\\${sign}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return sign === '`' ? escaped.replaceAll('${', '\\${') : escaped;
}

const words: Readonly<Record<string, boolean | null>> = {
  ...{ true: true, false: false, null: null, True: true, False: false, None: null },
};
const mostValues = 10_000;
const deepest = 30;

/** The tokens of one expression: from the first up to, not with, the last. */
export interface Expression {
  readonly first: number;
  readonly end: number;
}

interface Reader {
  readonly tokens: Tokens;
  readonly language: CodeLanguage;
  left: number;
}

/** The parts of a list, an object or a call between commas. `at` is its open bracket. */
export function* partsOf(tokens: Tokens, at: number): Generator<Expression, void, undefined> {
  const end = Math.min(tokens.partner(at), tokens.length);
  let first = at + 1;
  for (
    let here = first;
    here <= end;
    here = here < end ? Math.min(tokens.after(here), end) : end + 1
  ) {
    if (here < end && !tokens.is(here, ',')) continue;
    if (here > first || here < end) yield { first, end: here };
    first = here + 1;
  }
}

function objectOf(
  reader: Reader,
  at: number,
  depth: number,
): Readonly<Record<string, unknown>> | undefined {
  const { tokens, language } = reader;
  const entries: [string, unknown][] = [];
  for (const { first, end } of partsOf(tokens, at)) {
    if (first === end) continue;
    const key =
      tokens.isName(first) && language !== 'python'
        ? tokens.textAt(first)
        : stringLiteral(tokens, first, language)?.value;
    if (key === undefined || !tokens.is(first + 1, ':')) return undefined;
    const found = valueOf(reader, { first: first + 2, end }, depth + 1);
    if (found === undefined) return undefined;
    entries.push([key, found.value]);
  }
  return Object.fromEntries(entries);
}

function listOf(reader: Reader, at: number, depth: number): readonly unknown[] | undefined {
  const values: unknown[] = [];
  for (const part of partsOf(reader.tokens, at)) {
    const found = valueOf(reader, part, depth + 1);
    if (found === undefined) return undefined;
    values.push(found.value);
  }
  return values;
}

const wrapped = (value: unknown): { readonly value: unknown } | undefined =>
  value === undefined ? undefined : { value };

function valueOf(
  reader: Reader,
  { first, end }: Expression,
  depth: number,
): { readonly value: unknown } | undefined {
  const { tokens, language } = reader;
  reader.left -= 1;
  if (reader.left < 0 || depth > deepest) return undefined;
  if (tokens.after(first) === end && tokens.kindAt(first) === kind.open) {
    if (tokens.is(first, '{')) return wrapped(objectOf(reader, first, depth));
    return tokens.is(first, '[') ? wrapped(listOf(reader, first, depth)) : undefined;
  }
  if (end - first === 2 && tokens.is(first, '-') && tokens.kindAt(first + 1) === kind.number) {
    const number = numberAt(tokens, first + 1);
    return wrapped(number === undefined ? undefined : -number);
  }
  if (end - first !== 1) return undefined;
  if (tokens.isName(first)) {
    const word = tokens.textAt(first);
    const isOurs = /^[a-z]/.test(word) !== (language === 'python');
    return isOurs && Object.hasOwn(words, word) ? { value: words[word] } : undefined;
  }
  if (tokens.kindAt(first) === kind.number) return wrapped(numberAt(tokens, first));
  return wrapped(stringLiteral(tokens, first, language)?.value);
}

export function numberAt(tokens: Tokens, at: number): number | undefined {
  if (tokens.kindAt(at) !== kind.number) return undefined;
  const written = tokens.textAt(at).replaceAll('_', '');
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(written)) return undefined;
  // 010 is another number in one language, and none in the other.
  return /^0\d/.test(written) ? undefined : Number(written);
}

/** The value of an expression that needs nothing to be known; undefined: it is computed. */
export const literalValue = (
  tokens: Tokens,
  expression: Expression,
  language: CodeLanguage,
): { readonly value: unknown } | undefined =>
  valueOf({ tokens, language, left: mostValues }, expression, 0);
