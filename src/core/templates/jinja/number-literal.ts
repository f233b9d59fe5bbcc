import { refuse } from '../python-text.ts';
import { MOST_DIGITS, floatOf, integerOf } from './numbers.ts';

/** `0x1f`, `1_000`. */
export function integerLiteral(text: string): unknown {
  const digits = text.replaceAll('_', '').toLowerCase();
  return digits.length > MOST_DIGITS ? refuse('a number this long') : integerOf(BigInt(digits));
}

export const floatLiteral = (text: string): unknown => floatOf(Number(text.replaceAll('_', '')));
