import type { AnswerOf, BodyOf, QueryOf } from '../../api/endpoint.ts';
import type { Page } from '../../api/page.ts';
import type { Table, TableDetail } from '../../api/table.ts';
import { createTable, deleteTable, getTable, listTables, updateTable } from '../../api/table.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import { makeCells } from './cells.ts';
import { makeColumns } from './columns.ts';
import type { ApiContext } from './context.ts';
import { makeExport } from './export.ts';
import { makeImports } from './imports.ts';
import { makeOperations } from './operations.ts';
import { itemsOf, pagesOf } from './paging.ts';
import { makeRows } from './rows.ts';
import { makeScorecards, makeScores } from './scores.ts';
import { makeSheets } from './sheets.ts';
import { makeVersions } from './versions.ts';

/**
 * `folderId`, `name` (a part of the title, in any case), `promptId`, `promptVersionId`,
 * `promptLabelId`, `cursor`, `limit` (1 to 100, default 20), `order` (default desc).
 */
export type TablesQuery = QueryOf<typeof listTables>;
/** `title`, `folderId`, `createDefaultSheet` (default true). */
export type NewTable = NonNullable<BodyOf<typeof createTable>>;
/** `title`, `folderId`: null takes the table out of its folder. */
export type TablePatch = NonNullable<BodyOf<typeof updateTable>>;
/** `{ table, default_sheet }`; no sheet when none was wanted. */
export type CreatedTable = AnswerOf<typeof createTable>;

/** What `client.tables` is. */
export type Tables = ReturnType<typeof makeTables>;

/** Every Tables endpoint. Answers are one Promise, lists an AsyncIterable, `signal` goes last. */
export function makeTables(context: ApiContext) {
  const { call, logger } = context;
  /** One page of tables. */
  const page = (
    query: AlsoCamelCase<TablesQuery> = {},
    options: CallOptions = {},
  ): Promise<Page<Table>> =>
    call(listTables, { params: {}, query: asSent<TablesQuery>(query) }, options);

  return {
    page,

    /** All tables that fit the query, page after page. */
    list: (
      query: AlsoCamelCase<TablesQuery> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Table, void> =>
      itemsOf(
        pagesOf((cursor) => page({ ...query, cursor }, options), {
          name: 'tables',
          logger,
          cursor: query.cursor,
        }),
      ),

    /** A table with the number of rows of each sheet (`sheet_row_counts`). */
    get: async (tableId: string, options: CallOptions = {}): Promise<TableDetail> =>
      (await call(getTable, { params: { table_id: tableId } }, options)).table,

    /** A new table, with one sheet (a TEXT column, an empty row) unless that is not wanted. */
    create: (
      body: AlsoCamelCase<NewTable> = {},
      options: CallOptions = {},
    ): Promise<CreatedTable> =>
      call(createTable, { params: {}, body: asSent<NewTable>(body) }, options),

    /** Changes title or folder. */
    update: async (
      tableId: string,
      body: AlsoCamelCase<TablePatch>,
      options: CallOptions = {},
    ): Promise<TableDetail> => {
      const params = { table_id: tableId };
      return (await call(updateTable, { params, body: asSent<TablePatch>(body) }, options)).table;
    },

    /** Takes a table out of the workspace, with its sheets. */
    delete: async (tableId: string, options: CallOptions = {}): Promise<true> => {
      await call(deleteTable, { params: { table_id: tableId } }, options);
      return true;
    },

    /** A sheet as a file. */
    export: makeExport(context),

    /** Sheets of a table. */
    sheets: makeSheets(context),
    /** Columns of a sheet. */
    columns: makeColumns(context),
    /** Rows of a sheet (specification 4.1). */
    rows: makeRows(context),
    /** Single cells. */
    cells: makeCells(context),
    /** Recalculations: start, watch, cancel (specification 4.2). */
    operations: makeOperations(context),
    /** Saved versions of a sheet. */
    versions: makeVersions(context),
    /** Files into sheets. */
    imports: makeImports(context),
    /** The score of a sheet, as it was before scorecards. */
    scores: makeScores(context),
    /** The scorecard of a sheet. */
    scorecards: makeScorecards(context),
  };
}
