import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { measure } from './exact-number.ts';
import { openEnum, respell } from './open-enum.ts';
import { sheetParams, sheetPath } from './sheet.ts';

/** Sources spell cell states in three vocabularies and two cases; inside there is one. */
const cellSpelling: Readonly<Record<string, string>> = {
  success: 'completed',
  succeeded: 'completed',
  failed: 'error',
  dispatched: 'running',
  in_progress: 'running',
  pending: 'queued',
  not_started: 'queued',
  canceled: 'cancelled',
};

export const cellStatuses = [
  'completed',
  'stale',
  'running',
  'queued',
  'error',
  'cancelled',
] as const;

export const normaliseCellStatus = respell(cellSpelling);

/** Specification 2.2 and 3. */
export const CellStatus = openEnum(cellStatuses, normaliseCellStatus);
export type CellStatus = z.output<typeof CellStatus>;

/** Whether work on the cell is still to come or under way. */
export const isCellPending = (status: string): boolean =>
  status === 'queued' || status === 'running';

/** Specification 2.3. Latency in milliseconds, price in US dollars; null means unknown, not zero. */
export const RequestMetrics = z.looseObject({
  request_count: z.number().nullish(),
  request_ids: z.array(z.number()).nullish(),
  latency_ms: measure.nullish(),
  price: measure.nullish(),
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  trace_ids: z.array(z.string()).nullish(),
  /** Of the local service: how many of the answers were cut off at their limit of tokens. */
  cut_off_count: z.number().nullish(),
  /** Requests whose tokens nobody has counted but by an estimate. */
  estimated_count: z.number().nullish(),
});
export type RequestMetrics = z.output<typeof RequestMetrics>;

/**
 * Specification 2.2. `value` is any JSON; a number that a double cannot hold is an ExactNumber.
 * A cell that has no stored row yet may have an id that is not a UUID.
 */
export const Cell = z.looseObject({
  id: z.string(),
  sheet_id: z.string().optional(),
  column_id: z.string(),
  row_index: z.number(),
  status: CellStatus,
  display_value: z.string().nullish(),
  value: z.unknown().optional(),
  error: z.string().nullish(),
  error_message: z.string().nullish(),
  input_hash: z.string().nullish(),
  updated_at: z.string().nullish(),
  request_metrics: RequestMetrics.nullish(),
  execution_id: z.string().nullish(),
  last_computed_version: z.number().nullish(),
});
export type Cell = z.output<typeof Cell>;

/** The error text a user should read. */
export const cellError = (cell: Cell): string | undefined =>
  cell.error_message ?? cell.error ?? undefined;

/** Whether the value is made of half an answer. */
export const isCutOff = ({ request_metrics: metrics }: Pick<Cell, 'request_metrics'>): boolean =>
  (metrics?.cut_off_count ?? 0) > 0;

const none = z.object({});
const cellParams = sheetParams.extend({ cell_id: z.string().min(1) });

export const getCell = endpoint({
  name: 'get_table_sheet_cell',
  summary: 'Get a cell with its full value',
  method: 'GET',
  path: `${sheetPath}/cells/{cell_id}`,
  params: cellParams,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({ success: z.boolean().optional(), cell: Cell }),
  ok: [200],
  repeatable: true,
});

export const updateCell = endpoint({
  name: 'update_table_sheet_cell',
  summary: 'Write a cell of a TEXT column',
  method: 'PATCH',
  path: `${sheetPath}/cells/{cell_id}`,
  params: cellParams,
  query: none,
  body: z
    .looseObject({ display_value: z.string().nullish(), value: z.unknown().optional() })
    .refine((body) => body.display_value !== undefined || body.value !== undefined, {
      error: 'give value, display_value or both',
    }),
  answer: z.looseObject({
    success: z.boolean().optional(),
    cell: Cell,
    version: z.number().nullish(),
    /** Dependent cells that became stale. */
    stale_count: z.number().nullish(),
  }),
  ok: [200],
  repeatable: true,
});

/** Most cells that one request writes. */
export const mostWrittenCells = 1000;

/**
 * Not in the public description: of the local service. Many cells in one transaction; each has an
 * outcome of its own, in the order of the request.
 */
export const writeCells = endpoint({
  name: 'write_table_sheet_cells',
  summary: 'Write many cells of TEXT and HUMAN columns',
  method: 'PATCH',
  path: `${sheetPath}/cells`,
  params: sheetParams,
  query: none,
  body: z.looseObject({
    cells: z
      .array(
        z.looseObject({
          column_id: z.string().min(1),
          row_index: z.int().min(0),
          /** Null or absent: no value. */
          value: z.unknown().optional(),
          display_value: z.string().nullish(),
          /** Written only while the cell still shows this text (null and empty are the same). */
          expected: z.string().nullish(),
        }),
      )
      .min(1)
      .max(mostWrittenCells),
  }),
  answer: z.looseObject({
    success: z.boolean().optional(),
    version: z.number().nullish(),
    stale_count: z.number().nullish(),
    results: z.array(
      z.looseObject({
        outcome: openEnum(['written', 'same', 'differs', 'refused']),
        message: z.string().nullish(),
      }),
    ),
  }),
  ok: [200],
  // What is there already is written again to no effect.
  repeatable: true,
});

/** 202 with an execution, or 200 with `success: false` when nothing needs work. */
const RecalculationAnswer = z.looseObject({
  success: z.boolean(),
  message: z.string().optional(),
  execution_id: z.string().nullish(),
  cell_count: z.number().nullish(),
  selected_cell_count: z.number().nullish(),
});

export const recalculateCells = endpoint({
  name: 'recalculate_table_sheet_cells',
  summary: 'Recalculate exactly these cells',
  method: 'POST',
  path: `${sheetPath}/cells/recalculations`,
  params: sheetParams,
  query: none,
  body: z.looseObject({ cell_ids: z.array(z.string().min(1)).min(1) }),
  answer: RecalculationAnswer,
  ok: [200, 201, 202],
  repeatable: false,
});

export const recalculateCell = endpoint({
  name: 'recalculate_table_sheet_cell',
  summary: 'Recalculate one cell',
  method: 'POST',
  path: `${sheetPath}/cells/{cell_id}/recalculations`,
  params: cellParams,
  query: none,
  body: z.unknown().optional(),
  answer: RecalculationAnswer,
  ok: [200, 202],
  repeatable: false,
});
