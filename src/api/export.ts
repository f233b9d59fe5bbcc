import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { queryFlag } from './page.ts';
import { sheetParams, sheetPath } from './sheet.ts';

export const exportMedia = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
} as const;
export type ExportFormat = keyof typeof exportMedia;

/**
 * An endpoint of ours, beside those of the public description: a whole sheet, or a saved version of
 * it, as one file that is sent while it is read.
 */
export const exportSheet = endpoint({
  name: 'export_table_sheet',
  summary: 'Send a sheet as a CSV, JSON, JSON Lines or Parquet file (an extension of this service)',
  method: 'GET',
  path: `${sheetPath}/export`,
  params: sheetParams,
  query: z.object({
    format: z.enum(['csv', 'json', 'jsonl', 'parquet']).default('csv'),
    /** `cells`: with the status and the error of each cell beside its value. */
    content: z.enum(['values', 'cells']).default('values'),
    /** Only these, in this order; several by repeating the name. All when absent. */
    column_ids: z.union([z.string(), z.array(z.string())]).optional(),
    include_system_columns: queryFlag().default(false),
    /** CSV only: text that a spreadsheet would run as a formula gets an apostrophe in front. */
    guard_formulas: queryFlag().default(true),
    /** A saved version in place of the sheet as it is now. */
    version_id: z.guid().optional(),
  }),
  body: z.undefined(),
  answer: z.unknown(),
  ok: [200],
  repeatable: true,
  media: Object.values(exportMedia),
});
