import { refuse } from '../python-text.ts';

/** More digits than a double has, and few enough to be quick. */
export const MOST_PLACES = 300;

/** A double as a fraction of whole numbers, exactly. */
function fractionOf(value: number): { numerator: bigint; denominator: bigint } {
  let fraction = value;
  let power = 0;
  while (!Number.isInteger(fraction)) {
    fraction *= 2;
    power += 1;
  }
  return { numerator: BigInt(fraction), denominator: 2n ** BigInt(power) };
}

/** Divided and rounded, half to even: how Python rounds what it prints. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const [quotient, rest] = [numerator / denominator, numerator % denominator];
  const twice = rest * 2n;
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** `'%.nf' % value`. With a negative number of places, zeros before the point. */
export function fixed(value: number, places: number): string {
  if (!Number.isFinite(value) || Math.abs(places) > MOST_PLACES) return refuse('so many places');
  const { numerator, denominator } = fractionOf(Math.abs(value));
  const scale = 10n ** BigInt(Math.abs(places));
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (places <= 0) {
    const whole = rounded(numerator, denominator * scale) * scale;
    return `${sign}${whole.toString()}`;
  }
  const digits = rounded(numerator * scale, denominator)
    .toString()
    .padStart(places + 1, '0');
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** `round(value, places)` of a float. */
export const roundedFloat = (value: number, places: number): number =>
  Number.isFinite(value) ? Number(fixed(value, places)) : value;

/** `round(value, places)` of an integer. */
export function roundedInteger(value: number | bigint, places: number): bigint {
  if (places >= 0) return BigInt(value);
  if (-places > MOST_PLACES) return 0n;
  const scale = 10n ** BigInt(-places);
  const size = value < 0 ? -BigInt(value) : BigInt(value);
  const result = rounded(size, scale) * scale;
  return value < 0 ? -result : result;
}

/** Significant digits and the exponent of the first, as `'%e'` has them. */
export function significant(value: number, count: number): { digits: string; exponent: number } {
  if (!Number.isFinite(value) || count > MOST_PLACES) return refuse('so many places');
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  const { numerator, denominator } = fractionOf(Math.abs(value));
  let exponent = Math.floor(Math.log10(Math.abs(value)));
  for (;;) {
    const shift = count - 1 - exponent;
    const scale = 10n ** BigInt(Math.abs(shift));
    const whole =
      shift >= 0
        ? rounded(numerator * scale, denominator)
        : rounded(numerator, denominator * scale);
    const digits = whole.toString();
    if (digits.length === count) return { digits, exponent };
    exponent += digits.length > count ? 1 : -1;
  }
}
