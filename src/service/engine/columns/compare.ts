import * as z from 'zod';
import {
  defineColumn,
  sourceNames,
  word,
  type Compute,
  type CompiledColumn,
} from './column-kind.ts';
import { sameJson } from '../../../core/comparison.ts';
import { stringifyJson } from '../../../core/http/json.ts';
import { compareNumerals } from '../../../core/numeral.ts';
import { readAt } from '../problem.ts';
import { toNumeral } from './decimal.ts';
import { compilePath, quickWithPath } from './json-path-query.ts';
import { jsonFromText, toJson, toText } from './json.ts';
import { pair } from './pair.ts';
import type { NamedValue, Sources } from './sources.ts';

const NUMBER_OPERATORS = {
  EQ: (order: number) => order === 0,
  NE: (order: number) => order !== 0,
  GT: (order: number) => order > 0,
  GTE: (order: number) => order >= 0,
  LT: (order: number) => order < 0,
  LTE: (order: number) => order <= 0,
} as const;

const comparison = z.preprocess(
  (sent) => (typeof sent === 'string' ? { type: sent } : sent),
  z.looseObject({
    type: word(['STRING', 'JSON', 'NUMBER'], 'upper'),
    json_path: z.string().nullish(),
    operator: word(['EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE'], 'upper').nullish(),
  }),
);

const config = z
  .looseObject({
    sources: sourceNames(1, 2),
    target: z.unknown().optional(),
    comparison_type: comparison,
  })
  .refine(({ sources, target }) => (sources.length === 2) === (target === undefined), {
    path: ['sources'],
    error: 'name 2 columns, or one and what it is compared with in target',
  });

type Two = (sources: Sources) => readonly [NamedValue, NamedValue];

/** Two columns, or one and the value that it is to have. */
const twoOf = (target: unknown): Two => {
  if (target === undefined) return (sources) => pair(sources.many('sources'));
  const wanted: NamedValue = { title: 'target', value: jsonFromText(stringifyJson(target)) };
  return (sources) => pair([...sources.many('sources'), wanted]);
};

/** Whether two values agree: as text, as JSON (or what a path finds in it), or as numbers. */
export const compare = defineColumn('COMPARE', config, ({ comparison_type: how, target }) => {
  const two = twoOf(target);
  switch (how.type) {
    case 'STRING':
      return (sources) => {
        const [left, right] = two(sources);
        return toText(left.value) === toText(right.value);
      };
    case 'JSON':
      return comparisonOfJson(how.json_path ?? '', two);
    case 'NUMBER': {
      const holds = NUMBER_OPERATORS[how.operator ?? 'EQ'];
      return (sources) => {
        const [left, right] = two(sources);
        return holds(
          compareNumerals(toNumeral(left.value, left.title), toNumeral(right.value, right.title)),
        );
      };
    }
  }
});

function comparisonOfJson(jsonPath: string, two: Two): CompiledColumn {
  const path =
    jsonPath === ''
      ? undefined
      : readAt(['comparison_type', 'json_path'], () => compilePath(jsonPath));
  const compute: Compute = (sources) => {
    const [left, right] = two(sources).map(({ title, value }) => {
      const json = toJson(value, title);
      return path ? path.first(json) : json;
    });
    return sameJson(left ?? null, right ?? null);
  };
  return { slow: false, quickUpTo: quickWithPath(path), compute };
}
