import * as z from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * Of data sets, the one call that has a meaning for sheets: official clients name a sheet, the
 * description a group of data sets.
 */
export const addTrace = endpoint({
  name: 'add_trace',
  summary: 'Add a trace, or one span of it with its children, as a row of a sheet',
  method: 'POST',
  path: '/api/public/v2/dataset-versions/add-trace',
  params: z.object({}),
  query: z.object({}),
  body: z.looseObject({
    trace_id: z.string().min(1),
    span_id: z.string().min(1).nullish(),
    /** The table of the sheet. */
    smart_table_id: z.string().optional(),
    sheet_id: z.string().optional(),
    metadata: z.looseObject({}).nullish(),
    dataset_group_id: z.int().min(1).optional(),
  }),
  answer: z.looseObject({
    success: z.boolean().optional(),
    /** `trace` or `span`. */
    mode: z.string().optional(),
    row_index: z.number().optional(),
  }),
  ok: [201],
  repeatable: false,
});
