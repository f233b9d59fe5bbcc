import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { measure } from './exact-number.ts';
import { openEnum, respell } from './open-enum.ts';
import { tableParams, tablesPath } from './table.ts';

/** Two published spellings of one state: `succeeded`/`completed`, `queued`/`pending`. */
const importSpelling: Readonly<Record<string, string>> = {
  succeeded: 'completed',
  success: 'completed',
  queued: 'pending',
  canceled: 'cancelled',
};

export const ImportStatus = openEnum(
  ['pending', 'running', 'completed', 'failed', 'cancelled'],
  respell(importSpelling),
);

/** Whether an import will not change any more. */
export const isImportFinished = (status: string): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

/** An import into a sheet. `progress` has no published unit: above 1 read it as per cent. */
export const ImportOperation = z.looseObject({
  operation_id: z.string(),
  source: openEnum(['file', 'request_logs']).optional(),
  status: ImportStatus,
  progress: measure.nullish(),
  message: z.string().nullish(),
  rows_added: z.number().nullish(),
  row_count: z.number().nullish(),
  file_name: z.string().nullish(),
  error_message: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
export type ImportOperation = z.output<typeof ImportOperation>;

export const ImportStarted = z.looseObject({
  success: z.boolean().optional(),
  message: z.string().optional(),
  operation_id: z.string(),
  operation: ImportOperation,
  status_url: z.string().nullish(),
});

/** Chosen by the caller and part of URLs, so half of a surrogate pair is not in it. */
export const operationId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Cs}+$/u, 'operation id must be well-formed text');

const fileName = z.string().min(1).max(255);
/** The file's bytes in base64; at most 100 MB decoded. */
const fileContent = z.base64();

const fileSource = z.looseObject({
  type: z.literal('file'),
  file_name: fileName.regex(/\.(csv|json)$/i, 'file name must end in .csv or .json'),
  file_content_base64: fileContent,
});

/** At most so many requests are chosen one by one, or asked for by `limit`. */
const MOST_REQUESTS = 50_000;

/** Names of input variables that become columns. */
const variablesToParse = z.array(z.string());
/** Names of fields that become columns: `output`, `price`, `metadata.user`, ... */
const includeFields = z.array(z.string()).nullish();
const requestLimit = z.int().min(1).max(MOST_REQUESTS).nullish();
/** Which requests a search finds: as in the search for requests. */
const foundRequests = {
  filter_group: z.looseObject({}).nullish(),
  q: z.string().nullish(),
  sort_by: z
    .enum(['request_start_time', 'input_tokens', 'output_tokens', 'cost', 'latency_ms', 'status'])
    .nullish(),
  sort_order: z.enum(['asc', 'desc']).nullish(),
} as const;

/** All of these that are given must hold. Fields of an older description are taken too. */
const sourceRequests = z.object({
  request_log_ids: z.array(z.int().min(1)).nullish(),
  prompt_id: z.int().nullish(),
  prompt_version_id: z.int().nullish(),
  prompt_label_id: z.int().nullish(),
  start_time: z.string().nullish(),
  end_time: z.string().nullish(),
  ...foundRequests,
  variables_to_parse: variablesToParse.nullish(),
  include_fields: includeFields,
  limit: requestLimit,
});
export type RequestsSource = z.input<typeof sourceRequests>;

const requestLogsSource = z.looseObject({
  type: z.literal('request_logs'),
  ...sourceRequests.shape,
});

export const importSource = z.discriminatedUnion('type', [fileSource, requestLogsSource]);

/** Polling place of an import. Note that it has no sheet id. */
export const getImport = endpoint({
  name: 'get_table_sheet_import_operation',
  summary: 'Get the state of an import',
  method: 'GET',
  path: `${tablesPath}/{table_id}/sheets/operations/{operation_id}`,
  params: tableParams.extend({ operation_id: z.string().min(1) }),
  query: z.object({}),
  body: z.undefined(),
  answer: z.looseObject({ success: z.boolean().optional(), operation: ImportOperation }),
  ok: [200],
  repeatable: true,
});

/** An endpoint of ours: nothing that is described ends an import. Rows that are there stay. */
export const cancelImport = endpoint({
  name: 'cancel_table_sheet_import_operation',
  summary: 'Cancel an import (an extension of this service)',
  method: 'DELETE',
  path: `${tablesPath}/{table_id}/sheets/operations/{operation_id}`,
  params: tableParams.extend({ operation_id: z.string().min(1) }),
  query: z.object({}),
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    message: z.string().optional(),
    operation: ImportOperation,
  }),
  ok: [200],
  repeatable: true,
});

export const importRequestLogs = endpoint({
  name: 'import_request_logs_to_table_sheet',
  summary: 'Add logged requests to a sheet, selected one by one or found by a search',
  method: 'POST',
  path: `${tablesPath}/{table_id}/sheets/{sheet_id}/imports/request-logs`,
  params: tableParams.extend({ sheet_id: z.guid() }),
  query: z.object({}),
  body: z.strictObject({
    ...foundRequests,
    request_log_ids: z.array(z.int().min(1)).min(1).max(MOST_REQUESTS).nullish(),
    variables_to_parse: variablesToParse.default([]),
    include_fields: includeFields,
    limit: requestLimit,
    metadata_cost_breakdown_key: z.string().nullish(),
    operation_id: operationId.nullish(),
  }),
  answer: ImportStarted,
  ok: [200, 202],
  repeatable: false,
});

export const importFile = endpoint({
  name: 'import_file_to_table_sheet',
  summary: 'Add the rows of a CSV file to a sheet',
  method: 'POST',
  path: `${tablesPath}/{table_id}/sheets/{sheet_id}/imports/file`,
  params: tableParams.extend({ sheet_id: z.guid() }),
  query: z.object({}),
  body: z.strictObject({
    file_name: fileName.regex(/\.csv$/i, 'file name must end in .csv'),
    file_content_base64: fileContent,
    operation_id: operationId.nullish(),
  }),
  answer: ImportStarted,
  ok: [200, 202],
  repeatable: false,
});
