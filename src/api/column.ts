import * as z from 'zod';
import { Cell } from './cell.ts';
import { endpoint } from './endpoint.ts';
import { measure } from './exact-number.ts';
import { openEnum } from './open-enum.ts';
import { cursorQuery, pageOf, queryFlag } from './page.ts';
import { sheetParams, sheetPath } from './sheet.ts';
import { title } from './table.ts';

/** Specification 2.4. */
export const columnTypes = [
  'TEXT',
  'ABSOLUTE_NUMERIC_DISTANCE',
  'AI_DATA_EXTRACTION',
  'APPLY_DIFF',
  'ASSERT_VALID',
  'COALESCE',
  'CONDITION',
  'CODE_EXECUTION',
  'COMBINE_COLUMNS',
  'COMPARE',
  'COMPOSITION',
  'CONTAINS',
  'CONVERSATION_SIMULATOR',
  'COSINE_SIMILARITY',
  'COUNT',
  'ENDPOINT',
  'FOR_LOOP',
  'HUMAN',
  'JSON_PATH',
  'LLM_ASSERTION',
  'MATH_OPERATOR',
  'MCP',
  'MIN_MAX',
  'PARSE_VALUE',
  'PROMPT_TEMPLATE',
  'REGEX',
  'REGEX_EXTRACTION',
  'VARIABLE',
  'WHILE_LOOP',
  'WORKFLOW',
  'XML_PATH',
] as const;

export const ColumnType = openEnum(columnTypes);
export type ColumnType = z.output<typeof ColumnType>;

/** Lowercase names that create requests accept; answers are always uppercase. */
export const columnTypeAliases: Readonly<Record<string, (typeof columnTypes)[number]>> = {
  text: 'TEXT',
  prompt_template: 'PROMPT_TEMPLATE',
  llm: 'PROMPT_TEMPLATE',
  code: 'CODE_EXECUTION',
  score: 'LLM_ASSERTION',
  comparison: 'COMPARE',
  composition: 'COMPOSITION',
};

/** One source of a computed column. */
export const Dependency = z.looseObject({
  column_id: z.string(),
  reference_type: z.string().default('value'),
  config_key: z.string().nullish(),
  config_meta: z.looseObject({}).nullish(),
});
export type Dependency = z.output<typeof Dependency>;

export const Column = z.looseObject({
  id: z.string(),
  sheet_id: z.string().optional(),
  workspace_id: z.number().optional(),
  title: z.string(),
  type: ColumnType,
  config: z.looseObject({}).nullish(),
  position_rank: measure.nullish(),
  is_output_column: z.boolean().nullish(),
  dependencies: z.array(Dependency).nullish(),
  /** System-managed metadata column (price, latency). */
  is_system: z.boolean().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
export type Column = z.output<typeof Column>;

const columnParams = sheetParams.extend({ column_id: z.guid() });
const columnsPath = `${sheetPath}/columns`;
const none = z.object({});

export const listColumns = endpoint({
  name: 'list_table_sheet_columns',
  summary: 'List the columns of a sheet in their order',
  method: 'GET',
  path: columnsPath,
  params: sheetParams,
  query: z.object({
    ...cursorQuery({ limit: 100, order: 'asc' }),
    include_system_columns: queryFlag().default(false),
  }),
  body: z.undefined(),
  answer: pageOf(Column, 'columns'),
  ok: [200],
  repeatable: true,
});

export const createColumn = endpoint({
  name: 'create_table_sheet_column',
  summary: 'Add a column; cells of a computed column start stale',
  method: 'POST',
  path: columnsPath,
  params: sheetParams,
  query: none,
  body: z.looseObject({
    title,
    type: z.string().min(1),
    config: z.looseObject({}).nullish(),
    dependencies: z.array(Dependency).nullish(),
    is_output_column: z.boolean().nullish(),
    /** Place among the columns; after the last one when absent. */
    position_rank: z.number().nullish(),
  }),
  answer: z.looseObject({
    success: z.boolean().optional(),
    column: Column,
    cells: z.array(Cell).nullish(),
    version: z.number().nullish(),
  }),
  ok: [200, 201],
  repeatable: false,
});

export const updateColumn = endpoint({
  name: 'update_table_sheet_column',
  summary: 'Change a column; its cells and their dependants become stale when they must',
  method: 'PATCH',
  path: `${columnsPath}/{column_id}`,
  params: columnParams,
  query: none,
  body: z.looseObject({
    title: title.nullish(),
    type: z.string().min(1).nullish(),
    config: z.looseObject({}).nullish(),
    dependencies: z.array(Dependency).nullish(),
    is_output_column: z.boolean().nullish(),
    position_rank: z.number().nullish(),
  }),
  answer: z.looseObject({
    success: z.boolean().optional(),
    column: Column,
    requires_recalculation: z.boolean().nullish(),
    affected_column_ids: z.array(z.string()).nullish(),
    version: z.number().nullish(),
  }),
  ok: [200],
  repeatable: true,
});

export const deleteColumn = endpoint({
  name: 'delete_table_sheet_column',
  summary: 'Delete a column (soft); dependants become stale',
  method: 'DELETE',
  path: `${columnsPath}/{column_id}`,
  params: columnParams,
  query: none,
  body: z.undefined(),
  answer: z
    .looseObject({
      success: z.boolean().optional(),
      message: z.string().optional(),
      stale_count: z.number().nullish(),
      version: z.number().nullish(),
    })
    .optional(),
  ok: [200, 204],
  repeatable: true,
});
