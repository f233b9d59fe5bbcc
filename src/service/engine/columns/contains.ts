import * as z from 'zod';
import { holdsText } from '../../../core/holds-text.ts';
import { defineColumn, sourceName } from './column-kind.ts';
import { toText, type Json } from './json.ts';

const config = z
  .looseObject({
    source: sourceName,
    value: z.unknown().optional(),
    value_source: sourceName.nullish(),
  })
  .refine(({ value, value_source }) => (value ?? value_source ?? null) !== null, {
    error: 'give value or value_source',
  });

/** Whether the text of a column holds another text, in whatever case. */
export const contains = defineColumn('CONTAINS', config, ({ value, value_source }) => {
  const fixed = (value ?? null) as Json;
  return (sources) => {
    const text = toText(sources.one('source').value).toLowerCase();
    const sought = value_source ? sources.one('value_source').value : fixed;
    return holdsText(text, toText(sought).toLowerCase());
  };
});
