import * as z from 'zod';
import { CellProblem, EngineProblem } from '../problem.ts';
import { defineColumn, word } from './column-kind.ts';
import { decimalToJson, readDecimal } from './decimal.ts';
import { excerpt, type Json } from './json.ts';

const bound = z.number().nullish();

const config = z
  .looseObject({
    data_type: word(['number', 'string']),
    ui_element: z.looseObject({ type: z.string().min(1), min: bound, max: bound }),
  })
  .refine(({ ui_element: { min, max } }) => (min ?? -Infinity) <= (max ?? Infinity), {
    error: 'ui_element: min is larger than max',
  });

/**
 * The answer of a person as it is kept; null takes an answer back. Throws an EngineProblem for one
 * that the column's config does not allow.
 */
export function humanAnswer(columnConfig: Json, title: string, sent: Json): Json {
  if (sent === null || sent === '') return null;
  const known = config.safeParse(columnConfig);
  if (!known.success)
    throw refusal(title, 'does not say what it takes; set data_type and ui_element');
  const { data_type: type, ui_element: element } = known.data;
  if (type === 'string') {
    if (typeof sent === 'string') return sent;
    throw refusal(title, `takes text, not ${excerpt(sent)}`);
  }
  const number = typeof sent === 'boolean' ? undefined : readDecimal(sent);
  if (number === undefined) throw refusal(title, `takes a number, not ${excerpt(sent)}`);
  const { min, max } = element;
  if (typeof min === 'number' && number.lt(min)) {
    throw refusal(title, `takes no number below ${String(min)}`);
  }
  if (typeof max === 'number' && number.gt(max)) {
    throw refusal(title, `takes no number above ${String(max)}`);
  }
  return decimalToJson(number);
}

const refusal = (title: string, what: string): EngineProblem =>
  new EngineProblem('invalid_value', `Column "${title}" ${what}.`);

/** What a person fills in. No operation runs it. */
export const human = defineColumn('HUMAN', config, () => () => {
  throw new CellProblem('not_supported', 'A person fills this in; nothing can compute it.');
});
