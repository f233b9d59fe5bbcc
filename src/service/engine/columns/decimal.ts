import Big from 'big.js';
import { ExactNumber } from '../../../api/exact-number.ts';
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

export function toDecimal(value: Json, title: string): Decimal {
  const decimal = readDecimal(value);
  if (decimal) return decimal;
  const what = value === null || value === '' ? 'is empty' : `holds ${excerpt(value)}`;
  throw new CellProblem('invalid_input', `Column "${title}" ${what}, but a number is needed.`);
}

/** Every digit is kept: parsing decides whether a double can hold it. */
export const decimalToJson = (decimal: Decimal): Json => jsonFromText(decimal.toString());

/** The projection by which totals and filters see a cell. */
export function numberOf(value: Json): number | null {
  const number = value instanceof ExactNumber ? value.valueOf() : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
