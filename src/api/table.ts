import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { cursorQuery, pageOf } from './page.ts';

export const tablesPath = '/api/public/v2/tables';
export const tableParams = z.object({ table_id: z.guid() });
export const title = z.string().trim().min(1).max(255);

/** A table: a set of sheets in one workspace. Times are ISO 8601. */
export const Table = z.looseObject({
  id: z.string(),
  workspace_id: z.number().optional(),
  title: z.string(),
  folder_id: z.number().nullish(),
  sheet_count: z.number().optional(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
export type Table = z.output<typeof Table>;

export const TableDetail = z.looseObject({
  ...Table.shape,
  /** Row count by sheet id. */
  sheet_row_counts: z.record(z.string(), z.number()).optional(),
});
export type TableDetail = z.output<typeof TableDetail>;

/** A sheet: columns and rows. `version_count` rises with every committed change. */
export const Sheet = z.looseObject({
  id: z.string(),
  table_id: z.string(),
  workspace_id: z.number().optional(),
  title: z.string(),
  index: z.number().optional(),
  row_count: z.number().optional(),
  version_count: z.number().optional(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  /** Of lists of the local service: what was asked for last and has failed. */
  problems: z
    .array(z.looseObject({ kind: z.string(), message: z.string() }))
    .catch([])
    .optional(),
});
export type Sheet = z.output<typeof Sheet>;

/** A plain acknowledgement. */
export const Acknowledgement = z.looseObject({
  success: z.boolean().optional(),
  message: z.string().optional(),
});

const TableAnswer = z.looseObject({ success: z.boolean().optional(), table: TableDetail });
const none = z.object({});
const filters = {
  prompt_id: z.coerce.number().int().optional(),
  prompt_version_id: z.coerce.number().int().optional(),
  prompt_label_id: z.coerce.number().int().optional(),
} as const;

export const listTables = endpoint({
  name: 'list_tables',
  summary: 'List tables, newest first',
  method: 'GET',
  path: tablesPath,
  params: none,
  query: z.object({
    ...cursorQuery({ limit: 20, order: 'desc' }),
    folder_id: z.coerce.number().int().optional(),
    /** Case-insensitive part of the title. */
    name: z.string().optional(),
    ...filters,
  }),
  body: z.undefined(),
  answer: pageOf(Table, 'tables'),
  ok: [200],
  repeatable: true,
});

export const createTable = endpoint({
  name: 'create_table',
  summary: 'Create a table, by default with one sheet of one column and one row',
  method: 'POST',
  path: tablesPath,
  params: none,
  query: none,
  body: z
    .looseObject({
      title: title.nullish(),
      folder_id: z.int().nullish(),
      create_default_sheet: z.boolean().default(true),
    })
    .optional(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    message: z.string().optional(),
    table: TableDetail,
    default_sheet: Sheet.nullish(),
  }),
  ok: [200, 201],
  repeatable: false,
});

export const getTable = endpoint({
  name: 'get_table',
  summary: 'Get a table',
  method: 'GET',
  path: `${tablesPath}/{table_id}`,
  params: tableParams,
  query: none,
  body: z.undefined(),
  answer: TableAnswer,
  ok: [200],
  repeatable: true,
});

export const updateTable = endpoint({
  name: 'update_table',
  summary: 'Rename a table or move it to a folder (null: out of its folder)',
  method: 'PATCH',
  path: `${tablesPath}/{table_id}`,
  params: tableParams,
  query: none,
  body: z.looseObject({ title: title.nullish(), folder_id: z.int().nullish() }),
  answer: TableAnswer,
  ok: [200],
  repeatable: true,
});

export const deleteTable = endpoint({
  name: 'delete_table',
  summary: 'Delete a table (soft)',
  method: 'DELETE',
  path: `${tablesPath}/{table_id}`,
  params: tableParams,
  query: none,
  body: z.undefined(),
  answer: Acknowledgement.optional(),
  ok: [200, 204],
  repeatable: true,
});

export { filters as promptFilters };
