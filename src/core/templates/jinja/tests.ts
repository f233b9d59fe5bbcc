import { ownValue } from '../../../api/own-value.ts';
import { refuse } from '../python-text.ts';
import type { Given, Test } from './env.ts';
import { Callable, canBeWalked } from './env.ts';
import { isCased } from './letters.ts';
import { hasElements } from './members.ts';
import { calculate, compareNumeric, isInteger, numericOf } from './numbers.ts';
import { filterNamed } from './filters.ts';
import { Markup, isDict, isEqual, isFloat, isIn, order, strOf, textIn } from './values.ts';

const simple =
  (is: (value: unknown) => boolean): Test =>
  (_env, value, given) => {
    given.none('such a test');
    return is(value);
  };

const other = (given: Given): unknown => given.read('such a test', ['other'], 1).get('other');

const comparing =
  (is: (value: unknown, other: unknown) => boolean): Test =>
  (_env, value, given) =>
    is(value, other(given));

const rest = (value: unknown, by: unknown): unknown => {
  const [one, two] = [numericOf(value), numericOf(by)];
  return one === undefined || two === undefined
    ? refuse("a division of something that isn't a number")
    : calculate('%', one, two);
};

const isRest = (value: unknown, by: unknown, wanted: number): boolean => {
  const number = numericOf(rest(value, by));
  return number !== undefined && compareNumeric(number, wanted) === 0;
};

const below = comparing((value, limit) => order(value, limit) < 0);
const above = comparing((value, limit) => order(value, limit) > 0);
const atMost = comparing((value, limit) => order(value, limit) <= 0);
const atLeast = comparing((value, limit) => order(value, limit) >= 0);
const equal = comparing(isEqual);
const unequal = comparing((value, wanted) => !isEqual(value, wanted));

/** The same thing in memory: known of the few values that there is only one of. */
function isSame(value: unknown, wanted: unknown): boolean {
  const isOne = (one: unknown): boolean => one === null || typeof one === 'boolean';
  return isOne(value) || isOne(wanted)
    ? value === wanted
    : refuse('the test sameas of such values');
}

const isKnown = (find: (name: string) => unknown, name: unknown): boolean => {
  find(textIn(name) ?? refuse('such a name'));
  return true;
};

const tests: Readonly<Record<string, Test>> = {
  boolean: simple((value) => typeof value === 'boolean'),
  callable: simple((value) => value === undefined || value instanceof Callable),
  defined: simple((value) => value !== undefined),
  divisibleby: (_env, value, given) =>
    isRest(value, given.read('divisibleby', ['num'], 1).get('num'), 0),
  eq: equal,
  equalto: equal,
  '==': equal,
  escaped: simple((value) => value instanceof Markup),
  even: simple((value) => isRest(value, 2, 0)),
  false: simple((value) => value === false),
  filter: simple((value) => isKnown(filterNamed, value)),
  float: simple(isFloat),
  ge: atLeast,
  '>=': atLeast,
  gt: above,
  greaterthan: above,
  '>': above,
  in: (env, value, given) =>
    isIn(value, given.read('in', ['seq'], 1).get('seq'), (container) => env.walk(container)),
  integer: simple((value) => {
    const number = typeof value === 'boolean' ? undefined : numericOf(value);
    return number !== undefined && isInteger(number);
  }),
  iterable: simple(canBeWalked),
  le: atMost,
  '<=': atMost,
  lower: simple((value) => isCased(strOf(value), 'lower')),
  lt: below,
  lessthan: below,
  '<': below,
  mapping: simple(isDict),
  ne: unequal,
  '!=': unequal,
  none: simple((value) => value === null),
  number: simple((value) => numericOf(value) !== undefined),
  odd: simple((value) => isRest(value, 2, 1)),
  sameas: comparing(isSame),
  sequence: simple(hasElements),
  string: simple((value) => textIn(value) !== undefined),
  true: simple((value) => value === true),
  undefined: simple((value) => value === undefined),
  upper: simple((value) => isCased(strOf(value), 'upper')),
};

export const testNamed = (name: string): Test =>
  ownValue(tests, name) ?? refuse(`the test ${name}`);
