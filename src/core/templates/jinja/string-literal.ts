import { refuse } from '../python-text.ts';

const short: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const lengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** A letter that is not ASCII, written as Jinja2 writes it before it reads escapes. */
function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

function numbered(text: string, at: number, length: number): string {
  const digits = text.slice(at, at + length);
  if (digits.length < length || !/^[\da-f]+$/i.test(digits)) return refuse('a broken escape');
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    return refuse("an escape that isn't a character");
  }
  return String.fromCodePoint(code);
}

/** The text of a quoted string: escapes as `unicode-escape` of Python reads them. */
export function stringLiteral(quoted: string): string {
  const inside = quoted.slice(1, -1);
  if (!inside.includes('\\')) return inside;
  const text = inside.replaceAll(/\P{ASCII}/gu, escaped);
  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character !== '\\') {
      result += character;
      continue;
    }
    at += 1;
    const letter = text.charAt(at);
    const length = lengths[letter];
    const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3))?.[0];
    if (short[letter] !== undefined) result += short[letter];
    else if (length !== undefined) {
      result += numbered(text, at + 1, length);
      at += length;
    } else if (octal !== undefined) {
      result += String.fromCodePoint(Number.parseInt(octal, 8));
      at += octal.length - 1;
    } else if (letter === 'N') return refuse('\\N in a text');
    else result += `\\${letter}`;
  }
  return result;
}
