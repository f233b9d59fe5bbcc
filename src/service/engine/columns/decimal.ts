import Big from 'big.js';
import { ExactNumber } from '../../../api/exact-number.ts';
import { numeralOf } from '../../../core/comparison.ts';
import type { Numeral } from '../../../core/numeral.ts';
import { decimalIn } from '../../../core/numeral.ts';
import { CellProblem } from '../problem.ts';
import { excerpt, jsonFromText, type Json } from './json.ts';

export type Decimal = Big;

/** A number, or text that is one; undefined for anything else. */
export function readDecimal(value: Json): Decimal | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(String(value)) : undefined;
  const text = value instanceof ExactNumber ? value.text : value;
  return typeof text === 'string' ? decimalIn(text) : undefined;
}

function noNumber(value: Json, title: string): CellProblem {
  const what = value === null || value === '' ? 'is empty' : `holds ${excerpt(value)}`;
  return new CellProblem('invalid_input', `Column "${title}" ${what}, but a number is needed.`);
}

/** For calculating with. */
export function toDecimal(value: Json, title: string): Decimal {
  const decimal = readDecimal(value);
  if (decimal) return decimal;
  throw noNumber(value, title);
}

/** For comparing. */
export function toNumeral(value: Json, title: string): Numeral {
  const numeral = numeralOf(value);
  if (numeral !== undefined) return numeral;
  throw noNumber(value, title);
}

/** Every digit is kept: parsing decides whether a double can hold it. */
export const decimalToJson = (decimal: Decimal): Json => jsonFromText(decimal.toString());

export const numeralToJson = (numeral: Numeral): Json =>
  typeof numeral === 'number' ? numeral : decimalToJson(numeral);

/** The projection by which totals and filters see a cell. */
export function numberOf(value: Json): number | null {
  const number = value instanceof ExactNumber ? value.valueOf() : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
