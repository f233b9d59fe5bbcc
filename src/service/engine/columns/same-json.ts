import { ExactNumber } from '../../../api/exact-number.ts';
import { readDecimal } from './decimal.ts';
import { isObject, type Json } from './json.ts';

const isNumber = (value: Json): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

/** Equal as JSON: keys in any order, numbers by their exact value (1 = 1.0 = 1e0). */
export function sameJson(left: Json, right: Json): boolean {
  if (isNumber(left) && isNumber(right)) return sameNumber(left, right);
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length &&
      left.every((item, index) => sameJson(item, right[index] ?? null))
    );
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every(
        (key) => Object.hasOwn(right, key) && sameJson(left[key] ?? null, right[key] ?? null),
      )
    );
  }
  return left === right;
}

function sameNumber(left: number | ExactNumber, right: number | ExactNumber): boolean {
  const [a, b] = [readDecimal(left), readDecimal(right)];
  return a && b ? a.eq(b) : String(left) === String(right);
}
