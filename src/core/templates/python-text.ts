import { ExactNumber } from '../../api/exact-number.ts';
import { isExactInDouble } from '../http/exact-scan.ts';
import { isMapping } from '../mapping.ts';

/** Thrown where a text rendered here might not be the text that the service would make. */
export class NotFaithful extends Error {
  override readonly name = 'NotFaithful';
}

/** No template at all: Jinja2 would refuse it, too. */
export class BrokenTemplate extends NotFaithful {}

/** The same, of what is no template. */
export function broken(what: string): never {
  throw new BrokenTemplate(what);
}

/** Says what cannot be vouched for: a construct, by the name that it has in a template. */
export function refuse(what: string): never {
  throw new NotFaithful(what);
}

/** Values that JSON does not hold, but expressions make: tuples, ranges, marked texts ... */
export abstract class PythonObject {
  /** `str()`. */
  abstract text(): string;
  /** What is inside, for those who count. */
  abstract parts(): Iterable<unknown>;
  /** `repr()`. */
  representation(): string {
    return this.text();
  }
}

/** `repr()` of a float: the shortest digits that give it back. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    return value.toExponential().replace(/([-+])(\d)$/, '$10$2');
  }
  const text = Object.is(value, -0) ? '-0' : String(value);
  return Number.isInteger(value) ? `${text}.0` : text;
}

/** What Python prints for a number that was read from JSON. */
export function numberText(value: number | ExactNumber): string {
  if (value instanceof ExactNumber) {
    if (/^-?\d+$/.test(value.text)) return value.text === '-0' ? '0' : value.text;
    if (isExactInDouble(value.text)) return floatText(Number(value.text));
    return refuse('a number with more digits than a double');
  }
  if (!Number.isFinite(value)) return refuse('a number that JSON does not hold');
  // As JSON.stringify writes it: with an exponent it is a float.
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? String(value) : floatText(value);
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeCharacter(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
}

export function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll(/(?! )[\p{C}\p{Z}]/gu, escapeCharacter);
  return `${quote}${escaped}${quote}`;
}

/** `repr()`: how Python shows a value inside a list. */
export function representation(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null) return 'None';
  if (value === undefined) return refuse('an undefined value inside a list');
  if (value instanceof PythonObject) return value.representation();
  if (Array.isArray(value)) return `[${value.map(representation).join(', ')}]`;
  if (isMapping(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${entries.map(([key, item]) => `${quoted(key)}: ${representation(item)}`).join(', ')}}`;
  }
  return plainText(value);
}

/** `str()` of anything but null, which templates treat as they like. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || value instanceof ExactNumber) return numberText(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof PythonObject) return value.text();
  if (Array.isArray(value) || isMapping(value)) return representation(value);
  return refuse('a value that JSON does not hold');
}

/** Halves of a character stand above all that need no halves. */
const rank = (code: number): number => (code >= 0xd800 && code <= 0xdfff ? code + 0x10000 : code);

/** By code points, as Python does; the strings of JavaScript compare by halves of them. */
export function compareText(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at += 1) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** `str.isspace()`, and `\\s` of `re`. */
export const pythonSpace =
  '\t\n\v\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';
