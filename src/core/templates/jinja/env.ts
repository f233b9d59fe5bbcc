import type { Budget } from '../budget.ts';
import { refuse } from '../python-text.ts';
import { Live, Range, Tuple, View, Walk, entriesOf, isDict, lettersOf, textIn } from './values.ts';

/** Lists that a template made itself: only these may be changed by it. */
const made = new WeakSet();

/** A list of the template's own. */
export function ownList(items: Iterable<unknown>): unknown[] {
  const list = Array.isArray(items) ? items : Array.from(items);
  made.add(list);
  return list;
}

export const isOwnList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && made.has(value);

export type Filter = (env: Env, value: unknown, given: Given) => unknown;
export type Test = (env: Env, value: unknown, given: Given) => boolean;

/** Filters and tests by their names: some filters take others as arguments. Refuses those that are not known. */
export interface Library {
  readonly filter: (name: string) => Filter;
  readonly test: (name: string) => Test;
}

/** Python ends such a chain at about 300. */
const DEEPEST = 100;

/** What is at hand while a template is rendered. */
export class Env {
  readonly budget: Budget;
  readonly library: Library;
  #depth = 0;

  constructor(budget: Budget, library: Library) {
    this.budget = budget;
    this.library = library;
  }

  /** A macro, or what stands between `call` and `endcall`, that may call itself. */
  deeper<Result>(run: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > DEEPEST) return refuse('macros that call each other this deep');
    const result = run();
    this.#depth -= 1;
    return result;
  }

  /** The items of anything that can be walked. Each one costs. */
  *walk(value: unknown): Iterable<unknown> {
    for (const item of unbounded(value)) {
      this.budget.step();
      yield item;
    }
  }

  list(value: unknown): unknown[] {
    return ownList(Array.from(this.walk(value)));
  }
}

export function* keysOf(dict: Parameters<typeof entriesOf>[0]): Iterable<unknown> {
  for (const [key] of entriesOf(dict)) yield key;
}

function* rangeItems(range: Range): Iterable<unknown> {
  for (let at = 0; at < range.length; at += 1) yield range.at(at);
}

function* walkItems(walk: Walk): Iterable<unknown> {
  for (;;) {
    const next = walk.next();
    if (next.done === true) return;
    yield next.value;
  }
}

function unbounded(value: unknown): Iterable<unknown> {
  if (Array.isArray(value)) return value as unknown[];
  if (value === undefined) return [];
  const text = textIn(value);
  if (text !== undefined) return lettersOf(text);
  if (value instanceof Tuple) return value.items;
  if (value instanceof Range) return rangeItems(value);
  if (value instanceof View) return value.items();
  if (value instanceof Walk) return walkItems(value);
  if (isDict(value)) return keysOf(value);
  return refuse("a walk over something that isn't a list");
}

export const canBeWalked = (value: unknown): boolean =>
  value === undefined ||
  textIn(value) !== undefined ||
  Array.isArray(value) ||
  value instanceof Tuple ||
  value instanceof Range ||
  value instanceof View ||
  value instanceof Walk ||
  isDict(value);

const noNames: ReadonlyMap<string, unknown> = new Map();

/** Arguments of a call, a filter or a test. */
export class Given {
  readonly positional: readonly unknown[];
  readonly named: ReadonlyMap<string, unknown>;

  constructor(positional: readonly unknown[] = [], named: ReadonlyMap<string, unknown> = noNames) {
    this.positional = positional;
    this.named = named;
  }

  /** Values by the names of the parameters. `required`: how many of the first must be there. */
  read(what: string, names: readonly string[], required = 0): NamedValues {
    if (this.positional.length > names.length) refuse(`${what} with so many arguments`);
    const values = new Map(this.positional.map((value, at) => [names[at] ?? '', value]));
    for (const [name, value] of this.named) {
      if (!names.includes(name) || values.has(name)) refuse(`${what} with the argument ${name}`);
      values.set(name, value);
    }
    const missing = names.slice(0, required).find((name) => !values.has(name));
    if (missing !== undefined) refuse(`${what} without the argument ${missing}`);
    return new NamedValues(what, values);
  }

  with(name: string, value: unknown): Given {
    return new Given(this.positional, new Map(this.named).set(name, value));
  }

  without(name: string): Given {
    if (!this.named.has(name)) return this;
    return new Given(this.positional, new Map([...this.named].filter(([key]) => key !== name)));
  }

  none(what: string): void {
    if (this.positional.length + this.named.size > 0) this.read(what, []);
  }
}

export class NamedValues {
  readonly #what: string;
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(what: string, values: ReadonlyMap<string, unknown>) {
    this.#what = what;
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string, fallback?: unknown): unknown {
    return this.#values.has(name) ? this.#values.get(name) : fallback;
  }

  /** Refused where the value is another kind of thing, or missing without a fallback. */
  as<Value>(name: string, read: (value: unknown) => Value | undefined, fallback?: Value): Value {
    if (!this.#values.has(name) && fallback !== undefined) return fallback;
    const value = read(this.#values.get(name));
    return value === undefined ? refuse(`${this.#what} with such a value of ${name}`) : value;
  }
}

/** Something that can be called: a macro, a method, a function of Jinja2. */
export class Callable extends Live {
  readonly what: string;
  readonly isMacro: boolean;
  readonly call: (env: Env, given: Given) => unknown;

  constructor(what: string, call: (env: Env, given: Given) => unknown, isMacro = false) {
    super();
    this.what = what;
    this.isMacro = isMacro;
    this.call = call;
  }
}
