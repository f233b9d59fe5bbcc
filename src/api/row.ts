import * as z from 'zod';
import { Cell } from './cell.ts';
import { Column } from './column.ts';
import { endpoint } from './endpoint.ts';
import { measure } from './exact-number.ts';
import { openEnum } from './open-enum.ts';
import type { Page } from './page.ts';
import { cursorQuery, pageFields, pagePosition, queryFlag } from './page.ts';
import { sheetParams, sheetPath } from './sheet.ts';

/** Specification 2.1. `row_index` is a sort key and may have gaps; cells may be missing. */
export const Row = z.looseObject({
  row_index: z.number(),
  cells: z.record(z.string(), Cell),
});
export type Row = z.output<typeof Row>;

/** Specification 2.5. Null avg, min and max when no row has a value. */
export const MetricAggregate = z.looseObject({
  metric_key: openEnum(['price', 'latency_ms']),
  metric_label: z.string().nullish(),
  count: z.number(),
  sum: measure,
  avg: measure.nullish(),
  min: measure.nullish(),
  max: measure.nullish(),
  column_id: z.string().nullish(),
  source_column_id: z.string().nullish(),
});
export type MetricAggregate = z.output<typeof MetricAggregate>;

/** Specification 2.6. */
export const MetricAggregates = z.looseObject({
  by_column_id: z.record(z.string(), MetricAggregate),
  sheet: z.looseObject({ by_metric: z.record(z.string(), MetricAggregate) }),
});
export type MetricAggregates = z.output<typeof MetricAggregates>;

/** A row page as sent (specification 4.1), before the envelope is settled. */
export const SentRowsPage = z.looseObject({
  ...pageFields,
  data: z.array(Row).optional(),
  rows: z.array(Row).optional(),
  row_count: z.number().nullish(),
  columns: z.array(Column).nullish(),
  version: z.number().nullish(),
  execution_metadata_aggregates: MetricAggregates.nullish(),
});

export interface RowsPage extends Page<Row> {
  /** Empty on later pages unless asked for: that does not mean "no columns". */
  readonly columns: readonly Column[];
  readonly rowCount: number | undefined;
  readonly version: number | undefined;
  readonly aggregates: MetricAggregates | undefined;
}

/** Settles the envelope of a row page; undefined when it holds no list of rows. */
export function settleRowsPage(sent: z.output<typeof SentRowsPage>): RowsPage | undefined {
  const items = sent.data ?? sent.rows;
  if (items === undefined) return undefined;
  return {
    items,
    ...pagePosition(sent),
    columns: sent.columns ?? [],
    rowCount: sent.row_count ?? undefined,
    version: sent.version ?? undefined,
    aggregates: sent.execution_metadata_aggregates ?? undefined,
  };
}

const none = z.object({});
const rowsPath = `${sheetPath}/rows`;

export const listRows = endpoint({
  name: 'list_table_sheet_rows',
  summary: 'List the rows of a sheet, a page at a time',
  method: 'GET',
  path: rowsPath,
  params: sheetParams,
  query: z.object({
    ...cursorQuery({ limit: 100, order: 'asc' }),
    sort: z.literal('row_index').optional(),
    /** True on the first page, false on later pages, unless given. */
    include_columns: queryFlag().optional(),
    include_row_count: queryFlag().default(true),
    include_system_columns: queryFlag().default(false),
    include_execution_metadata_aggregates: queryFlag().default(false),
  }),
  body: z.undefined(),
  answer: SentRowsPage.transform((sent, context): RowsPage => {
    const page = settleRowsPage(sent);
    if (page !== undefined) return page;
    context.addIssue({ code: 'custom', message: 'no list of rows in the answer', path: ['data'] });
    return z.NEVER;
  }),
  ok: [200],
  repeatable: true,
});

export const addRows = endpoint({
  name: 'create_table_sheet_rows',
  summary: 'Add rows after the last one',
  method: 'POST',
  path: rowsPath,
  params: sheetParams,
  query: none,
  body: z
    .looseObject({
      count: z.int().min(1).max(100).default(1),
      /** Values of TEXT columns by column id; entries beyond `count` are ignored. */
      values: z.array(z.record(z.string(), z.unknown())).nullish(),
    })
    .optional(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    rows_created: z.number().nullish(),
    start_row_index: z.number().nullish(),
    row_indices: z.array(z.number()).nullish(),
    rows: z.array(Row).nullish(),
    cell_count: z.number().nullish(),
    row_count: z.number().nullish(),
    version: z.number().nullish(),
  }),
  ok: [200, 201],
  repeatable: false,
});

/** Not in the public description; the official SDK calls it. */
export const deleteRows = endpoint({
  name: 'delete_table_sheet_rows',
  summary: 'Delete rows by their index',
  method: 'DELETE',
  path: rowsPath,
  params: sheetParams,
  query: none,
  body: z.looseObject({ row_indices: z.array(z.int().min(0)).min(1).max(10_000) }),
  answer: z
    .looseObject({
      success: z.boolean().optional(),
      message: z.string().optional(),
      rows_deleted: z.number().nullish(),
      row_count: z.number().nullish(),
      version: z.number().nullish(),
    })
    .optional(),
  ok: [200, 204],
  repeatable: true,
});
