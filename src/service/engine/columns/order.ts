import { CellProblem } from '../problem.ts';
import { readDecimal } from './decimal.ts';
import { excerpt, type Json, toText } from './json.ts';
import { sameJson } from './same-json.ts';

/** True and false are no numbers, though they could be counted. */
const decimalOf = (value: Json): ReturnType<typeof readDecimal> =>
  typeof value === 'boolean' ? undefined : readDecimal(value);

/** Equal as JSON or, of two kinds, as they look: a model's "true" and "5" are true and 5. */
export function looksSame(left: Json, right: Json): boolean {
  if (sameJson(left, right)) return true;
  if (left === null || right === null || typeof left === typeof right) return false;
  const [a, b] = [decimalOf(left), decimalOf(right)];
  return a !== undefined && b !== undefined ? a.eq(b) : toText(left) === toText(right);
}

/**
 * Which of two values comes first: below zero, zero or above. Numbers, also those that a text spells,
 * by their exact value, other texts by their letters. Undefined where there is nothing to compare
 * (null). Throws a CellProblem for a number and something that is none, because every answer would be
 * a guess: "N/A" is neither above nor below 3.
 */
export function orderOf(left: Json, right: Json): number | undefined {
  if (left === null || right === null) return undefined;
  const [a, b] = [decimalOf(left), decimalOf(right)];
  if (a !== undefined && b !== undefined) return a.cmp(b);
  if (a === undefined && b === undefined && typeof left === 'string' && typeof right === 'string') {
    return left === right ? 0 : left < right ? -1 : 1;
  }
  throw new CellProblem(
    'invalid_input',
    `${excerpt(left)} and ${excerpt(right)} have no order: compare two numbers or two texts.`,
  );
}
