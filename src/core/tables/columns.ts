import type { Column } from '../../api/column.ts';
import { createColumn, deleteColumn, listColumns, updateColumn } from '../../api/column.ts';
import type { AnswerOf, BodyOf, QueryOf } from '../../api/endpoint.ts';
import type { Page } from '../../api/page.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import type { ApiContext } from './context.ts';
import { itemsOf, pagesOf } from './paging.ts';
import type { SheetRef } from './ref.ts';
import { sheetParams } from './ref.ts';

/** `includeSystemColumns` (default false), `cursor`, `limit` (1 to 100, default 100), `order`. */
export type ColumnsQuery = QueryOf<typeof listColumns>;
/**
 * `title`, `type` (aliases in lower case are taken), `config`, `dependencies`, `isOutputColumn`, `positionRank` (default: after the last one).
 */
export type NewColumn = BodyOf<typeof createColumn>;
/** The same fields as of a new column: what is left out stays. */
export type ColumnPatch = BodyOf<typeof updateColumn>;
/** `{ column, cells, version }`: computed cells begin stale. */
export type CreatedColumn = AnswerOf<typeof createColumn>;
/** `{ column, requires_recalculation, affected_column_ids, version }`. */
export type UpdatedColumn = AnswerOf<typeof updateColumn>;
/** `{ message, stale_count, version }`; `{}` when the service says nothing. */
export type DeletedColumn = NonNullable<AnswerOf<typeof deleteColumn>>;

/** Columns of a sheet. */
export function makeColumns({ call, logger }: ApiContext) {
  /** One page of columns, ordered by `position_rank`. */
  const page = (
    ref: SheetRef,
    query: AlsoCamelCase<ColumnsQuery> = {},
    options: CallOptions = {},
  ): Promise<Page<Column>> =>
    call(listColumns, { params: sheetParams(ref), query: asSent<ColumnsQuery>(query) }, options);

  return {
    page,

    /** All columns in their order. */
    list: (
      ref: SheetRef,
      query: AlsoCamelCase<ColumnsQuery> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Column, void> =>
      itemsOf(
        pagesOf((cursor) => page(ref, { ...query, cursor }, options), {
          name: 'columns',
          logger,
          cursor: query.cursor,
        }),
      ),

    /** Adds a column after the others. A config that is wrong, or a cycle, is a ValidationError. */
    create: (
      ref: SheetRef,
      body: AlsoCamelCase<NewColumn>,
      options: CallOptions = {},
    ): Promise<CreatedColumn> =>
      call(createColumn, { params: sheetParams(ref), body: asSent<NewColumn>(body) }, options),

    /** Changes a column. What depends on it becomes stale; nothing is computed by itself. */
    update: (
      ref: SheetRef,
      columnId: string,
      body: AlsoCamelCase<ColumnPatch>,
      options: CallOptions = {},
    ): Promise<UpdatedColumn> => {
      const params = { ...sheetParams(ref), column_id: columnId };
      return call(updateColumn, { params, body: asSent<ColumnPatch>(body) }, options);
    },

    /** Dependent columns become stale: `stale_count` cells. */
    delete: async (
      ref: SheetRef,
      columnId: string,
      options: CallOptions = {},
    ): Promise<DeletedColumn> => {
      const params = { ...sheetParams(ref), column_id: columnId };
      return (await call(deleteColumn, { params }, options)) ?? {};
    },
  };
}
