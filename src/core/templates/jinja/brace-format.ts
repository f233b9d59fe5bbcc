import { refuse, representation } from '../python-text.ts';
import type { Env, Given } from './env.ts';
import { floatBy, grouped, integerBy } from './format-number.ts';
import type { Numeric } from './numbers.ts';
import { doubleOf, isInteger, numericOf } from './numbers.ts';
import { WIDEST, padded } from './percent-format.ts';
import { strOf, textIn } from './values.ts';

const piece = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;
const specification =
  /^(?:(?<fill>[^])?(?<align>[<>=^]))?(?<sign>[-+ ])?(?<zero>0)?(?<width>\d+)?(?<group>[,_])?(?:\.(?<precision>\d+))?(?<type>[a-zA-Z%])?$/u;

type Align = '<' | '>' | '^' | '=';

interface Specification {
  readonly fill: string;
  readonly align: Align | undefined;
  readonly sign: string;
  readonly isZero: boolean;
  readonly width: number;
  readonly group: string;
  readonly precision: number | undefined;
  readonly type: string;
}

function specificationIn(text: string): Specification {
  const groups = specification.exec(text)?.groups;
  if (groups === undefined) return refuse(`the format ${text}`);
  const {
    fill = ' ',
    align,
    sign = '',
    zero,
    width = '0',
    group = '',
    precision,
    type = '',
  } = groups;
  if (Number(width) > WIDEST || Number(precision ?? 0) > WIDEST)
    return refuse('a format this wide');
  return {
    fill,
    align: align as Align | undefined,
    sign,
    isZero: zero !== undefined,
    width: Number(width),
    group,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
}

function integerText(value: number | bigint, { type, precision }: Specification): string {
  if (precision !== undefined) return refuse('a precision of an integer');
  return integerBy(type === '' ? 'd' : type, value);
}

function numberFormatted(value: Numeric, given: Specification): string {
  const { type, precision, group, isZero, fill, align, sign, width } = given;
  let text: string;
  if (isInteger(value) && !'fFeEgG%'.includes(type || 'd')) text = integerText(value, given);
  else if (type === '%') text = `${floatBy('f', doubleOf(value) * 100, precision)}%`;
  else if (type !== '') {
    text = 'fFeEgG'.includes(type)
      ? floatBy(type, doubleOf(value), precision)
      : refuse(`the format ${type} of a float`);
  } else text = precision === undefined ? strOf(value) : refuse('a precision without a kind');
  if (group !== '') {
    if (isZero || !['', 'd', 'f', 'F', '%'].includes(type) || text.includes('e')) {
      return refuse(`${group} in such a format`);
    }
    text = grouped(text, group);
  }
  if (!text.startsWith('-') && sign !== '' && sign !== '-') text = sign + text;
  if (isZero && align === undefined) return padded(text, width, '0', '=');
  if (isZero) return refuse('0 with an alignment');
  return padded(text, width, fill, align ?? '>');
}

function textFormatted(text: string, given: Specification): string {
  const { type, precision, group, isZero, fill, align = '<', sign, width } = given;
  if (!['', 's'].includes(type) || group !== '' || sign !== '' || isZero || align === '=') {
    return refuse('such a format of a text');
  }
  const shown = precision === undefined ? text : Array.from(text).slice(0, precision).join('');
  return padded(shown, width, fill, align);
}

function formatted(value: unknown, text: string): string {
  if (text === '') return strOf(value);
  if (typeof value === 'string') return textFormatted(value, specificationIn(text));
  const number = numericOf(value);
  return number === undefined
    ? refuse('a format of something that is neither text nor number')
    : numberFormatted(number, specificationIn(text));
}

/** `template.format(...)`. */
export function braceFormat(env: Env, template: string, given: Given): string {
  let next = 0;
  let isNumbered: boolean | undefined;
  const valueOf = (name: string): unknown => {
    if (name !== '' && !/^\d+$/.test(name)) {
      if (!/^[A-Za-z_]\w*$/.test(name)) return refuse(`{${name}} in a format`);
      return given.named.has(name) ? given.named.get(name) : refuse(`{${name}} without its value`);
    }
    const isNumber = name !== '';
    if (isNumbered !== undefined && isNumbered !== isNumber) return refuse('{} beside {0}');
    isNumbered = isNumber;
    const at = isNumber ? Number(name) : next;
    next += 1;
    return at < given.positional.length ? given.positional[at] : refuse('{} without its value');
  };
  return template.replaceAll(piece, (whole: string, field: string | undefined) => {
    if (whole === '{{') return '{';
    if (whole === '}}') return '}';
    if (field === undefined) return refuse('a brace alone in a format');
    const match = /^([^!:]*)(?:!([rs]))?(?::(.*))?$/su.exec(field);
    if (match === null) return refuse(`{${field}} in a format`);
    const [, name = '', way, text = ''] = match;
    const value = valueOf(name);
    env.budget.charge(value);
    const shown = way === 'r' ? representation(value) : way === 's' ? strOf(value) : value;
    const result = formatted(typeof shown === 'string' ? shown : (textIn(shown) ?? shown), text);
    env.budget.spend(result.length);
    return result;
  });
}
