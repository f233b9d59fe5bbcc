import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ImportStarted, importSource, operationId } from './import.ts';
import { cursorQuery, pageOf } from './page.ts';
import { Acknowledgement, Sheet, promptFilters, tableParams, tablesPath, title } from './table.ts';

export const sheetsPath = `${tablesPath}/{table_id}/sheets`;
export const sheetPath = `${sheetsPath}/{sheet_id}`;
export const sheetParams = tableParams.extend({ sheet_id: z.guid() });

const none = z.object({});
const SheetAnswer = z.looseObject({
  success: z.boolean().optional(),
  sheet: Sheet,
  version: z.number().nullish(),
});

export const listSheets = endpoint({
  name: 'list_table_sheets',
  summary: 'List the sheets of a table in their order',
  method: 'GET',
  path: sheetsPath,
  params: tableParams,
  query: z.object({ ...cursorQuery({ limit: 20, order: 'asc' }), ...promptFilters }),
  body: z.undefined(),
  answer: pageOf(Sheet, 'sheets'),
  ok: [200],
  repeatable: true,
});

/** 201 for a blank sheet, 202 with an import operation when a source is given. */
export const createSheet = endpoint({
  name: 'create_table_sheet',
  summary: 'Create a blank sheet, or one filled from a CSV or JSON file',
  method: 'POST',
  path: sheetsPath,
  params: tableParams,
  query: none,
  body: z
    .looseObject({
      title: title.nullish(),
      index: z.int().min(0).nullish(),
      source: importSource.nullish(),
      operation_id: operationId.nullish(),
    })
    .optional(),
  answer: z.looseObject({
    ...ImportStarted.partial().shape,
    sheet: Sheet,
  }),
  ok: [200, 201, 202],
  repeatable: false,
});

export const getSheet = endpoint({
  name: 'get_table_sheet',
  summary: 'Get a sheet',
  method: 'GET',
  path: sheetPath,
  params: sheetParams,
  query: none,
  body: z.undefined(),
  answer: SheetAnswer,
  ok: [200],
  repeatable: true,
});

export const updateSheet = endpoint({
  name: 'update_table_sheet',
  summary: 'Rename a sheet or move it among its siblings',
  method: 'PATCH',
  path: sheetPath,
  params: sheetParams,
  query: none,
  body: z.looseObject({ title: title.nullish(), index: z.int().min(0).nullish() }),
  answer: SheetAnswer,
  ok: [200],
  repeatable: true,
});

export const deleteSheet = endpoint({
  name: 'delete_table_sheet',
  summary: 'Delete a sheet (soft)',
  method: 'DELETE',
  path: sheetPath,
  params: sheetParams,
  query: none,
  body: z.undefined(),
  answer: Acknowledgement.optional(),
  ok: [200, 204],
  repeatable: true,
});
