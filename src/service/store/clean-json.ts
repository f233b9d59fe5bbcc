import { stringifyJson } from '../../core/http/json.ts';
import { isMapping } from '../../core/mapping.ts';

/** A text as both databases hold it. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '\u2400');

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key), clean(item)]),
  );
}

/**
 * JSON text for columns that statements look into. PostgreSQL's JSON functions refuse U+0000 and
 * halves of surrogate pairs: the first becomes its symbol, the second U+FFFD.
 */
export const cleanJson = (value: unknown): string => stringifyJson(clean(value));
