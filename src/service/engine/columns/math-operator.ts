import * as z from 'zod';
import { EngineProblem } from '../problem.ts';
import { defineColumn, sourceNames, word } from './column-kind.ts';
import { numeralOf } from '../../../core/comparison.ts';
import { compareNumerals } from '../../../core/numeral.ts';
import { toNumeral } from './decimal.ts';
import type { Json } from './json.ts';
import { pair } from './pair.ts';

const OPERATORS = {
  lt: (order: number) => order < 0,
  le: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  ge: (order: number) => order >= 0,
} as const;

const config = z
  .looseObject({
    sources: sourceNames(1, 2),
    operator: word(['lt', 'le', 'gt', 'ge']),
    value: z.unknown().optional(),
  })
  .refine(({ sources, value }) => sources.length === 2 || (value ?? null) !== null, {
    error: 'one source needs a value to compare with',
  });

/** Compares two columns, or one column with a fixed value, as exact numbers. */
export const mathOperator = defineColumn(
  'MATH_OPERATOR',
  config,
  ({ sources: names, operator, value }) => {
    const holds = OPERATORS[operator];
    if (names.length === 2) {
      return (sources) => {
        const [left, right] = pair(sources.many('sources'));
        return holds(
          compareNumerals(toNumeral(left.value, left.title), toNumeral(right.value, right.title)),
        );
      };
    }
    const limit = numeralOf(value as Json);
    if (limit === undefined) {
      throw new EngineProblem(
        'invalid_config',
        'The config of a MATH_OPERATOR column is not valid: value: a number is needed.',
        { faults: [{ loc: ['value'], msg: 'a number is needed', type: 'number' }] },
      );
    }
    return (sources) => {
      const [left] = pair([...sources.many('sources'), { title: 'value', value: value as Json }]);
      return holds(compareNumerals(toNumeral(left.value, left.title), limit));
    };
  },
);
