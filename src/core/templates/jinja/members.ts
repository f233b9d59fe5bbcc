import { PythonObject, refuse } from '../python-text.ts';
import { containerMethod } from './container-methods.ts';
import { Callable, ownList } from './env.ts';
import { Namespace, isLive } from './functions.ts';
import { LoopState } from './loop-state.ts';
import { indexOf, numericOf } from './numbers.ts';
import { textMethod } from './text-methods.ts';
import { Live, Markup, Range, Tuple, entryOf, isDict, lettersOf, textIn } from './values.ts';

/** What Python's types have and nothing here does: it is there, so it must not pass for undefined. */
const unknownAttributes = new Set(
  [
    'as_integer_ratio bit_length bit_count conjugate denominator from_bytes imag numerator real to_bytes',
    'fromhex hex is_integer',
    'casefold encode expandtabs format_map isascii isidentifier isprintable istitle maketrans translate',
    'clear copy fromkeys get items keys pop popitem setdefault update values',
    'append count extend index insert remove reverse sort start stop step',
    'isdisjoint mapping close gi_code gi_frame gi_running gi_yieldfrom send throw',
    'escape striptags unescape',
  ]
    .join(' ')
    .split(' '),
);

const unknownOfDicts = new Set(['clear', 'fromkeys', 'pop', 'popitem']);

/** `getattr`: undefined where there is no such attribute. */
function attributeOf(object: unknown, name: string): unknown {
  if (name.startsWith('__')) return refuse(`.${name}`);
  if (object instanceof LoopState) return object.attribute(name);
  if (object instanceof Namespace) return object.get(name);
  if (isLive(object)) return object.attribute(name);
  if (object instanceof Markup) return refuse(`.${name} of a text that is marked as safe`);
  if (typeof object === 'string') {
    const method = textMethod(name);
    if (method !== undefined) {
      return new Callable(`.${name}`, (env, given) => method(env, object, given));
    }
  }
  if (object instanceof Tuple) {
    const at = object.names.indexOf(name);
    if (at >= 0) return object.items[at];
  }
  const method = containerMethod(object, name);
  if (method !== undefined) return method;
  const names = isDict(object) ? unknownOfDicts : unknownAttributes;
  if (object instanceof Live || (isKnown(object) && names.has(name))) {
    return refuse(`.${name} of such a value`);
  }
  return undefined;
}

/** JSON and what is made of it; anything else has attributes that nobody knows. */
function isKnown(object: unknown): boolean {
  const isOne =
    object === null ||
    typeof object === 'string' ||
    numericOf(object) !== undefined ||
    Array.isArray(object) ||
    object instanceof PythonObject ||
    isDict(object);
  return isOne || refuse('a value that JSON does not hold');
}

/** `object.name`: the attribute before the item. */
export function attribute(object: unknown, name: string): unknown {
  if (object === undefined) return refuse(`.${name} of something undefined`);
  const found = attributeOf(object, name);
  if (found !== undefined) return found;
  return isDict(object) ? entryOf(object, name)?.value : undefined;
}

function itemOf(object: unknown, key: unknown): unknown {
  if (isDict(object)) return entryOf(object, key)?.value;
  const index = indexOf(key);
  if (index === undefined) return undefined;
  if (Array.isArray(object)) return object.at(index) as unknown;
  if (object instanceof Tuple) return object.items.at(index);
  const text = textIn(object);
  if (text !== undefined) {
    const letter = lettersOf(text).at(index);
    return letter !== undefined && object instanceof Markup ? new Markup(letter) : letter;
  }
  if (object instanceof Range) {
    const at = index < 0 ? index + object.length : index;
    return at >= 0 && at < object.length ? object.at(at) : undefined;
  }
  return undefined;
}

/** `object[key]`: the item before the attribute. */
export function element(object: unknown, key: unknown): unknown {
  if (object === undefined) return refuse('an element of something undefined');
  if (Array.isArray(key) || (isDict(key) && isDict(object))) return undefined;
  const found = itemOf(object, key);
  const name = textIn(key);
  if (found !== undefined || name === undefined) {
    return found === undefined && !isKnown(object) ? undefined : found;
  }
  return attributeOf(object, name);
}

function bound(value: unknown): number | undefined {
  if (value === undefined) return refuse('a slice with something undefined');
  if (value === null) return undefined;
  return indexOf(value) ?? refuse('a slice without numbers');
}

export interface SliceBounds {
  readonly start: unknown;
  readonly stop: unknown;
  readonly step: unknown;
}

/** Python's `slice.indices()`. */
function indicesOf(
  length: number,
  { start, stop, step }: SliceBounds,
): { readonly from: number; readonly to: number; readonly by: number } {
  const by = bound(step) ?? 1;
  if (by === 0) return refuse('a slice with steps of 0');
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1];
  const clamped = (value: number | undefined, otherwise: number): number => {
    if (value === undefined) return otherwise;
    return Math.min(high, Math.max(low, value < 0 ? value + length : value));
  };
  const from = clamped(bound(start), by > 0 ? low : high);
  return { from, to: clamped(bound(stop), by > 0 ? high : low), by };
}

function placesOf(length: number, bounds: SliceBounds): readonly number[] {
  const { from, to, by } = indicesOf(length, bounds);
  const places: number[] = [];
  for (let at = from; by > 0 ? at < to : at > to; at += by) places.push(at);
  return places;
}

export function sliced(object: unknown, bounds: SliceBounds): unknown {
  if (Array.isArray(object)) {
    return ownList(placesOf(object.length, bounds).map((at): unknown => object[at]));
  }
  if (object instanceof Tuple) {
    return new Tuple(placesOf(object.items.length, bounds).map((at) => object.items[at]));
  }
  if (object instanceof Range) {
    const { from, to, by } = indicesOf(object.length, bounds);
    return new Range(object.at(from), object.at(to), object.step * by);
  }
  const text = textIn(object);
  if (text === undefined) return refuse('a slice of such a value');
  const letters = lettersOf(text);
  const result = placesOf(letters.length, bounds)
    .map((at) => letters[at])
    .join('');
  return object instanceof Markup ? new Markup(result) : result;
}

/** What `is sequence` asks for. */
export const hasElements = (value: unknown): boolean =>
  value === undefined ||
  textIn(value) !== undefined ||
  Array.isArray(value) ||
  value instanceof Tuple ||
  value instanceof Range ||
  isDict(value);
