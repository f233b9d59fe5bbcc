/** A run of at most this many digits and dots is exact in a double, unless its exponent is large. */
const surelyExactLength = 15;

/**
 * The last four characters of any number that may not fit, and what follows a number outside a
 * string. One pass of the regular expression engine over the text: the price of a page without
 * such numbers.
 */
const longEnding = /[-+eE\d.][-+eE\d.][-+eE\d.]\d(?:[ \t\n\r,\]}]|$)/g;

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
function canBeValue(codeAt: (index: number) => number | undefined, start: number): boolean {
  let at = start - 1;
  while (isSpace(codeAt(at) ?? 0)) at -= 1;
  if (at < 0) return true;
  const before = codeAt(at);
  if (before === comma || before === openBracket) return true;
  if (before !== colon) return false;
  at -= 1;
  while (isSpace(codeAt(at) ?? 0)) at -= 1;
  return codeAt(at) === quote;
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
  longEnding.lastIndex = 0;
  while (longEnding.test(text)) {
    let end = longEnding.lastIndex;
    // The terminator belongs to the match, unless it was the end of the text.
    if (!isInNumber(text.charCodeAt(end - 1))) end -= 1;
    let start = end - 4;
    let hasExponent = false;
    while (start > 0 && isInNumber(text.charCodeAt(start - 1))) start -= 1;
    if (end - start <= surelyExactLength) {
      for (let at = start; at < end && !hasExponent; at += 1) {
        hasExponent = (text.charCodeAt(at) | toLowerCase) === letterE;
      }
      if (!hasExponent) continue;
    }
    if (!canBeValue((index) => text.charCodeAt(index), start)) continue;
    const token = text.slice(start, end);
    if (!isExactInDouble(token) && isJsonNumber(token)) spans.push({ start, end, token });
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
    if (!canBeValue((at) => text.charCodeAt(at), index)) continue;
    spans.push({ start: index, end: index + token.length, token });
  }
  return spans;
}

const isLargeExponent = /[eE][+-]?\d{3,}(?:[ \t\n\r,\]}]|$)/;

/**
 * Whether a number may be out of the range of doubles; those inside strings count too. Reading the
 * bytes as Latin-1 keeps one byte a character, which halves the time of the search.
 */
export const mayHoldLargeExponent = (bytes: Buffer): boolean =>
  isLargeExponent.test(bytes.toString('latin1'));

/** 1 for digits and the dot. */
const isDigitOrDot = Uint8Array.from({ length: 256 }, (_, code) =>
  (code >= 48 && code <= 57) || code === 46 ? 1 : 0,
);

/**
 * The same as `findInexact` for the bytes of a text, but without numbers that are short and have a
 * large exponent. Offsets are in bytes. Looks at every 16th byte only.
 */
export function findInexactLong(bytes: Buffer): readonly Span[] {
  const spans: Span[] = [];
  const isRun = (at: number): boolean => isDigitOrDot[bytes[at] ?? 0] === 1;
  let after = 0;
  for (let at = surelyExactLength; at < bytes.length; at += surelyExactLength + 1) {
    if (isDigitOrDot[bytes[at] ?? 0] !== 1 || at < after) continue;
    let start = at;
    while (isRun(start - 1)) start -= 1;
    let end = at + 1;
    while (isRun(end)) end += 1;
    if (end - start <= surelyExactLength) continue;
    while (isInNumber(bytes[start - 1] ?? 0)) start -= 1;
    while (isInNumber(bytes[end] ?? 0)) end += 1;
    after = end;
    // The usual case: a text that is made of digits.
    if (bytes[start - 1] === quote) continue;
    if (!canBeValue((index) => bytes[index], start)) continue;
    const token = bytes.toString('latin1', start, end);
    if (!isExactInDouble(token) && isJsonNumber(token)) spans.push({ start, end, token });
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
