import { refuse } from '../python-text.ts';
import type { Env, Filter, NamedValues } from './env.ts';
import { Given, ownList } from './env.ts';
import { lower } from './letters.ts';
import { element } from './members.ts';
import { calculate, doubleOf, indexOf, isInteger, numericOf } from './numbers.ts';
import { added } from './operators.ts';
import {
  Tuple,
  Walk,
  View,
  entriesOf,
  hashOf,
  isDict,
  isEqual,
  isTrue,
  lengthOf,
  lettersOf,
  order,
  strOf,
  textIn,
} from './values.ts';

type Getter = (item: unknown) => unknown;

const ignoreCase = (value: unknown): unknown => {
  const text = textIn(value);
  return text === undefined ? value : lower(text);
};

/** `a.b.0`: names and numbers of elements, one below the other. */
function partsOf(path: unknown): readonly unknown[] {
  if (path === null) return [];
  const text = textIn(path);
  if (text === undefined) return [path];
  return text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function getter(
  path: unknown,
  change: Getter = (value) => value,
  fallback: unknown = null,
): Getter {
  const parts = partsOf(path);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = element(value, part);
      if (value === undefined && fallback !== null) value = fallback;
    }
    return change(value);
  };
}

/** What `sort`, `min`, `unique` and their like compare. */
const keyOf = (parameters: NamedValues, fallback?: unknown): Getter =>
  getter(
    parameters.get('attribute', null),
    isTrue(parameters.get('case_sensitive', false)) ? undefined : ignoreCase,
    fallback,
  );

/** As `<` does: equal things have an order only if their kind has one, but for those in a list. */
function compared(one: unknown, other: unknown): number {
  if (one === undefined || other === undefined) return refuse('an order of something undefined');
  const result = order(one, other);
  return Number.isNaN(result) ? refuse('an order of numbers that are none') : result;
}

/** Like `sorted()`: what is equal keeps its order, in both directions. */
function sorted(
  env: Env,
  items: readonly unknown[],
  key: Getter,
  isReversed = false,
): readonly unknown[] {
  const keyed = items.map((item) => ({ item, key: key(item) }));
  const only = keyed[0]?.key;
  // A single one is never compared.
  if (keyed.length > 1) compared(only, only);
  return keyed
    .sort((one, other) => {
      env.budget.step();
      env.budget.charge(one.key);
      return isReversed ? compared(other.key, one.key) : compared(one.key, other.key);
    })
    .map(({ item }) => item);
}

/** Python takes only numbers for it. */
const isBackwards = (given: NamedValues): boolean =>
  isTrue(given.as('reverse', (value) => indexOf(value), 0));

function sort(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('sort', ['reverse', 'case_sensitive', 'attribute']);
  const path = parameters.get('attribute', null);
  const paths = textIn(path)?.split(',') ?? [path];
  const change = isTrue(parameters.get('case_sensitive', false)) ? undefined : ignoreCase;
  const getters = paths.map((one) => getter(one, change));
  const key: Getter = (item) => getters.map((get) => get(item));
  return ownList(sorted(env, env.list(value), key, isBackwards(parameters)));
}

function dictsort(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('dictsort', ['case_sensitive', 'by', 'reverse']);
  if (!isDict(value)) return refuse("dictsort of something that isn't a dictionary");
  const by = parameters.get('by', 'key');
  if (by !== 'key' && by !== 'value') return refuse('dictsort by something else');
  const change = isTrue(parameters.get('case_sensitive', false)) ? undefined : ignoreCase;
  const pairs = Array.from(entriesOf(value), ([key, item]) => new Tuple([key, item]));
  const key = getter(by === 'key' ? 0 : 1, change);
  return ownList(sorted(env, pairs, key, isBackwards(parameters)));
}

function extreme(sign: 1 | -1): Filter {
  return (env, value, given) => {
    const key = keyOf(given.read('min and max', ['case_sensitive', 'attribute']));
    let best: { readonly item: unknown; readonly key: unknown } | undefined;
    for (const item of env.walk(value)) {
      const one = { item, key: key(item) };
      if (best === undefined || compared(one.key, best.key) * sign < 0) best = one;
    }
    return best?.item;
  };
}

function unique(env: Env, value: unknown, given: Given): unknown {
  const key = keyOf(given.read('unique', ['case_sensitive', 'attribute']));
  return new Walk(
    (function* walk() {
      const seen = new Set<string>();
      for (const item of env.walk(value)) {
        const hash = hashOf(key(item));
        if (!seen.has(hash)) {
          seen.add(hash);
          yield item;
        }
      }
    })(),
  );
}

function groupby(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('groupby', ['attribute', 'default', 'case_sensitive'], 1);
  const fallback = parameters.get('default', null);
  const key = keyOf(parameters, fallback);
  const shown = getter(parameters.get('attribute'), undefined, fallback);
  const groups: { key: unknown; items: unknown[] }[] = [];
  for (const item of sorted(env, env.list(value), key)) {
    const last = groups.at(-1);
    if (last !== undefined && isEqual(last.key, key(item))) last.items.push(item);
    else groups.push({ key: key(item), items: ownList([item]) });
  }
  return ownList(
    groups.map(({ items }) => new Tuple([shown(items[0]), items], ['grouper', 'list'])),
  );
}

/**
 * From 3.12 on, Python keeps what a sum of floats loses by rounding, and adds it in the end. Both
 * answers must be the same, since the version of the service is not known.
 */
function checkedSum(items: readonly unknown[]): void {
  let [total, lost, plain] = [0, 0, 0];
  for (const item of items) {
    const number = numericOf(item);
    if (number === undefined) return;
    const value = doubleOf(number);
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
    plain += value;
  }
  if (Number.isFinite(total) && total + lost !== plain) {
    refuse('a sum of floats whose last digit differs between versions of Python');
  }
}

function sum(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('sum', ['attribute', 'start']);
  const start = parameters.get('start', 0);
  const get = getter(parameters.get('attribute', null));
  const items = Array.from(env.walk(value), get);
  if (typeof start === 'string') return refuse('a sum of strings');
  const numbers = [start, ...items].map(numericOf);
  if (numbers.some((number) => number !== undefined && !isInteger(number))) {
    checkedSum([start, ...items]);
  }
  return items.reduce((total: unknown, item) => {
    const [one, other] = [numericOf(total), numericOf(item)];
    return one !== undefined && other !== undefined
      ? calculate('+', one, other)
      : added(env, total, item);
  }, start);
}

function join(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('join', ['d', 'attribute']);
  const get = getter(parameters.get('attribute', null));
  const texts = Array.from(env.walk(value), (item) => strOf(get(item)));
  const separator = strOf(parameters.get('d', ''));
  env.budget.spend(separator.length * texts.length);
  return texts.join(separator);
}

function map(env: Env, value: unknown, { positional, named }: Given): unknown {
  const apply = (): Getter => {
    if (positional.length === 0 && named.has('attribute')) {
      for (const name of named.keys()) {
        if (name !== 'attribute' && name !== 'default') return refuse(`map with ${name}`);
      }
      return getter(named.get('attribute'), undefined, named.get('default') ?? null);
    }
    const [name, ...rest] = positional;
    const filter = env.library.filter(textIn(name) ?? refuse('map without a filter'));
    const given = new Given(rest, named);
    return (item) => filter(env, item, given);
  };
  return new Walk(
    (function* walk() {
      if (!isTrue(value)) return;
      const change = apply();
      for (const item of env.walk(value)) yield change(item);
    })(),
  );
}

function selecting(isKept: boolean, isByAttribute: boolean): Filter {
  return (env, value, { positional, named }) =>
    new Walk(
      (function* walk() {
        if (!isTrue(value)) return;
        const [path, ...behind] = positional;
        if (isByAttribute && path === undefined) refuse('a selection without its attribute');
        const get = isByAttribute ? getter(path) : (item: unknown) => item;
        const [name, ...rest] = isByAttribute ? behind : positional;
        const given = new Given(rest, named);
        const test =
          name === undefined
            ? undefined
            : env.library.test(textIn(name) ?? refuse('a selection without a test'));
        for (const item of env.walk(value)) {
          const tested = get(item);
          const is = test === undefined ? isTrue(tested) : test(env, tested, given);
          if (is === isKept) yield item;
        }
      })(),
    );
}

function batch(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('batch', ['linecount', 'fill_with'], 1);
  const count = parameters.as('linecount', indexOf);
  const fill = parameters.get('fill_with', null);
  return new Walk(
    (function* walk() {
      let line: unknown[] = ownList([]);
      for (const item of env.walk(value)) {
        if (line.length === count) {
          yield line;
          line = ownList([]);
        }
        line.push(item);
      }
      if (line.length === 0) return;
      if (fill !== null && line.length < count) {
        env.budget.spend((count - line.length) * 64);
        while (line.length < count) line.push(fill);
      }
      yield line;
    })(),
  );
}

function slice(env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('slice', ['slices', 'fill_with'], 1);
  const count = parameters.as('slices', indexOf);
  const fill = parameters.get('fill_with', null);
  if (count === 0) return refuse('a division by zero');
  return new Walk(
    (function* walk() {
      const items = env.list(value);
      const size = Math.floor(items.length / count);
      const larger = items.length % count;
      let start = 0;
      for (let at = 0; at < count; at += 1) {
        env.budget.step();
        const end = start + size + (at < larger ? 1 : 0);
        const part = ownList(items.slice(start, end));
        if (fill !== null && at >= larger) part.push(fill);
        start = end;
        yield part;
      }
    })(),
  );
}

function reverse(env: Env, value: unknown, given: Given): unknown {
  given.none('reverse');
  const text = textIn(value);
  if (text !== undefined) {
    return typeof value === 'string' ? lettersOf(text).toReversed().join('') : refuse('reverse');
  }
  if (value instanceof Walk) return ownList(env.list(value).reverse());
  return new Walk(env.list(value).reverse());
}

function last(env: Env, value: unknown): unknown {
  return value instanceof Walk ? refuse('last of a walk: add "|list"') : env.list(value).at(-1);
}

function length(_env: Env, value: unknown, given: Given): unknown {
  given.none('length');
  return lengthOf(value) ?? refuse('the length of something that has none');
}

function first(env: Env, value: unknown, given: Given): unknown {
  given.none('first');
  for (const item of env.walk(value)) return item;
  return undefined;
}

function items(_env: Env, value: unknown, given: Given): unknown {
  given.none('items');
  if (value === undefined) return new Walk([]);
  if (!isDict(value)) return refuse("items of something that isn't a dictionary");
  return new Walk(new View('items', value).items());
}

export const listFilters: Readonly<Record<string, Filter>> = {
  batch,
  dictsort,
  first,
  groupby,
  items,
  join,
  last: (env, value, given) => {
    given.none('last');
    return last(env, value);
  },
  length,
  list: (env, value, given) => {
    given.none('list');
    return env.list(value);
  },
  map,
  max: extreme(-1),
  min: extreme(1),
  reject: selecting(false, false),
  rejectattr: selecting(false, true),
  reverse,
  select: selecting(true, false),
  selectattr: selecting(true, true),
  slice,
  sort,
  sum,
  unique,
};
