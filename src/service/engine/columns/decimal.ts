import Big from 'big.js';
import { ExactNumber } from '../../../api/exact-number.ts';
import { CellProblem } from '../problem.ts';
import { excerpt, jsonFromText, type Json } from './json.ts';

export type Decimal = Big;

/** Plus and minus align digits, so an exponent of a billion would ask for a billion digits. */
const LARGEST_EXPONENT = 2000;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number, or text that is one; undefined for anything else. */
export function readDecimal(value: Json): Decimal | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(String(value)) : undefined;
  const text = value instanceof ExactNumber ? value.text : value;
  if (typeof text !== 'string' || text.length > 5000) return undefined;
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed)) return undefined;
  const decimal = new Big(trimmed.replace(/^\+/, ''));
  return Math.abs(decimal.e) <= LARGEST_EXPONENT ? decimal : undefined;
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
