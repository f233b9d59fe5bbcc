import { ExactNumber } from '../../../api/exact-number.ts';
import { isExactInDouble } from '../../http/exact-scan.ts';
import { PythonObject, floatText, refuse } from '../python-text.ts';
import type { Operator } from './nodes.ts';

/** Longer ones take long to multiply, and nobody writes them into a prompt. */
export const MOST_DIGITS = 1000;
const MOST_BITS = 3300;

/** A float that would pass for an integer: 10.0, infinity. All others are numbers of JavaScript. */
export class Float extends PythonObject {
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  text(): string {
    return floatText(this.value);
  }

  parts(): readonly unknown[] {
    return [];
  }
}

/** Integers: numbers as far as they are safe, then bigint. Floats: numbers with a fraction, and Float. */
export type Numeric = number | bigint | Float;

export const floatOf = (value: number): Numeric =>
  Number.isInteger(value) || !Number.isFinite(value) ? new Float(value) : value;

export function integerOf(value: bigint): Numeric {
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) {
    return Number(value);
  }
  const size = value < 0n ? -value : value;
  return size >> BigInt(MOST_BITS) === 0n ? value : refuse('a number this long');
}

function fromJson(value: number): Numeric {
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  if (!Number.isFinite(value)) return refuse('a number that JSON does not hold');
  if (!Number.isInteger(value)) return value;
  return Math.abs(value) < 1e21 ? BigInt(String(value)) : new Float(value);
}

function fromExact({ text }: ExactNumber): Numeric {
  if (/^-?\d+$/.test(text)) {
    return text.length > MOST_DIGITS ? refuse('a number this long') : integerOf(BigInt(text));
  }
  return isExactInDouble(text)
    ? floatOf(Number(text))
    : refuse('a number with more digits than a double');
}

/** Undefined for what is no number; booleans are numbers in Python. */
export function numericOf(value: unknown): Numeric | undefined {
  if (typeof value === 'number') return fromJson(value);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return value;
  if (value instanceof Float) return value;
  return value instanceof ExactNumber ? fromExact(value) : undefined;
}

export const isInteger = (value: Numeric): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));

/** The nearest double. */
export function doubleOf(value: Numeric): number {
  if (value instanceof Float) return value.value;
  const double = Number(value);
  return Number.isFinite(double) ? double : refuse('a number this long');
}

/** Below, at or above zero; NaN where one of them is none. */
export function compareNumeric(left: Numeric, right: Numeric): number {
  const a = left instanceof Float ? left.value : left;
  const b = right instanceof Float ? right.value : right;
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

/** A whole number for indexes, counts and widths; undefined for anything else. */
export function indexOf(value: unknown): number | undefined {
  const number = numericOf(value);
  if (number === undefined || !isInteger(number)) return undefined;
  // No list is longer than this; beyond it all are the same.
  return Number(number);
}

const isZero = (value: Numeric): boolean => compareNumeric(value, 0) === 0;
const byZero = (): never => refuse('a division by zero');

function integers(operator: Operator, left: number | bigint, right: number | bigint): Numeric {
  switch (operator) {
    case '+':
    case '-':
    case '*': {
      if (typeof left === 'number' && typeof right === 'number') {
        const quick =
          operator === '+' ? left + right : operator === '-' ? left - right : left * right;
        if (Number.isSafeInteger(quick)) return quick === 0 ? 0 : quick;
      }
      const [a, b] = [BigInt(left), BigInt(right)];
      return integerOf(operator === '+' ? a + b : operator === '-' ? a - b : a * b);
    }
    case '/':
      if (typeof left === 'number' && typeof right === 'number') return floatOf(left / right);
      return refuse('a division of numbers this long');
    case '//':
    case '%': {
      const [a, b] = [BigInt(left), BigInt(right)];
      const rest = a % b;
      const modulo = rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
      return integerOf(operator === '%' ? modulo : (a - modulo) / b);
    }
    case '**':
      return powerOfIntegers(left, right);
  }
}

function powerOfIntegers(left: number | bigint, right: number | bigint): Numeric {
  if (right < 0) return powerOfFloats(Number(left), Number(right));
  const size = left < 0 ? -BigInt(left) : BigInt(left);
  const bits = size < 2n ? 1 : size.toString(2).length;
  if (bits > 1 && BigInt(bits - 1) * BigInt(right) > BigInt(MOST_BITS)) {
    return refuse('a power this large');
  }
  // Of 0, 1 and -1 any power is quick, if it is not computed.
  const exponent = size < 2n && right > 2 ? 2n + (BigInt(right) % 2n) : BigInt(right);
  return integerOf(BigInt(left) ** exponent);
}

/** Bits of the fraction of a double, without zeros at the end. */
function bitsOf(value: number): number {
  let fraction = Math.abs(value);
  while (!Number.isInteger(fraction)) fraction *= 2;
  while (fraction !== 0 && fraction % 2 === 0) fraction /= 2;
  return fraction === 0 ? 0 : Math.floor(Math.log2(fraction)) + 1;
}

/** Only where no digit is rounded: the last one depends on the library that Python was built with. */
function powerOfFloats(base: number, exponent: number): Numeric {
  if (exponent === 0) return new Float(1);
  if (!Number.isInteger(exponent) || !Number.isFinite(base)) return refuse('a power of fractions');
  if (base === 0) return exponent < 0 ? byZero() : new Float(base ** exponent);
  const bits = bitsOf(base);
  const isExact = bits === 1 || (exponent > 0 && bits * exponent <= 53);
  const result = base ** exponent;
  if (!isExact || !Number.isFinite(result) || Math.abs(result) < 1e-300) {
    return refuse('a power of fractions');
  }
  return floatOf(result);
}

/** As `float_divmod` of CPython does it, step by step. */
function divmod(left: number, right: number): { quotient: number; modulo: number } {
  let modulo = left % right;
  let quotient = (left - modulo) / right;
  if (modulo === 0) modulo = right < 0 ? -0 : 0;
  else if (right < 0 !== modulo < 0) {
    modulo += right;
    quotient -= 1;
  }
  if (quotient === 0) return { modulo, quotient: (left / right) * 0 };
  const floor = Math.floor(quotient);
  return { modulo, quotient: quotient - floor > 0.5 ? floor + 1 : floor };
}

function floats(operator: Operator, left: number, right: number): Numeric {
  switch (operator) {
    case '+':
      return floatOf(left + right);
    case '-':
      return floatOf(left - right);
    case '*':
      return floatOf(left * right);
    case '/':
      return floatOf(left / right);
    case '//':
    case '%':
      if (!Number.isFinite(left) || !Number.isFinite(right)) return refuse('infinite numbers');
      return floatOf(divmod(left, right)[operator === '%' ? 'modulo' : 'quotient']);
    case '**':
      return powerOfFloats(left, right);
  }
}

/** Arithmetic of Python: integers of any length, division that gives floats. */
export function calculate(operator: Operator, left: Numeric, right: Numeric): Numeric {
  if (['/', '//', '%'].includes(operator) && isZero(right)) return byZero();
  if (isInteger(left) && isInteger(right)) return integers(operator, left, right);
  return floats(operator, doubleOf(left), doubleOf(right));
}

export function negated(value: Numeric): Numeric {
  if (!isInteger(value)) return floatOf(-doubleOf(value));
  return typeof value === 'bigint' ? integerOf(-value) : value === 0 ? 0 : -value;
}
