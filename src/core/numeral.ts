import Big from 'big.js';

/**
 * A number as it is compared, sorted and added up: a double where its few digits make that exact,
 * otherwise a decimal with all of them. 64-bit ids and prices keep each digit.
 */
export type Numeral = number | Big;

const numeral = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i;
/** As many significant digits survive the way through a double and back, and keep their order. */
const DOUBLE_DIGITS = 15;
const DOUBLE_EXPONENT = 300;
/** Plus and minus align digits, so an exponent of a billion would ask for a billion digits. */
const LARGEST_EXPONENT = 2000;
const LONGEST_TEXT = 5000;

/** The number that a text spells, with all its digits; undefined where it spells none. */
export function decimalIn(text: string): Big | undefined {
  if (text.length > LONGEST_TEXT || !numeral.test(text)) return undefined;
  const decimal = new Big(text.trim().replace(/^\+/, ''));
  return Math.abs(decimal.e) <= LARGEST_EXPONENT ? decimal : undefined;
}

const isDouble = ({ c, e }: Big): boolean =>
  c.length <= DOUBLE_DIGITS && Math.abs(e) <= DOUBLE_EXPONENT;

/** The same, as cheap as its digits allow: equal numbers give equal doubles. */
export function numeralIn(text: string): Numeral | undefined {
  // Most numbers by far: no digit can be lost.
  if (text.length <= DOUBLE_DIGITS && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const decimal = decimalIn(text);
  return decimal !== undefined && isDouble(decimal) ? decimal.toNumber() : decimal;
}

const decimalOf = (value: Numeral): Big => (typeof value === 'number' ? new Big(value) : value);

/** Below zero, zero, or above. */
export const compareNumerals = (one: Numeral, other: Numeral): number =>
  typeof one === 'number' && typeof other === 'number'
    ? Math.sign(one - other)
    : decimalOf(one).cmp(decimalOf(other));

/** Adds numbers up without losing a digit: whole ones as long as a double holds their sum. */
export class ExactSum {
  #whole = 0;
  #rest: Big | undefined;

  add(value: Numeral): void {
    if (typeof value === 'number' && Number.isSafeInteger(value)) {
      const sum = this.#whole + value;
      if (Number.isSafeInteger(sum)) {
        this.#whole = sum;
        return;
      }
    }
    this.#rest = (this.#rest ?? new Big(0)).plus(decimalOf(value));
  }

  /** In digits, without an exponent. */
  get text(): string {
    return this.#rest === undefined ? String(this.#whole) : this.#rest.plus(this.#whole).toFixed();
  }
}
