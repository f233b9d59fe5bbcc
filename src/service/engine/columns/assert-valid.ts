import * as z from 'zod';
import { defineColumn, sourceName, word, type Compute } from './column-kind.ts';
import { readDecimal } from './decimal.ts';
import { isObject, jsonFromText, toText, type Json } from './json.ts';

const config = z.looseObject({ source: sourceName, type: word(['object', 'number', 'sql']) });

/** Whether a column holds a JSON object, a number, or SQL that parses. */
export const assertValid = defineColumn('ASSERT_VALID', config, ({ type }) => {
  switch (type) {
    case 'object':
      return quick((sources) => isJsonObject(sources.one('source').value));
    case 'number':
      return quick((sources) => readDecimal(sources.one('source').value) !== undefined);
    case 'sql':
      return {
        slow: true,
        compute: (sources, tools) => {
          const text = toText(sources.one('source').value);
          return text.trim() === '' ? false : tools.sandbox.isSql(text, tools);
        },
      };
  }
});

const quick = (compute: Compute) => ({ slow: false, compute });

function isJsonObject(value: Json): boolean {
  if (typeof value !== 'string') return isObject(value);
  try {
    return isObject(jsonFromText(value));
  } catch {
    // Not JSON is an answer here, not a failure.
    return false;
  }
}
