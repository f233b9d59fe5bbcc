import { holdsText } from '../../holds-text.ts';
import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import { ExactNumber } from '../../../api/exact-number.ts';
import { ownValue } from '../../../api/own-value.ts';
import { PythonObject, compareText, plainText, refuse, representation } from '../python-text.ts';
import { letterCount } from './letters.ts';
import type { Numeric } from './numbers.ts';
import { Float, compareNumeric, doubleOf, isInteger, numericOf } from './numbers.ts';

/** `(1, 2)`; the pairs of a dictionary; the groups of `groupby`, which have names as well. */
export class Tuple extends PythonObject {
  readonly items: readonly unknown[];
  readonly names: readonly string[];

  constructor(items: readonly unknown[], names: readonly string[] = []) {
    super();
    this.items = items;
    this.names = names;
  }

  text(): string {
    const items = this.items.map(representation);
    return items.length === 1 ? `(${items.join('')},)` : `(${items.join(', ')})`;
  }

  parts(): readonly unknown[] {
    return this.items;
  }
}

/** A text that is marked as safe in HTML, as `e` and `tojson` make it: what is added to it is escaped. */
export class Markup extends PythonObject {
  readonly value: string;

  constructor(value: string) {
    super();
    this.value = value;
  }

  text(): string {
    return this.value;
  }

  override representation(): string {
    return `Markup(${representation(this.value)})`;
  }

  parts(): readonly unknown[] {
    return [this.value];
  }
}

/** A dictionary that a template made. Its keys may be anything that can be hashed. */
export class Dict extends PythonObject {
  readonly #entries = new Map<string, readonly [key: unknown, value: unknown]>();

  constructor(entries: Iterable<readonly [key: unknown, value: unknown]> = []) {
    super();
    for (const [key, value] of entries) this.set(key, value);
  }

  /** A key that is there already stays as it was. */
  set(key: unknown, value: unknown): void {
    const hash = hashOf(key);
    this.#entries.set(hash, [this.#entries.get(hash)?.[0] ?? key, value]);
  }

  get(key: unknown): { readonly value: unknown } | undefined {
    const entry = this.#entries.get(hashOf(key));
    return entry && { value: entry[1] };
  }

  get size(): number {
    return this.#entries.size;
  }

  entries(): Iterable<readonly [key: unknown, value: unknown]> {
    return this.#entries.values();
  }

  text(): string {
    const entries = Array.from(
      this.entries(),
      ([key, value]) => `${representation(key)}: ${representation(value)}`,
    );
    return `{${entries.join(', ')}}`;
  }

  *parts(): Iterable<unknown> {
    for (const [key, value] of this.entries()) yield* [key, value];
  }
}

/** `range(...)`. */
export class Range extends PythonObject {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly length: number;

  constructor(start: number, stop: number, step: number) {
    super();
    if (![start, stop, step].every(Number.isSafeInteger)) refuse('a range this long');
    if (step === 0) refuse('a range with steps of 0');
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.length = Math.max(0, Math.ceil((stop - start) / step));
  }

  at(index: number): number {
    return this.start + index * this.step;
  }

  has(value: unknown): boolean {
    const number = numericOf(value);
    if (number === undefined) return false;
    const at = (doubleOf(number) - this.start) / this.step;
    return Number.isInteger(at) && at >= 0 && at < this.length;
  }

  text(): string {
    const step = this.step === 1 ? '' : `, ${String(this.step)}`;
    return `range(${String(this.start)}, ${String(this.stop)}${step})`;
  }

  parts(): readonly unknown[] {
    return [];
  }
}

/** `.keys()`, `.values()`, `.items()`: they show the dictionary as it is when they are looked at. */
export class View extends PythonObject {
  readonly kind: 'keys' | 'values' | 'items';
  readonly dict: Dict | Mapping;

  constructor(kind: View['kind'], dict: Dict | Mapping) {
    super();
    this.kind = kind;
    this.dict = dict;
  }

  *items(): Iterable<unknown> {
    for (const [key, value] of entriesOf(this.dict)) {
      yield this.kind === 'keys' ? key : this.kind === 'values' ? value : new Tuple([key, value]);
    }
  }

  text(): string {
    return `dict_${this.kind}(${representation(Array.from(this.items()))})`;
  }

  parts(): readonly unknown[] {
    return [this.dict];
  }
}

/** What can be walked once: the answer of `map`, `select` and their like. */
export class Walk extends PythonObject {
  readonly #items: Iterator<unknown>;

  constructor(items: Iterable<unknown>) {
    super();
    this.#items = items[Symbol.iterator]();
  }

  next(): IteratorResult<unknown> {
    return this.#items.next();
  }

  text(): string {
    return refuse('a walk such as map or select makes, printed: add "|list" or "|join"');
  }

  parts(): readonly unknown[] {
    return [];
  }
}

/** Something with a life of its own: functions, macros, loops, namespaces. Never printed. */
export abstract class Live extends PythonObject {
  abstract readonly what: string;

  text(): string {
    return refuse(`${this.what} as a text`);
  }

  parts(): readonly unknown[] {
    return [];
  }
}

export const isDict = (value: unknown): value is Dict | Mapping =>
  value instanceof Dict || isMapping(value);

export function* entriesOf(dict: Dict | Mapping): Iterable<readonly [unknown, unknown]> {
  if (dict instanceof Dict) yield* dict.entries();
  else {
    for (const key of Object.keys(dict)) {
      // What is undefined is not sent, and so not there.
      if (dict[key] !== undefined) yield [key, dict[key]];
    }
  }
}

export function entryOf(
  dict: Dict | Mapping,
  key: unknown,
): { readonly value: unknown } | undefined {
  if (dict instanceof Dict) return dict.get(key);
  const name = key instanceof Markup ? key.value : key;
  if (typeof name !== 'string') {
    hashOf(key);
    return undefined;
  }
  const value = ownValue(dict, name);
  return value === undefined ? undefined : { value };
}

export const sizeOf = (dict: Dict | Mapping): number =>
  dict instanceof Dict ? dict.size : Array.from(entriesOf(dict)).length;

/** A text, marked or not. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof Markup ? value.value : undefined;
}

/** `str()` inside an expression. The service prints nothing for null, and Python "None". */
export function strOf(value: unknown): string {
  if (value === undefined) return '';
  return value === null ? refuse('None inside an expression') : plainText(value);
}

/** The letters of a text as Python counts them. */
export const lettersOf = (text: string): readonly string[] => Array.from(text);

/** Undefined for what has no length. */
export function lengthOf(value: unknown): number | undefined {
  if (value === undefined) return 0;
  const text = textIn(value);
  if (text !== undefined) return letterCount(text);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Range) return value.length;
  if (value instanceof View) return sizeOf(value.dict);
  return isDict(value) ? sizeOf(value) : undefined;
}

export function isTrue(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const number = numericOf(value);
  if (number !== undefined) return compareNumeric(number, 0) !== 0;
  const length = lengthOf(value);
  if (length !== undefined) return length > 0;
  if (value === null) return false;
  return value instanceof PythonObject ? true : refuse('a value that JSON does not hold');
}

/** Equal values have equal hashes, and other values others. */
export function hashOf(value: unknown): string {
  const text = textIn(value);
  if (text !== undefined) return `s${text}`;
  const number = numericOf(value);
  if (number !== undefined) {
    return `n${isInteger(number) ? number.toString() : String(doubleOf(number))}`;
  }
  if (value === null || value === undefined) return String(value);
  if (value instanceof Tuple) {
    const hashes = value.items.map(hashOf);
    return `(${hashes.map((hash) => `${hash.length}:${hash}`).join()})`;
  }
  return refuse('a list or dictionary as a key');
}

function isSequenceEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, at) => isEqual(item, right[at]));
}

/** `==` of Python, where True is 1. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined || left === null || right === null) {
    return left === right;
  }
  const [one, other] = [textIn(left), textIn(right)];
  if (one !== undefined || other !== undefined) return one === other;
  const [a, b] = [numericOf(left), numericOf(right)];
  if (a !== undefined || b !== undefined) {
    return a !== undefined && b !== undefined && compareNumeric(a, b) === 0;
  }
  if (Array.isArray(left) && Array.isArray(right)) return isSequenceEqual(left, right);
  if (left instanceof Tuple && right instanceof Tuple) {
    return isSequenceEqual(left.items, right.items);
  }
  if (isDict(left) && isDict(right)) {
    if (sizeOf(left) !== sizeOf(right)) return false;
    for (const [key, value] of entriesOf(left)) {
      const entry = entryOf(right, key);
      if (entry === undefined || !isEqual(value, entry.value)) return false;
    }
    return true;
  }
  if (left instanceof Range && right instanceof Range) {
    const { length } = left;
    if (length === 0 || right.length !== length) return right.length === length;
    return left.start === right.start && (length === 1 || left.step === right.step);
  }
  const isPlain = (value: unknown): boolean =>
    Array.isArray(value) || value instanceof Tuple || value instanceof Range || isDict(value);
  return isPlain(left) && isPlain(right) ? false : refuse('a comparison of such values');
}

/** Below, at or above zero; NaN where no order is. */
export function order(left: unknown, right: unknown): number {
  const [one, other] = [textIn(left), textIn(right)];
  if (one !== undefined && other !== undefined) return compareText(one, other);
  const [a, b]: (Numeric | undefined)[] = [numericOf(left), numericOf(right)];
  if (a !== undefined && b !== undefined) return compareNumeric(a, b);
  const items = (value: unknown): readonly unknown[] | undefined =>
    value instanceof Tuple ? value.items : undefined;
  const [xs, ys] =
    Array.isArray(left) && Array.isArray(right)
      ? [left as readonly unknown[], right as readonly unknown[]]
      : [items(left), items(right)];
  if (xs === undefined || ys === undefined) return refuse('an order of different things');
  const at = xs.findIndex((item, index) => index >= ys.length || !isEqual(item, ys[index]));
  if (at === -1 || at >= ys.length) return xs.length - ys.length;
  return order(xs[at], ys[at]);
}

export function isIn(
  item: unknown,
  container: unknown,
  walk: (value: unknown) => Iterable<unknown>,
): boolean {
  const text = textIn(container);
  if (text !== undefined) {
    const sought = textIn(item);
    return sought === undefined
      ? refuse('something else than a text in a text')
      : holdsText(text, sought);
  }
  if (isDict(container)) return entryOf(container, item) !== undefined;
  if (container instanceof Range) return container.has(item);
  for (const member of walk(container)) if (isEqual(item, member)) return true;
  return false;
}

/** What Python would call it, for those who want to know which kind of number it is. */
export function isFloat(value: unknown): boolean {
  if (value instanceof Float) return true;
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return false;
  const number = numericOf(value);
  return number !== undefined && !isInteger(number);
}
