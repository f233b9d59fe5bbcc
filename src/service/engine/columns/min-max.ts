import * as z from 'zod';
import { CellProblem } from '../problem.ts';
import { defineColumn, sourceName, word } from './column-kind.ts';
import { decimalToJson, toDecimal, type Decimal } from './decimal.ts';
import { compilePath } from './json-path-query.ts';
import { isObject, toJson, type Json } from './json.ts';

const config = z.looseObject({
  source: sourceName,
  type: word(['min', 'max']),
  json_path: z.string().nullish(),
});

/** The least or greatest of the numbers in a column's JSON, or of those that a path finds in it. */
export const minMax = defineColumn('MIN_MAX', config, ({ type, json_path }) => {
  const find = json_path ? compilePath(json_path) : undefined;
  const wanted = type === 'min' ? -1 : 1;
  return (sources) => {
    const { title, value } = sources.one('source');
    const json = toJson(value, title);
    const numbers = (find ? find(json) : [json]).flatMap(members);
    let best: Decimal | undefined;
    for (const number of numbers) {
      const decimal = toDecimal(number, title);
      if (!best || decimal.cmp(best) === wanted) best = decimal;
    }
    if (best) return decimalToJson(best);
    throw new CellProblem('invalid_input', `Column "${title}" holds no numbers to compare.`);
  };
});

function members(json: Json): Json[] {
  if (Array.isArray(json)) return json.flatMap(members);
  return isObject(json) ? Object.values(json) : [json];
}
