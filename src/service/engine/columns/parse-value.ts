import * as z from 'zod';
import { CellProblem } from '../problem.ts';
import { defineColumn, sourceName, word } from './column-kind.ts';
import { decimalToJson, toDecimal } from './decimal.ts';
import { excerpt, isObject, jsonAsWritten, toJson, toText, type Json } from './json.ts';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const YES = new Set(['true', 'yes', '1', 'y', 'on']);
const NO = new Set(['false', 'no', '0', 'n', 'off']);

const config = z.looseObject({
  source: sourceName,
  type: word(['string', 'number', 'boolean', 'object']),
});

/** Reads a column's value as another type, without losing a digit. */
export const parseValue = defineColumn('PARSE_VALUE', config, ({ type }) => (sources) => {
  const { title, value } = sources.one('source');
  switch (type) {
    case 'string':
      return toText(value);
    case 'number':
      return parseNumber(value, title);
    case 'boolean':
      return parseBoolean(value, title);
    case 'object': {
      const json = toJson(value, title);
      if (isObject(json) || Array.isArray(json)) return json;
      throw new CellProblem(
        'invalid_input',
        `Column "${title}" holds ${excerpt(value)}, which is not an object or a list.`,
      );
    }
  }
});

/** Text that is a JSON number keeps its digits; other spellings (+5, .5) are written anew. */
function parseNumber(value: Json, title: string): Json {
  if (typeof value === 'string' && JSON_NUMBER.test(value.trim()))
    return jsonAsWritten(value.trim());
  return decimalToJson(toDecimal(value, title));
}

function parseBoolean(value: Json, title: string): boolean {
  if (typeof value === 'boolean') return value;
  const text = toText(value).trim().toLowerCase();
  if (YES.has(text)) return true;
  if (NO.has(text)) return false;
  throw new CellProblem(
    'invalid_input',
    `Column "${title}" holds ${excerpt(value)}, which is neither true nor false.`,
  );
}
