import Big from 'big.js';
import { ExactNumber } from '../api/exact-number.ts';
import { stringifyJson } from './http/json.ts';
import type { Numeral } from './numeral.ts';
import { compareNumerals, numeralIn } from './numeral.ts';

/**
 * How two values compare, wherever something does: columns, conditions of workflows, JSONPath,
 * scorecards, filters and sums of the grid. Numbers by their exact value, also those that a text
 * spells; texts by their characters; true and false are no numbers; null is equal to null alone.
 */

/** What JSON can hold, with numbers of any size. */
export type Comparable =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly Comparable[]
  | { readonly [key: string]: Comparable };

const isNumber = (value: Comparable): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

const isList = (value: Comparable): value is readonly Comparable[] => Array.isArray(value);

const isObject = (value: Comparable): value is { readonly [key: string]: Comparable } =>
  typeof value === 'object' && value !== null && !isList(value) && !(value instanceof ExactNumber);

/** The number that a value is or, as a text, spells; undefined for anything else. */
export function numeralOf(value: Comparable): Numeral | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  // A JSON number is one however large its exponent is; of a text that would be a guess.
  if (value instanceof ExactNumber) return numeralIn(value.text) ?? new Big(value.text);
  return typeof value === 'string' ? numeralIn(value) : undefined;
}

function sameNumber(left: number | ExactNumber, right: number | ExactNumber): boolean {
  const [a, b] = [numeralOf(left), numeralOf(right)];
  return a !== undefined && b !== undefined ? compareNumerals(a, b) === 0 : Object.is(left, right);
}

/**
 * Equal as JSON: keys in any order, numbers by their exact value (1 = 1.0 = 1e0), a text never equal
 * to a number. Without recursion: values may be nested as deeply as they like.
 */
export function sameJson(left: Comparable, right: Comparable): boolean {
  const rest: [Comparable, Comparable][] = [[left, right]];
  for (let pair = rest.pop(); pair !== undefined; pair = rest.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (isNumber(a) && isNumber(b)) {
      if (!sameNumber(a, b)) return false;
    } else if (isList(a) && isList(b)) {
      if (a.length !== b.length) return false;
      for (let at = a.length - 1; at >= 0; at -= 1) rest.push([a[at] ?? null, b[at] ?? null]);
    } else if (isObject(a) && isObject(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        rest.push([a[key] ?? null, b[key] ?? null]);
      }
    } else return false;
  }
  return true;
}

/** What a person reads: text as it is, null as nothing, everything else as JSON. */
export function readText(value: Comparable): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

/**
 * Equal to a person: as numbers where both are or spell one, as JSON, or, of two kinds, as they look:
 * a model's "true" and "5" are true and 5. Agrees with `orderOf`: what is neither before nor after is
 * the same.
 */
export function looksSame(left: Comparable, right: Comparable): boolean {
  if (left === null || right === null) return left === right;
  const [a, b] = [numeralOf(left), numeralOf(right)];
  if (a !== undefined && b !== undefined) return compareNumerals(a, b) === 0;
  if (a !== undefined || b !== undefined) return false;
  if (typeof left === typeof right) return sameJson(left, right);
  return readText(left) === readText(right);
}

/** Two values that look the same have the same key, all others different ones. */
export function keyOf(value: Comparable): string {
  const numeral = numeralOf(value);
  if (numeral === undefined) return `text ${readText(value)}`;
  return `number ${(typeof numeral === 'number' ? new Big(numeral) : numeral).toString()}`;
}

const [firstSurrogate, firstBehind] = [0xd800, 0xe000];

/** Code units in the order of the characters that they make: pairs of surrogates come last. */
const rankOf = (unit: number): number =>
  unit >= firstSurrogate && unit < firstBehind ? unit + firstBehind : unit;

/** Character by character, as Python and RFC 9535 do: whatever language somebody reads in. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a !== b) return Math.sign(rankOf(a) - rankOf(b));
  }
  return Math.sign(left.length - right.length);
}

/**
 * Which of two values comes first: below zero, zero or above. `nothing` where one is null, `mixed`
 * for what can't be put in an order: a number and a text that spells none, a list, true and false.
 */
export function orderOf(left: Comparable, right: Comparable): number | 'nothing' | 'mixed' {
  if (left === null || right === null) return 'nothing';
  const [a, b] = [numeralOf(left), numeralOf(right)];
  if (a !== undefined && b !== undefined) return compareNumerals(a, b);
  return a === undefined && b === undefined && typeof left === 'string' && typeof right === 'string'
    ? compareTexts(left, right)
    : 'mixed';
}
