import { ExactNumber } from '../../api/exact-number.ts';
import type { Span } from './exact-scan.ts';
import {
  findInexact,
  findRewritten,
  isExactInDouble,
  isJsonNumber,
  keepOutsideStrings,
  surelyExactLength,
} from './exact-scan.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * JSON without loss: `JSON.parse` does the work, and numbers that a double cannot hold go through
 * it as marked strings. The mark is random, so that no text can hold it on purpose. Always nine characters: with
 * quotes and a number it must fit into the place of the shortest number it stands for.
 */
const makeMark = (): string =>
  `~${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => letters[byte % 64]).join('')}`;

const tilde = 126;

/** Assigns also to a key named `__proto__`, which JSON allows. */
function assign(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    target[key] = value;
  }
}

/** Puts ExactNumbers in the place of marked strings, which hold the number of their span. */
function revive(value: unknown, mark: string, spans: readonly Span[]): unknown {
  let left = spans.length;
  const exact = (marked: string): unknown => {
    const span = spans[Number.parseInt(marked.slice(mark.length), 36)];
    left -= 1;
    return span === undefined ? marked : new ExactNumber(span.token);
  };
  // The first character decides for nearly all texts, and costs a tenth of startsWith.
  const isMarked = (text: string): boolean => text.charCodeAt(0) === tilde && text.startsWith(mark);
  const visitList = (list: unknown[]): void => {
    for (let index = 0; index < list.length && left > 0; index += 1) {
      const item = list[index];
      if (typeof item === 'string') {
        if (isMarked(item)) list[index] = exact(item);
      } else if (typeof item === 'object' && item !== null) visit(item);
    }
  };
  const visit = (holder: object): void => {
    if (Array.isArray(holder)) {
      visitList(holder);
      return;
    }
    const object = holder as Record<string, unknown>;
    for (const key in object) {
      if (left === 0) return;
      const item = object[key];
      if (typeof item === 'string') {
        if (isMarked(item)) assign(object, key, exact(item));
      } else if (typeof item === 'object' && item !== null) visit(item);
    }
  };
  if (typeof value === 'string') return isMarked(value) ? exact(value) : value;
  if (typeof value === 'object' && value !== null) visit(value);
  return value;
}

/**
 * `JSON.parse`, except that a number which a double cannot hold exactly becomes an ExactNumber.
 * Throws SyntaxError like `JSON.parse`.
 */
export const parseJson = (text: string): unknown => parseWith(text, findInexact);

/**
 * The same, and numbers that would be written in another way are ExactNumbers, too: 10.0 stays
 * 10.0, and 1e3 stays 1e3. For what people and programs give, where a float is more than its value.
 */
export const parseJsonAsWritten = (text: string): unknown => parseWith(text, findRewritten);

/**
 * The same value with plain numbers wherever a double holds them: for places where a number counts,
 * and not how it was written. Shares what has none.
 */
export function plainNumbers<Value>(value: Value): Value {
  return plain(value) as Value;
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ExactNumber) return isExactInDouble(value.text) ? value.valueOf() : value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const made = items.map(plain);
    return made.some((item, at) => item !== items[at]) ? made : value;
  }
  let made: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const changed = plain(item);
    if (changed === item) continue;
    made ??= { ...value };
    assign(made, key, changed);
  }
  return made ?? value;
}

function parseWith(text: string, find: (text: string) => readonly Span[]): unknown {
  const found = find(text);
  if (found.length === 0) return JSON.parse(text);
  const spans = keepOutsideStrings(text, found);
  if (spans.length === 0) return JSON.parse(text);
  const mark = makeMark();
  const parts: string[] = [];
  let copied = 0;
  spans.forEach(({ start, end }, index) => {
    parts.push(text.slice(copied, start), '"', mark, index.toString(36), '"');
    copied = end;
  });
  parts.push(text.slice(copied));
  return revive(JSON.parse(parts.join('')), mark, spans);
}

/** Writes a string of the same length over each number: quotes, mark, number of the span. */
function overwrite(bytes: Buffer, mark: string, spans: readonly Span[]): void {
  spans.forEach(({ start, end }, index) => {
    const digits = index.toString(36).padStart(end - start - 2 - mark.length, '0');
    bytes.write(`"${mark}${digits}"`, start, 'latin1');
  });
}

/**
 * The same for the bytes of an answer. Faster, because long numbers are overwritten in place: the
 * bytes are of no use afterwards. They are searched as Latin-1, which has a character for each byte;
 * `decode` is given that text too, as it is the right one for ASCII.
 */
export function parseJsonBytes(
  bytes: Buffer,
  decode: (bytes: Buffer, asLatin1?: string) => string,
): unknown {
  const asLatin1 = bytes.toString('latin1');
  const spans = findInexact(asLatin1);
  if (spans.length === 0) return JSON.parse(decode(bytes, asLatin1));
  // Shorter ones, which have a large exponent, are no place for a mark.
  if (spans.some(({ start, end }) => end - start <= surelyExactLength))
    return parseJson(decode(bytes));
  const mark = makeMark();
  overwrite(bytes, mark, spans);
  const text = decode(bytes);
  try {
    return revive(JSON.parse(text), mark, spans);
  } catch {
    // No JSON at all; or a span was inside a string, whose new quote ended it before the "~".
    for (const { start, token } of spans) bytes.write(token, start, 'latin1');
    return parseJson(decode(bytes));
  }
}

/** What JSON.stringify would not write as it is. */
function exactText(value: unknown): string | undefined {
  if (value instanceof ExactNumber) {
    if (isJsonNumber(value.text)) return value.text;
    throw new TypeError('An ExactNumber does not hold a JSON number.');
  }
  if (typeof value === 'bigint') return value.toString();
  return Object.is(value, -0) ? '-0' : undefined;
}

function holdsExact(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) {
    if (value instanceof ExactNumber) return true;
    if (Array.isArray(value)) return value.some(holdsExact);
    return Object.values(value).some(holdsExact);
  }
  return typeof value === 'bigint' || Object.is(value, -0);
}

function toJsonText(
  value: unknown,
  replacer?: (this: unknown, key: string, item: unknown) => unknown,
): string {
  // Undefined for undefined and functions, whatever its declared type says.
  const text = JSON.stringify(value, replacer) as string | undefined;
  if (text === undefined) throw new TypeError('The value has no JSON form.');
  return text;
}

/** `JSON.stringify`, except that ExactNumber, bigint and -0 are written digit by digit. */
export function stringifyJson(value: unknown): string {
  if (!holdsExact(value)) return toJsonText(value);
  const mark = makeMark();
  const text = toJsonText(value, function (key, item) {
    // `item` is what toJSON made of it, so the original is looked up.
    const exact = exactText((this as Record<string, unknown>)[key]);
    return exact === undefined ? item : `${mark}${exact}`;
  });
  return text.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}
