import { PythonObject, compareText, plainText, refuse } from '../python-text.ts';
import { indexOf, numericOf } from './numbers.ts';
import { Float } from './numbers.ts';
import { Markup, Tuple, entriesOf, isDict, textIn } from './values.ts';

const escaped = (letter: string): string =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What is no ASCII, and what means something in HTML. */
const unsafe = new RegExp("[<>&'\\x7f-\\uffff]", 'g');

const jsonString = (text: string): string => JSON.stringify(text).replaceAll(unsafe, escaped);

function keysSorted(dict: Parameters<typeof entriesOf>[0]): (readonly [string, unknown])[] {
  const entries = Array.from(entriesOf(dict), ([key, value]) => {
    const name = textIn(key);
    return [name ?? refuse("JSON with keys that aren't strings"), value] as const;
  });
  return entries.sort(([one], [other]) => compareText(one, other));
}

function scalar(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (value === undefined) return refuse('JSON of something undefined');
  if (typeof value === 'boolean') return String(value);
  const text = textIn(value);
  if (text !== undefined) return jsonString(text);
  if (value instanceof Float && !Number.isFinite(value.value)) return refuse('JSON of infinity');
  return numericOf(value) === undefined ? undefined : plainText(value);
}

/** The items of a value between brackets, each on a line of its own where there is an indent. */
function bracketed(
  [open, close]: string,
  items: readonly string[],
  indent: string | undefined,
  outer: string,
): string {
  if (items.length === 0) return `${open ?? ''}${close ?? ''}`;
  if (indent === undefined) return `${open ?? ''}${items.join(', ')}${close ?? ''}`;
  const inner = `\n${outer}${indent}`;
  return `${open ?? ''}${inner}${items.join(`,${inner}`)}\n${outer}${close ?? ''}`;
}

function jsonOf(value: unknown, indent: string | undefined, outer: string): string {
  const plain = scalar(value);
  if (plain !== undefined) return plain;
  const inner = outer + (indent ?? '');
  if (Array.isArray(value) || value instanceof Tuple) {
    const items: readonly unknown[] = value instanceof Tuple ? value.items : value;
    return bracketed(
      '[]',
      items.map((item) => jsonOf(item, indent, inner)),
      indent,
      outer,
    );
  }
  if (!isDict(value)) {
    return refuse(
      value instanceof PythonObject ? 'JSON of such a value' : 'a value that JSON does not hold',
    );
  }
  const items = keysSorted(value).map(
    ([key, item]) => `${jsonString(key)}: ${jsonOf(item, indent, inner)}`,
  );
  return bracketed('{}', items, indent, outer);
}

/** The filter `tojson`: keys sorted, ASCII only, safe inside HTML. */
export function toJson(value: unknown, indent: unknown): Markup {
  if (indent === null) return new Markup(jsonOf(value, undefined, ''));
  const width = typeof indent === 'boolean' ? undefined : indexOf(indent);
  if (width === undefined || width < 0 || width > 16) return refuse('tojson with such an indent');
  return new Markup(jsonOf(value, ' '.repeat(width), ''));
}
