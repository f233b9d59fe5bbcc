import { ExactNumber } from '../../../api/exact-number.ts';
import { readText } from '../../../core/comparison.ts';
import { parseJson, parseJsonAsWritten, stringifyJson } from '../../../core/http/json.ts';
import { CellProblem, messageOf } from '../problem.ts';

/** What a cell can hold. */
export type Json =
  null | boolean | number | string | ExactNumber | Json[] | { [key: string]: Json };

// Parsing gives nothing but JSON, so this is the one place where it is called that.

/** What cells and nodes hold, with numbers as they are written: 10.0 is shown as 10.0. */
export const jsonAsWritten = (text: string): Json =>
  // A string holds no numbers: most values are one, and looking for them takes twice as long as reading it.
  (text.startsWith('"') ? JSON.parse(text) : parseJsonAsWritten(text)) as Json;

/** What is the service's own: configs, counts, lists of ids. */
export const jsonFromText = (text: string): Json => parseJson(text) as Json;

export const jsonToText = (value: Json): string => stringifyJson(value);

export const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof ExactNumber);

/** What a person reads: text as it is, null as nothing, everything else as JSON. */
export const toText = (value: Json): string => readText(value);

/** Text is parsed, everything else is JSON already. */
export function toJson(value: Json, title: string): Json {
  if (typeof value !== 'string') return value;
  try {
    return jsonAsWritten(value);
  } catch (error) {
    throw new CellProblem(
      'invalid_input',
      `Column "${title}" does not hold JSON: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** Object keys in one order, so that equal values give equal texts. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return jsonToText(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}

/** What an error message quotes of a value. */
export function excerpt(value: Json): string {
  const text = jsonToText(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
