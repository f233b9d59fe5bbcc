import { parseJson, stringifyJson } from '../core/http/json.ts';

/** JSON laid out, with the digits of its numbers as they were sent. */
export function laidOut(value: unknown): string {
  const text = stringifyJson(value ?? null);
  const isExact = stringifyJson(JSON.parse(text)) === text;
  return isExact ? JSON.stringify(parseJson(text), null, 2) : text;
}
