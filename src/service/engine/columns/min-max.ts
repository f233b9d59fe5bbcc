import * as z from 'zod';
import { CellProblem, readAt } from '../problem.ts';
import { defineColumn, sourceName, word } from './column-kind.ts';
import type { Numeral } from '../../../core/numeral.ts';
import { compareNumerals } from '../../../core/numeral.ts';
import { numeralToJson, toNumeral } from './decimal.ts';
import { compilePath, quickWithPath } from './json-path-query.ts';
import { isObject, toJson, type Json } from './json.ts';

const config = z.looseObject({
  source: sourceName,
  type: word(['min', 'max']),
  json_path: z.string().nullish(),
});

/** The least or greatest of the numbers in a column's JSON, or of those that a path finds in it. */
export const minMax = defineColumn('MIN_MAX', config, ({ type, json_path }) => {
  const path = json_path ? readAt(['json_path'], () => compilePath(json_path)) : undefined;
  const wanted = type === 'min' ? -1 : 1;
  return {
    slow: false,
    quickUpTo: quickWithPath(path),
    compute: (sources) => {
      const { title, value } = sources.one('source');
      const json = toJson(value, title);
      let best: Numeral | undefined;
      for (const member of members(path ? path.find(json) : [json])) {
        const numeral = toNumeral(member, title);
        if (best === undefined || compareNumerals(numeral, best) === wanted) best = numeral;
      }
      if (best !== undefined) return numeralToJson(best);
      throw new CellProblem('invalid_input', `Column "${title}" holds no numbers to compare.`);
    },
  };
});

/** What is no list and no object, however deep. Each value is looked at once, without recursion. */
function* members(found: readonly Json[]): Generator<Json> {
  const rest: Json[] = found.toReversed();
  while (rest.length > 0) {
    const json = rest.pop() ?? null;
    const inner = Array.isArray(json) ? json : isObject(json) ? Object.values(json) : undefined;
    if (inner === undefined) yield json;
    else for (let at = inner.length - 1; at >= 0; at -= 1) rest.push(inner[at] ?? null);
  }
}
