/** How two values of JSON compare, written once more, with whole numbers of any size. */

/** As it stands in JSON text: numbers keep every digit. */
export type Written =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'other'; readonly json: string };

export const written = {
  number: (text: string): Written => ({ kind: 'number', text }),
  text: (text: string): Written => ({ kind: 'text', text }),
  other: (json: string): Written => ({ kind: 'other', json }),
};

export const jsonOf = (value: Written): string =>
  value.kind === 'number'
    ? value.text
    : value.kind === 'text'
      ? JSON.stringify(value.text)
      : value.json;

interface Scaled {
  readonly whole: bigint;
  /** Times ten to the power of this. */
  readonly power: number;
}

const number = /^\s*([-+]?)(\d+)?(?:\.(\d*))?(?:e([-+]?\d+))?\s*$/i;

/** The number that a value is or spells; undefined for all others. */
function scaledOf(value: Written): Scaled | undefined {
  if (value.kind === 'other') return undefined;
  const found = number.exec(value.text);
  const [, sign = '', whole = '', rest = '', power = '0'] = found ?? [];
  if (found === null || `${whole}${rest}` === '') return undefined;
  const digits = BigInt(`${whole}${rest}`);
  return { whole: sign === '-' ? -digits : digits, power: Number(power) - rest.length };
}

export const isNumeral = (value: Written): boolean => scaledOf(value) !== undefined;

function orderOfScaled(left: Scaled, right: Scaled): number {
  const power = Math.min(left.power, right.power);
  const [a, b] = [left, right].map((one) => one.whole * 10n ** BigInt(one.power - power));
  return a === b ? 0 : (a ?? 0n) < (b ?? 0n) ? -1 : 1;
}

/** By the characters, not by UTF-16. */
function orderOfTexts(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const step = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
    if (step !== 0) return Math.sign(step);
  }
  return Math.sign(a.length - b.length);
}

const isNull = (value: Written): boolean => jsonOf(value) === 'null';

/** Undefined: there is none, because the two are of different kinds. */
export function orderOf(left: Written, right: Written): number | 'nothing' | undefined {
  if (isNull(left) || isNull(right)) return 'nothing';
  const [a, b] = [scaledOf(left), scaledOf(right)];
  if (a !== undefined && b !== undefined) return orderOfScaled(a, b);
  if (a !== undefined || b !== undefined) return undefined;
  return left.kind === 'text' && right.kind === 'text'
    ? orderOfTexts(left.text, right.text)
    : undefined;
}

const readOf = (value: Written): string => (value.kind === 'text' ? value.text : jsonOf(value));

/** Equal to a person: the JSON of lists and objects here is compact, with its keys in one order. */
export function looksSame(left: Written, right: Written): boolean {
  if (isNull(left) || isNull(right)) return isNull(left) && isNull(right);
  const order = orderOf(left, right);
  if (typeof order === 'number') return order === 0;
  return !isNumeral(left) && !isNumeral(right) && readOf(left) === readOf(right);
}

/** Equal as JSON, where a text is no number. */
export const sameJson = (left: Written, right: Written): boolean =>
  left.kind === right.kind &&
  (left.kind === 'number' ? orderOf(left, right) === 0 : jsonOf(left) === jsonOf(right));
