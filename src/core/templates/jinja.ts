import type { Mapping } from '../mapping.ts';
import { Budget } from './budget.ts';
import type { Render } from './f-string.ts';
import type { Library } from './jinja/env.ts';
import { Env } from './jinja/env.ts';
import { filterNamed } from './jinja/filters.ts';
import { isFunction } from './jinja/functions.ts';
import { namesHiddenEarly } from './jinja/names.ts';
import { parseJinja } from './jinja/parser.ts';
import { Scope } from './jinja/scope.ts';
import type { Print } from './jinja/statements.ts';
import { compileBlock } from './jinja/statements.ts';
import { testNamed } from './jinja/tests.ts';
import { NotFaithful, refuse } from './python-text.ts';

const library: Library = { filter: filterNamed, test: testNamed };

function refuseHidden(names: Iterable<string>, isGiven: (name: string) => boolean): void {
  for (const name of names) {
    if (isGiven(name)) refuse(`${name}, read in a block before it is set around it`);
  }
}

/** What is nested beyond measure has no answer in Python either. */
function withinStack<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NotFaithful('something nested or long beyond measure', { cause: error });
  }
}

interface Compiled {
  readonly print: Print;
  readonly hidden: ReadonlySet<string>;
}

/** Compiling costs more than rendering does, and all rows of a sheet have the same few templates. */
const kept = new Map<string, Compiled>();
const MOST_KEPT = 32;
const LONGEST_KEPT = 10_000;

function compiledOf(source: string): Compiled | undefined {
  const compiled = kept.get(source) ?? withinStack(() => compile(source));
  if (compiled === undefined || source.length > LONGEST_KEPT) return compiled;
  // The one that was used longest ago is the first.
  kept.delete(source);
  kept.set(source, compiled);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return compiled;
}

function compile(source: string): Compiled | undefined {
  const block = parseJinja(source);
  const [only] = block;
  if (block.length === 0 && source === '') return undefined;
  if (block.length === 1 && only?.type === 'Text' && only.text === source) return undefined;
  const hidden = namesHiddenEarly(block);
  refuseHidden(hidden, isFunction);
  return { print: compileBlock(block), hidden };
}

/**
 * A template as a function, made of what is proven to give the same text as Jinja2 in Python.
 * Throws NotFaithful for anything else; so may the function, for values it cannot vouch for.
 * Undefined when there is nothing to render.
 */
export function compileJinja(source: string): Render | undefined {
  const compiled = compiledOf(source);
  if (compiled === undefined) return undefined;
  const { print, hidden } = compiled;
  return (variables: Mapping, budget = new Budget()) => {
    refuseHidden(hidden, (name) => Object.hasOwn(variables, name));
    return withinStack(() => print(new Scope(variables, new Env(budget, library))));
  };
}
