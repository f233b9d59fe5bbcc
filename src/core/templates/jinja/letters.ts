import { pythonSpace, refuse } from '../python-text.ts';

/** Scripts whose letters have had their cases, or none, since long before any Python in use. */
const settled =
  /^[\ufe00-\ufe1f\p{Cc}\u0020-\u052f\u0531-\u109f\u1100-\u167f\u1780-\u18ff\u1e00-\u2bff\u3000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uffef\u{1f000}-\u{1faff}\u{20000}-\u{2fa1f}]*$/u;

/** Most texts: what holds for all of it is quickly seen. */
const ascii = /^\p{ASCII}*$/u;
/** Halves of characters: without them, each unit of a text is a letter. */
const halves = /[\ud800-\udfff]/;

/** How many letters Python counts. */
export const letterCount = (text: string): number =>
  halves.test(text) ? Array.from(text).length : text.length;

export const blanks: ReadonlySet<string> = new Set(pythonSpace);

/** Whether a half of a character stands alone in it. */
export const hasHalves = (text: string): boolean => /\p{Surrogate}/u.test(text);

/** The form of a lower case sigma depends on its neighbours. */
function settledText(text: string): string {
  if (ascii.test(text) || (settled.test(text) && !text.includes('Σ'))) return text;
  return refuse('upper or lower case of such letters');
}

export const upper = (text: string): string => settledText(text).toUpperCase();
export const lower = (text: string): string => settledText(text).toLowerCase();

/** Upper case at the beginning of a word: another letter than the upper case for a few. */
function titleCase(letter: string): string {
  const text = upper(letter);
  if ((text !== letter && text.length !== letter.length) || /[ǄǅǆǇǈǉǊǋǌǱǲǳ]/.test(letter)) {
    return refuse('the capital of such a letter');
  }
  return text;
}

const hasCase = (letter: string): boolean => /\p{Cased}/u.test(letter);

/** `str.capitalize()`. */
export function capitalized(text: string): string {
  const [first = '', ...rest] = Array.from(text);
  return titleCase(first) + lower(rest.join(''));
}

/** `str.title()`: a word ends where a letter has no case. */
export function titled(text: string): string {
  let result = '';
  let isInside = false;
  for (const letter of settledText(text)) {
    result += isInside ? lower(letter) : titleCase(letter);
    isInside = hasCase(letter);
  }
  return result;
}

const wordStart = new RegExp(`([-${pythonSpace}({\\[<]+)`);

/** The filter `title`: a word ends at blanks, hyphens and opening brackets. */
export const titleWords = (text: string): string =>
  text
    .split(wordStart)
    .map((word) => {
      const [first = '', ...rest] = Array.from(word);
      return upper(first) + lower(rest.join(''));
    })
    .join('');

export function swapped(text: string): string {
  return Array.from(settledText(text), (letter) => {
    const big = letter.toUpperCase();
    if (big.length > letter.length || /\p{Lt}/u.test(letter))
      return refuse('the other case of such a letter');
    return letter === big ? letter.toLowerCase() : big;
  }).join('');
}

/** `islower()`, `isupper()`: all letters that have a case have this one, and there is one. */
export function isCased(text: string, change: 'upper' | 'lower'): boolean {
  const letters = Array.from(settledText(text)).filter(hasCase);
  return (
    letters.length > 0 &&
    letters.every((letter) => {
      if (/[\p{Lt}\p{Lm}\p{Lo}\p{M}]/u.test(letter)) return refuse('the case of such a letter');
      return letter === (change === 'upper' ? letter.toUpperCase() : letter.toLowerCase());
    })
  );
}

/** `isdigit()`, `isalpha()` and their like, of letters that are the same everywhere. */
export function isMadeOf(text: string, pattern: RegExp): boolean {
  if (!/^[\p{ASCII}À-ÖØ-öø-ÿ]*$/u.test(text)) return refuse('the kind of such letters');
  return text !== '' && Array.from(text).every((letter) => pattern.test(letter));
}

/** `strip()`: `characters` is a set of them. */
export function stripped(
  text: string,
  characters: string | null = null,
  side: 'both' | 'left' | 'right' = 'both',
): string {
  const set: ReadonlySet<string> = characters === null ? blanks : new Set(characters);
  const isHalved = characters !== null && halves.test(characters);
  const letters = isHalved ? Array.from(text) : text;
  const isCut = (at: number): boolean => set.has(letters[at] ?? '');
  let start = 0;
  let end = letters.length;
  if (side !== 'right') while (start < end && isCut(start)) start += 1;
  if (side !== 'left') while (end > start && isCut(end - 1)) end -= 1;
  return typeof letters === 'string'
    ? letters.slice(start, end)
    : letters.slice(start, end).join('');
}

const lineEnds = '\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029';
const lineEnd = new RegExp(`\\r\\n|[${lineEnds}]`);

/** `splitlines()`: nothing stands behind the last line end. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(lineEnd);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** `split()` at blanks. */
export const wordsOf = (text: string): readonly string[] =>
  text.split(new RegExp(`[${pythonSpace}]+`)).filter((word) => word !== '');

export function centered(text: string, width: number, fill = ' '): string {
  const missing = Math.max(0, width - Array.from(text).length);
  // One more on the left only where both numbers are odd: so does CPython.
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}
