import { ExactNumber } from '../../api/exact-number.ts';
import { isMapping } from '../mapping.ts';

/** Thrown where a text rendered here might not be the text that the service would make. */
export class NotFaithful extends Error {
  override readonly name = 'NotFaithful';
}

/** What Python prints for a number that was read from JSON. */
export function numberText(value: number | ExactNumber): string {
  if (value instanceof ExactNumber) {
    if (/^-?\d+$/.test(value.text)) return value.text;
    throw new NotFaithful('A number has more digits than a double.');
  }
  if (!Number.isFinite(value)) throw new NotFaithful('A number has no JSON form.');
  const text = String(value);
  const [digits = '', exponent] = text.split('e');
  if (exponent !== undefined) {
    const sign = exponent.startsWith('-') ? '-' : '+';
    return `${digits}e${sign}${exponent.replace(/^[+-]/, '').padStart(2, '0')}`;
  }
  // Python turns to exponents earlier: below 0.0001.
  const small = /^(-?)0\.0000(0*)([1-9])(\d*)$/.exec(text);
  if (small === null) return text;
  const [, minus = '', zeros = '', first = '', rest = ''] = small;
  const power = String(5 + zeros.length).padStart(2, '0');
  return `${minus}${first}${rest === '' ? '' : `.${rest}`}e-${power}`;
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

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll(/(?! )[\p{C}\p{Z}]/gu, escapeCharacter);
  return `${quote}${escaped}${quote}`;
}

/** `repr()`: how Python shows a value inside a list. */
function representation(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null) return 'None';
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
  if (Array.isArray(value) || isMapping(value)) return representation(value);
  throw new NotFaithful('A value has no text that is known here.');
}

const inHtml = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The `tojson` filter: keys sorted, ASCII only, safe inside HTML. */
export function jsonText(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    return JSON.stringify(value).replaceAll(/[<>&'\x7f-\uffff]/g, inHtml);
  }
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (isMapping(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort(compareText)
      .map((key) => `${jsonText(key)}: ${jsonText(value[key])}`)
      .join(', ')}}`;
  }
  return plainText(value);
}

/** By code points, as Python does; the strings of JavaScript compare by halves of them. */
export function compareText(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const whiteSpace = new Set(
  '\t\n\v\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

/** `str.strip()`. Python's white space is not the same as that of `trim()`. */
export function stripped(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && whiteSpace.has(text.charAt(start))) start += 1;
  while (end > start && whiteSpace.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
