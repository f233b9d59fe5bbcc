import { refuse } from '../python-text.ts';
import type { Env, Filter, Given } from './env.ts';
import { escapedHtml, quotedUrl, withoutTags } from './html.ts';
import { toJson } from './json.ts';
import {
  capitalized,
  centered,
  linesOf,
  lower,
  stripped,
  titleWords,
  upper,
  wordsOf,
} from './letters.ts';
import { indexOf } from './numbers.ts';
import { WIDEST, percentFormat } from './percent-format.ts';
import { replaced } from './text-methods.ts';
import {
  Dict,
  Markup,
  Tuple,
  entriesOf,
  isDict,
  isTrue,
  lettersOf,
  strOf,
  textIn,
} from './values.ts';
import { canBeWalked } from './env.ts';
import { wordwrap } from './word-wrap.ts';

/** `soft_str`: a text that is marked stays marked. */
const soft = (value: unknown, change: (text: string) => string): unknown =>
  value instanceof Markup ? new Markup(change(value.value)) : change(strOf(value));

const simple =
  (change: (text: string) => string): Filter =>
  (_env, value, given) => {
    given.none('such a filter');
    return soft(value, change);
  };

/** The text of a value that must be one. */
const textOf = (value: unknown, what: string): string =>
  textIn(value) ?? refuse(`${what} of something that isn't a text`);

function replace(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('replace', ['old', 'new', 'count'], 2);
  const count = parameters.get('count', null);
  const most = count === null ? -1 : (indexOf(count) ?? refuse('replace with such a count'));
  const [from, to] = [strOf(parameters.get('old')), strOf(parameters.get('new'))];
  return replaced(env, strOf(value), from, to, most);
}

function format(env: Env, value: unknown, { positional, named }: Given): unknown {
  if (positional.length > 0 && named.size > 0) return refuse('format with values of both kinds');
  if (value instanceof Markup) return refuse('format of a text that is marked as safe');
  return percentFormat(env, strOf(value), named.size > 0 ? new Dict(named) : new Tuple(positional));
}

function trim(_env: Env, value: unknown, given: Given): unknown {
  const characters = given.read('trim', ['chars']).get('chars', null);
  const set = characters === null ? null : textOf(characters, 'trim');
  return soft(value, (text) => stripped(text, set));
}

function indent(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('indent', ['width', 'first', 'blank']);
  const width = parameters.get('width', 4);
  const count = indexOf(width) ?? 0;
  if (count > WIDEST) return refuse('an indent this wide');
  const by = typeof width === 'string' ? width : ' '.repeat(Math.max(0, count));
  if (typeof width !== 'string' && indexOf(width) === undefined) return refuse('such an indent');
  const change = (text: string): string => {
    const lines = linesOf(`${text}\n`);
    env.budget.spend(lines.length * by.length);
    const isBlankIndented = isTrue(parameters.get('blank', false));
    const rest = lines.slice(1).map((line) => (line === '' && !isBlankIndented ? line : by + line));
    const start = isTrue(parameters.get('first', false)) ? by : '';
    return start + [lines[0] ?? '', ...rest].join('\n');
  };
  if (value instanceof Markup) return new Markup(change(value.value));
  return change(textOf(value, 'indent'));
}

function truncate(_env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('truncate', ['length', 'killwords', 'end', 'leeway']);
  const length = parameters.as('length', indexOf, 255);
  const end = parameters.as('end', (one) => (typeof one === 'string' ? one : undefined), '...');
  const given5 = parameters.get('leeway', null);
  const leeway = given5 === null ? 5 : (indexOf(given5) ?? refuse('truncate'));
  const room = length - lettersOf(end).length;
  if (room < 0 || leeway < 0) return refuse('truncate to less than its end');
  if (value instanceof Markup) return refuse('truncate of a text that is marked as safe');
  if (value === undefined) return value;
  const letters = lettersOf(textOf(value, 'truncate'));
  if (letters.length <= length + leeway) return value;
  const cut = letters.slice(0, room).join('');
  if (isTrue(parameters.get('killwords', false))) return cut + end;
  const blank = cut.lastIndexOf(' ');
  return (blank < 0 ? cut : cut.slice(0, blank)) + end;
}

function urlencode(env: Env, value: unknown, given: Given): unknown {
  given.none('urlencode');
  if (textIn(value) !== undefined || !canBeWalked(value)) return quotedUrl(value, false);
  const pairs = isDict(value)
    ? Array.from(entriesOf(value))
    : Array.from(env.walk(value), (pair) => {
        const [key, item, ...rest] = env.walk(pair);
        return rest.length > 0 || item === undefined ? refuse('urlencode') : [key, item];
      });
  return pairs.map(([key, item]) => `${quotedUrl(key, true)}=${quotedUrl(item, true)}`).join('&');
}

function xmlattr(_env: Env, value: unknown, given: Given): unknown {
  const isSpaced = isTrue(given.read('xmlattr', ['autospace']).get('autospace', true));
  if (!isDict(value)) return refuse("xmlattr of something that isn't a dictionary");
  const attributes = Array.from(entriesOf(value)).flatMap(([key, item]) => {
    if (item === null || item === undefined) return [];
    const name = textOf(key, 'xmlattr of a name');
    if (/[\s/>=]/.test(name) || wordsOf(name).join('') !== name)
      return refuse('such a name in xmlattr');
    return [`${escapedHtml(name).value}="${escapedHtml(item).value}"`];
  });
  return attributes.length > 0 && isSpaced ? ` ${attributes.join(' ')}` : attributes.join(' ');
}

const word = /[\p{L}\p{N}_]+/gu;

export const textFilters: Readonly<Record<string, Filter>> = {
  capitalize: simple(capitalized),
  center: (env, value, given) => {
    const width = given.read('center', ['width']).as('width', indexOf, 80);
    if (width > WIDEST) return refuse('a text this wide');
    env.budget.spend(width);
    return soft(value, (text) => centered(text, width));
  },
  escape: (_env, value, given) => {
    given.none('escape');
    return escapedHtml(value);
  },
  forceescape: (_env, value, given) => {
    given.none('forceescape');
    return escapedHtml(strOf(value));
  },
  format,
  indent,
  lower: simple(lower),
  replace,
  safe: (_env, value, given) => {
    given.none('safe');
    return new Markup(strOf(value));
  },
  string: simple((text) => text),
  striptags: (_env, value, given) => {
    given.none('striptags');
    return withoutTags(strOf(value));
  },
  title: simple(titleWords),
  tojson: (_env, value, given) =>
    toJson(value, given.read('tojson', ['indent']).get('indent', null)),
  trim,
  truncate,
  upper: simple(upper),
  urlencode,
  wordwrap,
  wordcount: (_env, value, given) => {
    given.none('wordcount');
    return strOf(value).match(word)?.length ?? 0;
  },
  xmlattr,
};
