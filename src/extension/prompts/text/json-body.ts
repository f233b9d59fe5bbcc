import { stringifyJson } from '../../../core/http/json.ts';
import { isMapping } from '../../../core/mapping.ts';
import { sturdyJson } from './blocks.ts';

function pretty(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  const lines = (open: string, items: readonly string[], close: string): string =>
    `${open}\n${items.map((item) => `${inner}${item}`).join(',\n')}\n${indent}${close}`;
  if (Array.isArray(value) && value.length > 0) {
    return lines(
      '[',
      value.map((item) => pretty(item, inner)),
      ']',
    );
  }
  if (!isMapping(value)) return stringifyJson(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length === 0) return '{}';
  return lines(
    '{',
    entries.map(([key, item]) => `${stringifyJson(key)}: ${pretty(item, inner)}`),
    '}',
  );
}

/** JSON over several lines, digit by digit, as it stands in a block. */
export const jsonBody = (value: unknown): string => sturdyJson(pretty(value, ''));

/** The same on one line, for the header of a block. */
export const jsonLine = (value: unknown): string => sturdyJson(stringifyJson(value));
