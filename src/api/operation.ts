import * as z from 'zod';
import { CellStatus } from './cell.ts';
import { endpoint } from './endpoint.ts';
import { openEnum, respell } from './open-enum.ts';
import { sheetParams, sheetPath } from './sheet.ts';

const operationSpelling: Readonly<Record<string, string>> = {
  succeeded: 'completed',
  success: 'completed',
  error: 'failed',
  canceled: 'cancelled',
  pending: 'queued',
  in_progress: 'running',
};

/** No enum is published: these are seen. */
export const OperationStatus = openEnum(
  ['queued', 'running', 'completed', 'failed', 'cancelled'],
  respell(operationSpelling),
);

/** Counts by cell status; keys come in either case. */
export const StatusCounts = z.record(z.string(), z.number());
export type StatusCounts = z.output<typeof StatusCounts>;

/** An active recalculation of a sheet (specification 2.8). */
export const Operation = z.looseObject({
  operation_id: z.string(),
  operation: z.string().nullish(),
  status: OperationStatus,
  status_counts: StatusCounts.nullish(),
  cell_count: z.number().default(0),
  completed_count: z.number().default(0),
  failed_count: z.number().default(0),
  pending_count: z.number().default(0),
  status_url: z.string().nullish(),
  /** Of the local service, where an operation has a cost ceiling. */
  cost_ceiling_usd: z.number().nullish(),
  spent_usd: z.number().nullish(),
  /** Why it has stopped by itself. */
  error_message: z.string().nullish(),
});
export type Operation = z.output<typeof Operation>;

/** Terminal by its word, or because nothing is pending and all cells are accounted for. */
export function isOperationFinished(operation: Operation): boolean {
  if (['completed', 'failed', 'cancelled'].includes(operation.status)) return true;
  return (
    operation.pending_count === 0 &&
    operation.cell_count > 0 &&
    operation.completed_count + operation.failed_count >= operation.cell_count
  );
}

/** Which cells an operation takes by their state: uppercase on the wire, unlike cells. */
export const operationStatusFilter = [
  'STALE',
  'QUEUED',
  'DISPATCHED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
] as const;

/** A cell inside an operation's answer: without error texts and metrics. */
export const OperationCell = z.looseObject({
  id: z.string(),
  sheet_id: z.string().optional(),
  column_id: z.string(),
  row_index: z.number(),
  status: CellStatus,
});

const none = z.object({});
const operationsPath = `${sheetPath}/operations`;
const operationParams = sheetParams.extend({ operation_id: z.string().min(1) });

export const listOperations = endpoint({
  name: 'list_table_sheet_operations',
  summary: 'List the active operations of a sheet, with its counts by status',
  method: 'GET',
  path: operationsPath,
  params: sheetParams,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    sheet_id: z.string().optional(),
    version: z.number().nullish(),
    total_cells: z.number().nullish(),
    status_counts: StatusCounts.nullish(),
    pending_count: z.number().nullish(),
    active_operations: z.array(Operation).default([]),
  }),
  ok: [200],
  repeatable: true,
});

export const costCeilingQuery = z.object({
  /** USD; the local service stops before requests to models cost more. */
  cost_ceiling_usd: z.coerce.number().min(0).max(1e9).optional(),
});

export const createOperation = endpoint({
  name: 'create_table_sheet_operation',
  summary: 'Recalculate cells by column, row and status',
  method: 'POST',
  path: operationsPath,
  params: sheetParams,
  query: costCeilingQuery,
  body: z
    .strictObject({
      operation: z.literal('recalculate').default('recalculate'),
      column_ids: z.array(z.guid()).nullish(),
      /** Row indices, despite the name. */
      row_ids: z.array(z.int().min(0)).nullish(),
      /** Absent or null: stale cells only. Empty: cells of every status. */
      statuses: z.array(z.enum(operationStatusFilter)).nullish(),
      confirmation_token: z.string().nullish(),
    })
    .optional(),
  /** Three answers in one shape: the core tells them apart by content. */
  answer: z.looseObject({
    success: z.boolean(),
    message: z.string().optional(),
    operation: z.string().nullish(),
    operation_id: z.string().nullish(),
    execution_id: z.string().nullish(),
    execution_ids: z.array(z.string()).nullish(),
    cell_count: z.number().nullish(),
    virtual_cell_count: z.number().nullish(),
    version: z.number().nullish(),
    status_url: z.string().nullish(),
    cells: z.array(OperationCell).nullish(),
    requires_confirmation: z.boolean().nullish(),
    confirmation_token: z.string().nullish(),
    affected_cell_count: z.number().nullish(),
  }),
  ok: [200, 201, 202],
  repeatable: false,
});

export const getOperation = endpoint({
  name: 'get_table_sheet_operation',
  summary: 'Get an operation (an execution id is accepted too)',
  method: 'GET',
  path: `${operationsPath}/{operation_id}`,
  params: operationParams,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({ success: z.boolean().optional(), operation: Operation }),
  ok: [200],
  repeatable: true,
});

/** Specification 4.2. An unknown or finished operation is a success with zero counts. */
export const CancelAnswer = z.looseObject({
  success: z.boolean(),
  message: z.string().default(''),
  operation_id: z.string().optional(),
  execution_ids: z.array(z.string()).default([]),
  cancelled_cell_count: z.number().default(0),
  not_started_reset_count: z.number().default(0),
  running_invalidated_count: z.number().default(0),
});
export type CancelAnswer = z.output<typeof CancelAnswer>;

export const cancelOperation = endpoint({
  name: 'cancel_table_sheet_operation',
  summary: 'Cancel an operation',
  method: 'DELETE',
  path: `${operationsPath}/{operation_id}`,
  params: operationParams,
  query: none,
  body: z.undefined(),
  answer: CancelAnswer,
  ok: [200],
  repeatable: true,
});

/** Not in the public description; the official SDK calls it. */
export const getStatusCounts = endpoint({
  name: 'get_table_sheet_status_counts',
  summary: 'Count the cells of a sheet by status',
  method: 'GET',
  path: `${sheetPath}/status-counts`,
  params: sheetParams,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    total_cells: z.number().nullish(),
    status_counts: StatusCounts,
  }),
  ok: [200],
  repeatable: true,
});
