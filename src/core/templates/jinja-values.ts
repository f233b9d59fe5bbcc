import { ExactNumber } from '../../api/exact-number.ts';
import { holdsText } from '../holds-text.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { NotFaithful, compareText, plainText, stripped } from './python-text.ts';
import { ownValue } from '../../api/own-value.ts';

/** Names that Python's dict answers with a method, before it looks for a key. */
const mappingMethods = new Set(
  'clear copy fromkeys get items keys pop popitem setdefault update values'.split(' '),
);

const refuse = (what: string): never => {
  throw new NotFaithful(what);
};

function own(mapping: Mapping, name: string): unknown {
  if (name.startsWith('__') || mappingMethods.has(name)) return refuse(`.${name}`);
  return ownValue(mapping, name);
}

/** What `loop` knows inside a loop. */
export class LoopState {
  readonly #values: Mapping;

  constructor(index: number, count: number) {
    this.#values = {
      index: index + 1,
      index0: index,
      revindex: count - index,
      revindex0: count - index - 1,
      first: index === 0,
      last: index === count - 1,
      length: count,
    };
  }

  get(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : refuse(`loop.${name}`);
  }
}

export function attribute(value: unknown, name: string): unknown {
  if (value instanceof LoopState) return value.get(name);
  return isMapping(value) ? own(value, name) : refuse('an attribute of something else');
}

export function element(value: unknown, key: unknown): unknown {
  if (isMapping(value) && typeof key === 'string') return own(value, key);
  if (Array.isArray(value) && Number.isInteger(key)) return value.at(key as number);
  return refuse('an element of something else');
}

function bound(value: unknown): number | undefined {
  if (value === undefined || Number.isInteger(value)) return value as number | undefined;
  return refuse('a slice without numbers');
}

export function sliced(value: unknown, start: unknown, stop: unknown): unknown {
  if (Array.isArray(value)) return value.slice(bound(start), bound(stop));
  if (typeof value !== 'string') return refuse('a slice of something else');
  return Array.from(value).slice(bound(start), bound(stop)).join('');
}

export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isMapping(value)) return Object.keys(value).length > 0;
  if (value instanceof ExactNumber || value instanceof LoopState) {
    return refuse('the truth of something else');
  }
  return Boolean(value);
}

/** `==` of Python, where True is 1. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left instanceof ExactNumber || right instanceof ExactNumber) {
    return refuse('a comparison of long numbers');
  }
  if (left === undefined || right === undefined) return refuse('a comparison with nothing');
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => isEqual(item, right[at]));
  }
  if (isMapping(left) && isMapping(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key]))
    );
  }
  const number = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);
  return number(left) === number(right);
}

/** Below, at or above zero. */
export function order(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  return refuse('an order of different things');
}

export function isIn(item: unknown, container: unknown): boolean {
  if (typeof container === 'string' && typeof item === 'string') return holdsText(container, item);
  if (Array.isArray(container)) return container.some((member) => isEqual(item, member));
  if (isMapping(container) && typeof item === 'string') return Object.hasOwn(container, item);
  return refuse('in something else');
}

export function sum(left: unknown, right: unknown, sign: 1 | -1): unknown {
  if (sign === 1 && typeof left === 'string' && typeof right === 'string') return left + right;
  if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) {
    const result = (left as number) + sign * (right as number);
    if (Number.isSafeInteger(result)) return result;
  }
  return refuse('a sum of something else');
}

/** The text of a value inside an expression: nothing for what is not there. */
export function printed(value: unknown): string {
  if (value === undefined) return '';
  return value === null ? refuse('None inside an expression') : plainText(value);
}

/** What `{{ value }}` puts into the text: the service prints nothing for null, in both formats. */
export const put = (value: unknown): string => (value === null ? '' : printed(value));

function length(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return Array.from(value).length;
  if (Array.isArray(value)) return value.length;
  return isMapping(value) ? Object.keys(value).length : refuse('the length of something else');
}

/** Letters whose cases Python and JavaScript take from tables of the same age. */
const oldLetters =
  /^[\p{Cc} -\u02af\u0370-\u0373\u0376\u0377\u037a-\u03ff\u0400-\u04ff\u3000-\u9fff]*$/u;

function changedCase(value: unknown, change: (text: string) => string): string {
  const text = printed(value);
  // The form of a lower case sigma depends on its neighbours.
  if (!oldLetters.test(text) || text.includes('Σ')) return refuse('letters of uncertain case');
  return change(text);
}

type Filter = (value: unknown, args: readonly unknown[]) => unknown;

const items: Filter = (value) =>
  isMapping(value) ? Object.entries(value) : refuse('the items of something else');

function joined(value: unknown, [separator = '']: readonly unknown[]): string {
  if (!Array.isArray(value) || typeof separator !== 'string') return refuse('join');
  return value.map(printed).join(separator);
}

function replaced(value: unknown, [from, to]: readonly unknown[]): string {
  if (typeof value !== 'string' || typeof from !== 'string' || typeof to !== 'string') {
    return refuse('replace');
  }
  return from === '' ? refuse('replace') : value.split(from).join(to);
}

const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : refuse('a list');

/** Filters and the number of arguments that they take here. */
const filters: Readonly<Record<string, readonly [filter: Filter, least: number, most: number]>> = {
  upper: [(value) => changedCase(value, (text) => text.toUpperCase()), 0, 0],
  lower: [(value) => changedCase(value, (text) => text.toLowerCase()), 0, 0],
  trim: [(value) => stripped(printed(value)), 0, 0],
  length: [length, 0, 0],
  count: [length, 0, 0],
  string: [printed, 0, 0],
  join: [joined, 0, 1],
  replace: [replaced, 2, 2],
  first: [(value) => list(value)[0], 0, 0],
  last: [(value) => list(value).at(-1), 0, 0],
  items: [items, 0, 0],
  default: [
    (value, [other = '', always = false]) =>
      value === undefined || (isTrue(always) && !isTrue(value)) ? other : value,
    0,
    2,
  ],
};

const methods: Readonly<Record<string, Filter>> = {
  items,
  keys: (value) => (isMapping(value) ? Object.keys(value) : refuse('keys')),
  values: (value) => (isMapping(value) ? Object.values(value) : refuse('values')),
  upper: (value) =>
    changedCase(typeof value === 'string' ? value : refuse('upper'), (text) => text.toUpperCase()),
  lower: (value) =>
    changedCase(typeof value === 'string' ? value : refuse('lower'), (text) => text.toLowerCase()),
  strip: (value) => (typeof value === 'string' ? stripped(value) : refuse('strip')),
};

const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  defined: (value) => value !== undefined,
  undefined: (value) => value === undefined,
  none: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  mapping: isMapping,
};

const known = <T>(table: Readonly<Record<string, T>>, name: string, what: string): T => {
  const entry = ownValue(table, name);
  return entry ?? refuse(`${what} ${name}`);
};

export function filterNamed(name: string, argumentCount: number): Filter {
  const [filter, least, most] = known(filters, name === 'd' ? 'default' : name, 'filter');
  return argumentCount >= least && argumentCount <= most ? filter : refuse(`filter ${name}`);
}

export const methodNamed = (name: string): Filter => known(methods, name, 'method');
export const testNamed = (name: string): ((value: unknown) => boolean) =>
  known(tests, name, 'test');
