import { refuse, representation } from '../python-text.ts';
import type { Env } from './env.ts';
import { floatBy, integerBy } from './format-number.ts';
import { doubleOf, isInteger, numericOf } from './numbers.ts';
import { Tuple, entryOf, isDict, strOf } from './values.ts';

const conversion = /%(?:\(([^()]*)\))?([-+ 0#]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?([a-zA-Z%])?/g;
/** Wider than any line of a prompt. */
export const WIDEST = 10_000;

/** The values after the "%": one after the other, or by their names. */
class Values {
  readonly #given: unknown;
  readonly #items: readonly unknown[];
  #used = 0;

  constructor(given: unknown) {
    this.#given = given;
    this.#items = given instanceof Tuple ? given.items : [given];
  }

  next(): unknown {
    if (this.#used >= this.#items.length) refuse('% with too few values');
    this.#used += 1;
    return this.#items[this.#used - 1];
  }

  named(name: string): unknown {
    if (!isDict(this.#given)) return refuse('%(name) without a dictionary');
    this.#used = 1;
    return (entryOf(this.#given, name) ?? refuse(`%(${name}) without its value`)).value;
  }

  end(): void {
    const mayBeLeft = isDict(this.#given) || Array.isArray(this.#given);
    if (this.#used < this.#items.length && !mayBeLeft) refuse('% with too many values');
  }
}

function integer(type: string, value: unknown): string {
  const number = numericOf(value);
  if (number === undefined) return refuse(`%${type} of something that isn't a number`);
  if (isInteger(number)) return integerBy('diu'.includes(type) ? 'd' : type, number);
  const double = doubleOf(number);
  if (!'diu'.includes(type) || !Number.isFinite(double)) return refuse(`%${type} of such a number`);
  return BigInt(Math.trunc(double)).toString();
}

function converted(type: string, value: unknown, precision: number | undefined): string {
  if (type === 's' || type === 'r') {
    const text = type === 's' ? strOf(value) : representation(value);
    return precision === undefined ? text : Array.from(text).slice(0, precision).join('');
  }
  if ('diuxXo'.includes(type)) {
    return precision === undefined ? integer(type, value) : refuse(`%.n${type}`);
  }
  if (!'fFeEgG'.includes(type)) return refuse(`%${type}`);
  const number = numericOf(value) ?? refuse(`%${type} of something that isn't a number`);
  return floatBy(type, doubleOf(number), precision);
}

export function padded(
  text: string,
  width: number,
  fill: string,
  align: '<' | '>' | '^' | '=',
): string {
  const missing = Math.max(0, width - Array.from(text).length);
  if (align === '<') return text + fill.repeat(missing);
  if (align === '>') return fill.repeat(missing) + text;
  if (align === '^') {
    const left = Math.floor(missing / 2);
    return fill.repeat(left) + text + fill.repeat(missing - left);
  }
  const sign = /^[-+ ]/.exec(text)?.[0] ?? '';
  return sign + fill.repeat(missing) + text.slice(sign.length);
}

function sized(digits: string | undefined): number | undefined {
  if (digits === '*') return refuse('* in a format');
  if (digits === undefined) return undefined;
  const size = Number(digits);
  return size > WIDEST ? refuse('a format this wide') : size;
}

/** `template % given` of Python. */
export function percentFormat(env: Env, template: string, given: unknown): string {
  const values = new Values(given);
  const text = template.replaceAll(
    conversion,
    (whole: string, ...groups: readonly (string | undefined)[]) => {
      const [name, flags = '', width, precision, type] = groups;
      if (type === undefined) return refuse('% without a kind of format');
      if (type === '%') return whole === '%%' ? '%' : refuse('% with a format');
      if (flags.includes('#')) return refuse('# in a format');
      const value = name === undefined ? values.next() : values.named(name);
      const places = sized(precision);
      const wide = sized(width) ?? 0;
      env.budget.spend(wide + (places ?? 0));
      const plain = converted(type, value, places);
      env.budget.spend(plain.length);
      const isText = 'sr'.includes(type);
      const plus = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
      const shown = isText || plain.startsWith('-') ? plain : plus + plain;
      if (flags.includes('-')) return padded(shown, wide, ' ', '<');
      const isZero = flags.includes('0') && !isText;
      return padded(shown, wide, isZero ? '0' : ' ', isZero ? '=' : '>');
    },
  );
  values.end();
  return text;
}
