/** So many digits, dot included, are exact in a double, unless their exponent is large. */
export const surelyExactLength = 15;

/**
 * Where a value may stand, and there as much of a number as a double that may not hold it has at
 * least: more than 15 digits, or an exponent. One pass of the regular expression engine over the text
 * is the price of a page without such numbers.
 */
const mayBeInexact = /[:,[][ \t\n\r]*-?(?:\d[\d.]{15}|\d[\d.]{0,14}[eE])/g;
/** A text that is nothing else. */
const onlyNumber = /^[ \t\n\r]*-?\d/;

/** The grammar of RFC 8259: anything else is left for `JSON.parse` to refuse. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const isJsonNumber = (text: string): boolean => jsonNumber.test(text);

/** Digits without leading and trailing zeros, and the power of ten of the last one. */
function decimalOf(text: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  const digits = all.slice(0, end);
  if (digits === '') return { digits: '', exponent: 0 };
  return { digits, exponent: Number(power) - fraction.length + (all.length - digits.length) };
}

/** Whether reading the text as a double and writing it back gives the same value. */
export function isExactInDouble(text: string): boolean {
  const double = Number(text);
  const back = String(double);
  if (back === text) return true;
  if (!Number.isFinite(double)) return false;
  // Below 1e21 a double is written in full, so an integer that reads differently is another one.
  if (text.length > surelyExactLength && Math.abs(double) < 1e21 && !/[.eE]/.test(text)) {
    return false;
  }
  const sent = decimalOf(text);
  const kept = decimalOf(back);
  return sent.digits === kept.digits && (sent.digits === '' || sent.exponent === kept.exponent);
}

const quote = 34;
const comma = 44;
const colon = 58;
const backslash = 92;
const openBracket = 91;
const letterE = 101;
const toLowerCase = 32;

/** Digits, dot, sign, e and E: what a number is made of. */
const isInNumber = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  code === 46 ||
  code === 43 ||
  code === 45 ||
  (code | toLowerCase) === letterE;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Whether a number may stand here: false inside most strings, true outside all of them. */
function canBeValue(text: string, start: number): boolean {
  let at = start - 1;
  while (isSpace(text.charCodeAt(at))) at -= 1;
  if (at < 0) return true;
  const before = text.charCodeAt(at);
  if (before === comma || before === openBracket) return true;
  if (before !== colon) return false;
  at -= 1;
  while (isSpace(text.charCodeAt(at))) at -= 1;
  return text.charCodeAt(at) === quote;
}

export interface Span {
  readonly start: number;
  readonly end: number;
  readonly token: string;
}

/**
 * Numbers that a double cannot hold, in order. Every such number of the text is found; what is
 * found may also be the inside of a string.
 */
export function findInexact(text: string): readonly Span[] {
  const spans: Span[] = [];
  const take = (start: number, end: number): void => {
    const token = text.slice(start, end);
    if (!isExactInDouble(token) && isJsonNumber(token)) spans.push({ start, end, token });
  };
  if (onlyNumber.test(text)) {
    take(text.length - text.trimStart().length, text.trimEnd().length);
    return spans;
  }
  mayBeInexact.lastIndex = 0;
  while (mayBeInexact.test(text)) {
    let end = mayBeInexact.lastIndex;
    let start = end;
    while (isInNumber(text.charCodeAt(start - 1))) start -= 1;
    while (isInNumber(text.charCodeAt(end))) end += 1;
    mayBeInexact.lastIndex = end;
    if (canBeValue(text, start)) take(start, end);
  }
  return spans;
}

/** Every number of a text, and what looks like one in its strings. */
const anyNumber = /-?\d[\d.eE+-]*/g;

/**
 * Numbers that `JSON.stringify` would write in another way, in order: 10.0, 1e3, 1.10, -0. What is
 * found may also be the inside of a string. Reads every number, so it is not for pages of rows.
 */
export function findRewritten(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { 0: token, index } of text.matchAll(anyNumber)) {
    if (String(Number(token)) === token || !isJsonNumber(token)) continue;
    if (!canBeValue(text, index)) continue;
    spans.push({ start: index, end: index + token.length, token });
  }
  return spans;
}

/** Index after the string that starts at `start`. */
function skipString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Only those spans that are outside strings. Reads the whole text, three times slower. */
export function keepOutsideStrings(text: string, spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  let at = text.indexOf('"');
  for (const span of spans) {
    let isInString = false;
    while (at !== -1 && at < span.start && !isInString) {
      const after = skipString(text, at);
      isInString = after > span.start;
      if (!isInString) at = text.indexOf('"', after);
    }
    if (!isInString) kept.push(span);
  }
  return kept;
}
