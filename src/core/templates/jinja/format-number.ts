import { refuse } from '../python-text.ts';
import { fixed, significant } from './decimals.ts';

const exponentText = (exponent: number): string =>
  `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;

const withPoint = (digits: string): string =>
  digits.length > 1 ? `${digits.slice(0, 1)}.${digits.slice(1)}` : digits;

const isNegative = (value: number): boolean => value < 0 || Object.is(value, -0);

function scientific(value: number, places: number): string {
  const { digits, exponent } = significant(value, places + 1);
  return `${isNegative(value) ? '-' : ''}${withPoint(digits)}e${exponentText(exponent)}`;
}

/** `%g`: as many digits as asked, without zeros at the end. */
function general(value: number, wanted: number): string {
  const precision = wanted === 0 ? 1 : wanted;
  const { digits, exponent } = significant(value, precision);
  const shown = digits.replace(/0+$/, '') || '0';
  const sign = isNegative(value) ? '-' : '';
  if (exponent < -4 || exponent >= precision) {
    return `${sign}${withPoint(shown)}e${exponentText(exponent)}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${shown}`;
  const whole = shown.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const rest = shown.slice(exponent + 1);
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** A float by one of the types f, e and g, of either case. */
export function floatBy(type: string, value: number, precision = 6): string {
  if (!Number.isFinite(value)) return refuse('an infinite number, formatted');
  const kind = type.toLowerCase();
  const text =
    kind === 'f'
      ? fixed(value, precision)
      : kind === 'e'
        ? scientific(value, precision)
        : general(value, precision);
  return kind === type ? text : text.toUpperCase();
}

/** An integer by one of the types d, x, X, o and b. */
export function integerBy(type: string, value: number | bigint): string {
  const radix = { d: 10, x: 16, X: 16, o: 8, b: 2 }[type] ?? refuse(`the format ${type}`);
  const text = value.toString(radix);
  return type === 'X' ? text.toUpperCase() : text;
}

/** `1234567.8` with separators. */
export function grouped(text: string, separator: string): string {
  const match = /^(-?)(\d+)(.*)$/s.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', rest = ''] = match;
  return `${sign}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, separator)}${rest}`;
}
