import { refuse } from '../python-text.ts';
import { fixed, roundedFloat, roundedInteger } from './decimals.ts';
import type { Env, Filter, Given } from './env.ts';
import { stripped } from './letters.ts';
import type { Numeric } from './numbers.ts';
import {
  MOST_DIGITS,
  calculate,
  compareNumeric,
  doubleOf,
  floatOf,
  indexOf,
  integerOf,
  isInteger,
  negated,
  numericOf,
} from './numbers.ts';
import { isTrue, textIn } from './values.ts';

/** A text as `int()` and `float()` take it: digits of any script are digits to Python. */
function numberLiteral(text: string): string {
  const inside = stripped(text);
  if (/(?!\p{ASCII})\p{N}/u.test(inside)) return refuse('digits of other scripts');
  return inside;
}

function integerIn(text: string): Numeric | undefined {
  const literal = numberLiteral(text);
  if (!/^[-+]?\d+(?:_\d+)*$/.test(literal)) return undefined;
  if (literal.length > MOST_DIGITS) return refuse('a number this long');
  const digits = literal.replaceAll('_', '').replace(/^\+/, '');
  return integerOf(BigInt(digits));
}

function floatIn(text: string): number | undefined {
  const literal = numberLiteral(text);
  const infinite = /^([-+]?)(inf|infinity|nan)$/i.exec(literal);
  if (infinite !== null) {
    const [, sign, name = ''] = infinite;
    const value = name.toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY;
    return sign === '-' ? -value : value;
  }
  const part = String.raw`\d+(?:_\d+)*`;
  const pattern = new RegExp(
    `^[-+]?(?:${part}\\.?(?:${part})?|\\.${part})(?:e[-+]?${part})?$`,
    'i',
  );
  return pattern.test(literal) ? Number(literal.replaceAll('_', '')) : undefined;
}

/** `int(value)` of a float; undefined where Python finds none. */
function truncated(value: number): Numeric | undefined {
  if (Number.isNaN(value)) return undefined;
  return Number.isFinite(value) ? integerOf(BigInt(Math.trunc(value))) : refuse('int of infinity');
}

function int(_env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('int', ['default', 'base']);
  if (indexOf(parameters.get('base', 10)) !== 10) return refuse('int with another base');
  const fallback = parameters.get('default', 0);
  if (value === undefined) return refuse('int of something undefined');
  const text = textIn(value);
  if (text !== undefined) {
    const integer = integerIn(text);
    if (integer !== undefined) return integer;
    const double = floatIn(text);
    if (double === undefined || !Number.isFinite(double)) return fallback;
    return truncated(double) ?? fallback;
  }
  const number = numericOf(value);
  if (number === undefined) return fallback;
  return isInteger(number) ? number : (truncated(doubleOf(number)) ?? fallback);
}

function float(_env: Env, value: unknown, given: Given): unknown {
  const fallback = given.read('float', ['default']).get('default', floatOf(0));
  if (value === undefined) return refuse('float of something undefined');
  const text = textIn(value);
  const double = text === undefined ? undefined : floatIn(text);
  if (text !== undefined) return double === undefined ? fallback : floatOf(double);
  const number = numericOf(value);
  return number === undefined ? fallback : floatOf(doubleOf(number));
}

function absolute(_env: Env, value: unknown, given: Given): unknown {
  given.none('abs');
  const number = numericOf(value) ?? refuse("abs of something that isn't a number");
  const isBelow = compareNumeric(number, 0) < 0 || Object.is(doubleOf(number), -0);
  return isBelow ? negated(number) : number;
}

/** `ceil` and `floor` shift the point there and back, as Jinja2 does it. */
function shifted(number: Numeric, places: number, method: 'ceil' | 'floor'): unknown {
  const scale = calculate('**', 10, places);
  const product = calculate('*', number, scale);
  const double = isInteger(product) ? product : Math[method](doubleOf(product));
  return calculate('/', integerOf(BigInt(double)), scale);
}

function round(_env: Env, value: unknown, given: Given): unknown {
  const parameters = given.read('round', ['precision', 'method']);
  const places = parameters.as('precision', indexOf, 0);
  const method = parameters.get('method', 'common');
  const number = numericOf(value) ?? refuse("round of something that isn't a number");
  if (Math.abs(places) > 300) return refuse('round to so many places');
  if (method === 'ceil' || method === 'floor') return shifted(number, places, method);
  if (method !== 'common') return refuse('round with another method');
  if (isInteger(number)) return integerOf(roundedInteger(number, places));
  return floatOf(roundedFloat(doubleOf(number), places));
}

/** Beyond a byte: thousands, or powers of 1,024. */
const sizes = { true: 'KiB MiB GiB TiB PiB EiB ZiB YiB', false: 'kB MB GB TB PB EB ZB YB' };

function filesizeformat(_env: Env, value: unknown, given: Given): unknown {
  const isBinary = isTrue(given.read('filesizeformat', ['binary']).get('binary', false));
  const text = textIn(value);
  const number = text === undefined ? numericOf(value) : undefined;
  const spelled = text === undefined ? undefined : floatIn(text);
  const size = number === undefined ? spelled : doubleOf(number);
  if (size === undefined || !Number.isFinite(size))
    return refuse("filesizeformat of something that isn't a number");
  const base = isBinary ? 1024 : 1000;
  if (size === 1) return '1 Byte';
  if (size < base) return `${String(BigInt(Math.trunc(size)))} Bytes`;
  let unit = BigInt(base);
  const name = sizes[isBinary ? 'true' : 'false'].split(' ').find((_, at, all) => {
    unit *= BigInt(base);
    return size < Number(unit) || at === all.length - 1;
  });
  return `${fixed((base * size) / Number(unit), 1)} ${name ?? ''}`;
}

export const numberFilters: Readonly<Record<string, Filter>> = {
  ...{ int, float, abs: absolute, round },
  filesizeformat,
};
