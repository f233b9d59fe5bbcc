import { piecesOf, placeOf } from '../../holds-text.ts';
import { ownValue } from '../../../api/own-value.ts';
import { refuse } from '../python-text.ts';
import { braceFormat } from './brace-format.ts';
import type { Env, Given, NamedValues } from './env.ts';
import { ownList } from './env.ts';
import {
  capitalized,
  centered,
  hasHalves,
  isCased,
  isMadeOf,
  blanks,
  linesOf,
  lower,
  stripped,
  swapped,
  titled,
  upper,
  wordsOf,
} from './letters.ts';
import { indexOf } from './numbers.ts';
import { padded, WIDEST } from './percent-format.ts';
import { Tuple, isTrue, lettersOf } from './values.ts';

const LONGEST_SOUGHT = 1000;
/** Methods that take names of arguments. */
const takesNames = new Set(['split', 'rsplit', 'splitlines', 'format']);

type Method = (env: Env, text: string, given: Given) => unknown;

const plainText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
const orNull =
  <Value>(read: (value: unknown) => Value | undefined) =>
  (value: unknown): Value | null | undefined =>
    value === null ? null : read(value);

/** Methods without arguments. */
const simple = (change: (text: string) => unknown): Method => {
  return (_env, text, given) => {
    given.none('such a method');
    return change(text);
  };
};

const strip =
  (side: 'both' | 'left' | 'right'): Method =>
  (_env, text, given) =>
    stripped(text, given.read('strip', ['chars']).as('chars', orNull(plainText), null), side);

const width = (parameters: NamedValues): number => {
  const wide = parameters.as('width', indexOf);
  return wide > WIDEST ? refuse('a text this wide') : wide;
};

const justified =
  (align: '<' | '>'): Method =>
  (_env, text, given) => {
    const parameters = given.read('a method that fills up', ['width', 'fillchar'], 1);
    const fill = parameters.as('fillchar', plainText, ' ');
    if (lettersOf(fill).length !== 1) return refuse('such a letter to fill up with');
    return padded(text, width(parameters), fill, align);
  };

/** Pieces between a separator, at most so many cuts, from the left or from the right. */
export function split(
  text: string,
  separator: string,
  most: number,
  isFromRight = false,
): string[] {
  if (separator === '') return refuse('a split at nothing');
  const pieces = piecesOf(text, separator);
  if (most < 0 || pieces.length <= most + 1) return pieces;
  if (isFromRight) {
    return [
      pieces.slice(0, -most || undefined).join(separator),
      ...(most === 0 ? [] : pieces.slice(-most)),
    ];
  }
  return [...pieces.slice(0, most), pieces.slice(most).join(separator)];
}

function splitAtBlanks(text: string, most: number, isFromRight: boolean): readonly string[] {
  if (most < 0) return wordsOf(text);
  const words: string[] = [];
  const letters = lettersOf(text);
  const isBlank = (at: number): boolean => blanks.has(letters[at] ?? '');
  const step = isFromRight ? -1 : 1;
  let at = isFromRight ? letters.length - 1 : 0;
  const isInside = (): boolean => at >= 0 && at < letters.length;
  const skip = (): void => {
    while (isInside() && isBlank(at)) at += step;
  };
  const taken = (from: number, to: number): string =>
    isFromRight ? letters.slice(to + 1, from + 1).join('') : letters.slice(from, to).join('');
  skip();
  while (isInside() && words.length < most) {
    const from = at;
    while (isInside() && !isBlank(at)) at += step;
    words.push(taken(from, at));
    skip();
  }
  if (isInside()) {
    const rest = isFromRight ? letters.slice(0, at + 1) : letters.slice(at);
    words.push(stripped(rest.join(''), null, isFromRight ? 'right' : 'left'));
  }
  return isFromRight ? words.reverse() : words;
}

const splitter =
  (isFromRight: boolean): Method =>
  (env, text, given) => {
    const parameters = given.read('split', ['sep', 'maxsplit']);
    const separator = parameters.as('sep', orNull(plainText), null);
    const most = parameters.as('maxsplit', indexOf, -1);
    env.budget.spend(text.length * 4);
    const isPlain = separator === null;
    // Blanks that are cut off by Python at the end only when all is cut.
    return ownList(
      isPlain ? splitAtBlanks(text, most, isFromRight) : split(text, separator, most, isFromRight),
    );
  };

const partition =
  (isFromRight: boolean): Method =>
  (_env, text, given) => {
    const separator = given.read('partition', ['sep'], 1).as('sep', plainText);
    if (separator === '') return refuse('a partition at nothing');
    const at = isFromRight ? lastPlace(text, separator) : placeOf(text, separator);
    if (at < 0) return new Tuple(isFromRight ? ['', '', text] : [text, '', '']);
    return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
  };

const sides =
  (is: (text: string, side: string) => boolean): Method =>
  (_env, text, given) => {
    const [side] = given.positional;
    given.read('startswith and endswith', ['prefix'], 1);
    const wanted = side instanceof Tuple ? side.items : [side];
    return wanted.some((one) => is(text, plainText(one) ?? refuse('such a beginning or end')));
  };

/** The search of JavaScript is quadratic at worst. */
const lastPlace = (text: string, sought: string): number =>
  sought.length > LONGEST_SOUGHT
    ? refuse('a search for a text this long')
    : text.lastIndexOf(sought);

function place(text: string, sought: string, isFromRight: boolean): number {
  const at = isFromRight ? lastPlace(text, sought) : placeOf(text, sought);
  return at < 0 ? at : lettersOf(text.slice(0, at)).length;
}

const finder =
  (isFromRight: boolean, mustBeThere: boolean): Method =>
  (_env, text, given) => {
    const at = place(text, given.read('find', ['sub'], 1).as('sub', plainText), isFromRight);
    return at < 0 && mustBeThere ? refuse('index of what is not there') : at;
  };

/** `str.replace()`; `most` below 0: all of them. */
export function replaced(env: Env, text: string, from: string, to: string, most: number): string {
  if (hasHalves(from) || hasHalves(text)) return refuse('halves of characters');
  env.budget.spend(text.length);
  const pieces = from === '' ? ['', ...lettersOf(text), ''] : piecesOf(text, from);
  const count = most < 0 ? pieces.length - 1 : Math.min(most, pieces.length - 1);
  env.budget.spend(count * to.length);
  return (
    pieces.slice(0, count + 1).join(to) +
    pieces
      .slice(count + 1)
      .map((rest) => from + rest)
      .join('')
  );
}

const none = -1;

const methods: Readonly<Record<string, Method>> = {
  capitalize: simple(capitalized),
  center: (_env, text, given) => {
    const parameters = given.read('center', ['width', 'fillchar'], 1);
    const fill = parameters.as('fillchar', plainText, ' ');
    return lettersOf(fill).length === 1
      ? centered(text, width(parameters), fill)
      : refuse('center');
  },
  count: (_env, text, given) => {
    const sought = given.read('count', ['sub'], 1).as('sub', plainText);
    return sought === '' ? lettersOf(text).length + 1 : piecesOf(text, sought).length - 1;
  },
  endswith: sides((text, side) => text.endsWith(side)),
  find: finder(false, false),
  format: braceFormat,
  index: finder(false, true),
  isalnum: simple((text) => isMadeOf(text, /[\p{L}\d]/u)),
  isalpha: simple((text) => isMadeOf(text, /\p{L}/u)),
  isdecimal: simple((text) => isMadeOf(text, /\d/)),
  isdigit: simple((text) => isMadeOf(text, /\d/)),
  islower: simple((text) => isCased(text, 'lower')),
  isnumeric: simple((text) => isMadeOf(text, /\d/)),
  isspace: simple((text) => text !== '' && stripped(text) === ''),
  isupper: simple((text) => isCased(text, 'upper')),
  join: (env, text, given) => {
    const items = given.read('join', ['iterable'], 1).get('iterable');
    const texts = Array.from(
      env.walk(items),
      (item) => plainText(item) ?? refuse('join of such items'),
    );
    env.budget.spend(text.length * texts.length);
    return texts.join(text);
  },
  ljust: justified('<'),
  lower: simple(lower),
  lstrip: strip('left'),
  partition: partition(false),
  removeprefix: (_env, text, given) => {
    const prefix = given.read('removeprefix', ['prefix'], 1).as('prefix', plainText);
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  },
  removesuffix: (_env, text, given) => {
    const suffix = given.read('removesuffix', ['suffix'], 1).as('suffix', plainText);
    return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
  },
  replace: (env, text, given) => {
    const parameters = given.read('replace', ['old', 'new', 'count'], 2);
    const most = parameters.as('count', indexOf, none);
    return replaced(
      env,
      text,
      parameters.as('old', plainText),
      parameters.as('new', plainText),
      most,
    );
  },
  rfind: finder(true, false),
  rindex: finder(true, true),
  rjust: justified('>'),
  rpartition: partition(true),
  rsplit: splitter(true),
  rstrip: strip('right'),
  split: splitter(false),
  splitlines: (_env, text, given) => {
    const isKept = given.read('splitlines', ['keepends']).get('keepends', false);
    return isTrue(isKept) ? refuse('splitlines with its line ends') : ownList(linesOf(text));
  },
  startswith: sides((text, side) => text.startsWith(side)),
  strip: strip('both'),
  swapcase: simple(swapped),
  title: simple(titled),
  upper: simple(upper),
  zfill: (_env, text, given) => {
    const wide = width(given.read('zfill', ['width'], 1));
    return padded(text, wide, '0', text.startsWith(' ') ? '>' : '=');
  },
};

export function textMethod(name: string): Method | undefined {
  const method = ownValue(methods, name);
  if (method === undefined || takesNames.has(name)) return method;
  return (env, text, given) => {
    if (given.named.size > 0) refuse(`.${name}() with names of arguments`);
    return method(env, text, given);
  };
}
