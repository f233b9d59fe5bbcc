import { refuse } from '../python-text.ts';
import type { Env } from './env.ts';
import { Callable } from './env.ts';
import { Live, Walk, isEqual, lengthOf } from './values.ts';

/**
 * `loop`, and the walk that it is about: one item after the other, so that a loop sees what its
 * own body changes. Whoever asks for the length or the next item makes it look ahead, as in Jinja2.
 */
export class LoopState extends Live {
  readonly what = 'loop';
  readonly #env: Env;
  readonly #whole: unknown;
  #items: Iterator<unknown>;
  #length: number | undefined;
  #ahead: IteratorResult<unknown> | undefined;
  #before: unknown;
  #current: unknown;
  #index = -1;
  #seen: readonly unknown[] | undefined;

  /** `whole` is undefined where a filter chooses among the items. */
  constructor(env: Env, items: Iterable<unknown>, whole: unknown) {
    super();
    this.#env = env;
    this.#items = items[Symbol.iterator]();
    this.#whole = whole;
  }

  next(): IteratorResult<unknown> {
    const next = this.#peek();
    this.#ahead = undefined;
    if (next.done === true) return next;
    this.#index += 1;
    this.#before = this.#current;
    this.#current = next.value;
    return next;
  }

  #peek(): IteratorResult<unknown> {
    this.#ahead ??= this.#items.next();
    return this.#ahead;
  }

  #count(): number {
    if (this.#length !== undefined) return this.#length;
    const length = this.#whole instanceof Walk ? undefined : lengthOf(this.#whole);
    if (this.#whole !== undefined && length !== undefined) this.#length = length;
    else {
      const rest: unknown[] = [];
      for (let next = this.#items.next(); next.done !== true; next = this.#items.next()) {
        rest.push(next.value);
      }
      this.#items = rest[Symbol.iterator]();
      const isAhead = this.#ahead !== undefined && this.#ahead.done !== true;
      this.#length = rest.length + this.#index + 1 + Number(isAhead);
    }
    return this.#length;
  }

  attribute(name: string): unknown {
    const index = this.#index;
    switch (name) {
      case 'index':
        return index + 1;
      case 'index0':
        return index;
      case 'revindex':
        return this.#count() - index;
      case 'revindex0':
        return this.#count() - index - 1;
      case 'first':
        return index === 0;
      case 'last':
        return this.#peek().done === true;
      case 'length':
        return this.#count();
      case 'depth':
        return 1;
      case 'depth0':
        return 0;
      case 'previtem':
        return index === 0 ? undefined : this.#before;
      case 'nextitem': {
        const next = this.#peek();
        return next.done === true ? undefined : next.value;
      }
      case 'cycle':
        return new Callable('loop.cycle', (_env, { positional, named }) =>
          positional.length === 0 || named.size > 0
            ? refuse('loop.cycle without values')
            : positional[index % positional.length],
        );
      case 'changed':
        return new Callable('loop.changed', (_env, { positional, named }) =>
          named.size > 0 ? refuse('loop.changed with names') : this.#isChanged(positional),
        );
      default:
        return refuse(`loop.${name}`);
    }
  }

  #isChanged(values: readonly unknown[]): boolean {
    const seen = this.#seen;
    this.#env.budget.step();
    if (seen?.length === values.length && values.every((value, at) => isEqual(value, seen[at]))) {
      return false;
    }
    this.#seen = values;
    return true;
  }
}
