import { refuse } from '../python-text.ts';
import { pairsIn } from './container-methods.ts';
import type { Env, Given } from './env.ts';
import { Callable } from './env.ts';
import { indexOf } from './numbers.ts';
import { Dict, Live, Range, strOf, textIn } from './values.ts';

/** `namespace()`: the only thing that a loop can change for those around it. */
export class Namespace extends Live {
  readonly what = 'a namespace';
  readonly #values = new Map<string, unknown>();

  get(name: string): unknown {
    return this.#values.get(name);
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value);
  }
}

/** `cycler()` and `joiner()`. */
abstract class WithAttributes extends Callable {
  abstract attribute(name: string): unknown;
}

export const isLive = (value: unknown): value is WithAttributes => value instanceof WithAttributes;

class Cycler extends WithAttributes {
  readonly #items: readonly unknown[];
  #at = 0;

  constructor(items: readonly unknown[]) {
    super('a cycler', () => refuse('a call of a cycler'));
    if (items.length === 0) refuse('a cycler without values');
    this.#items = items;
  }

  attribute(name: string): unknown {
    switch (name) {
      case 'current':
        return this.#items[this.#at];
      case 'next':
        return new Callable('.next', () => {
          const current = this.#items[this.#at];
          this.#at = (this.#at + 1) % this.#items.length;
          return current;
        });
      case 'reset':
        return new Callable('.reset', () => {
          this.#at = 0;
          return null;
        });
      default:
        return refuse(`.${name} of a cycler`);
    }
  }
}

function joiner(separator: unknown): Callable {
  let isUsed = false;
  return new Callable('a joiner', () => {
    const text = isUsed ? separator : '';
    isUsed = true;
    return text;
  });
}

const whole = (value: unknown): number => indexOf(value) ?? refuse('a range of something else');

function range(_env: Env, { positional, named }: Given): Range {
  if (named.size > 0 || positional.length === 0 || positional.length > 3) {
    return refuse('a range of something else');
  }
  const [first, second, step = 1] = positional;
  return positional.length === 1
    ? new Range(0, whole(first), 1)
    : new Range(whole(first), whole(second), whole(step));
}

function dict(env: Env, { positional, named }: Given): Dict {
  if (positional.length > 1) return refuse('dict() with so many arguments');
  const made = new Dict(positional.length === 0 ? [] : pairsIn(env, positional[0]));
  for (const [key, value] of named) made.set(key, value);
  return made;
}

function namespace(env: Env, given: Given): Namespace {
  const made = new Namespace();
  for (const [key, value] of dict(env, given).entries()) {
    made.set(textIn(key) ?? refuse('a namespace of something else'), value);
  }
  return made;
}

/** The functions that every template of Jinja2 has. */
const functions: Readonly<Record<string, Callable['call'] | undefined>> = {
  range,
  dict,
  namespace,
  cycler: (_env, { positional, named }) =>
    named.size > 0 ? refuse('a cycler with names') : new Cycler(positional),
  joiner: (_env, given) => joiner(strOf(given.read('joiner', ['sep']).get('sep', ', '))),
  lipsum: undefined,
};

export const functionNames: readonly string[] = Object.keys(functions);

export const isFunction = (name: string): boolean => Object.hasOwn(functions, name);

export function functionNamed(name: string): Callable | undefined {
  if (!isFunction(name)) return undefined;
  return new Callable(name, functions[name] ?? refuse(name));
}
