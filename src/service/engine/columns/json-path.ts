import * as z from 'zod';
import { readAt } from '../problem.ts';
import { defineColumn, sourceName } from './column-kind.ts';
import { compilePath, quickWithPath } from './json-path-query.ts';
import { toJson } from './json.ts';

const config = z.looseObject({
  source: sourceName,
  json_path: z.string().min(1),
  return_first_match: z.boolean().nullish(),
});

/** What a JSONPath finds: the first match (null when there is none), or all of them. */
export const jsonPath = defineColumn('JSON_PATH', config, ({ json_path, return_first_match }) => {
  const path = readAt(['json_path'], () => compilePath(json_path));
  const onlyFirst = return_first_match ?? true;
  return {
    slow: false,
    quickUpTo: quickWithPath(path),
    compute: (sources) => {
      const { title, value } = sources.one('source');
      const json = toJson(value, title);
      return onlyFirst ? path.first(json) : path.find(json);
    },
  };
});
