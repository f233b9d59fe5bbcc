import type { Column } from '../../api/column.ts';
import type { AnswerOf, BodyOf, QueryOf } from '../../api/endpoint.ts';
import type { RowsPage } from '../../api/row.ts';
import { addRows, deleteRows, listRows } from '../../api/row.ts';
import { ValidationError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import type { ApiContext } from './context.ts';
import type { PageMark } from './paging.ts';
import { pagesOf } from './paging.ts';
import { readRowsPage } from './read-rows-page.ts';
import type { SheetRef } from './ref.ts';
import { sheetParams } from './ref.ts';

/**
 * Specification 4.1: `cursor`, `limit` (1 to 100, default 100), `order` of `row_index`,
 * `includeColumns`, `includeRowCount` (default true), `includeSystemColumns`,
 * `includeExecutionMetadataAggregates`.
 */
export type RowsQuery = QueryOf<typeof listRows>;
/** `{ rows_created, start_row_index, row_indices, rows, cell_count, row_count, version }`. */
export type AddedRows = AnswerOf<typeof addRows>;
/** What the service says of it; `{}` when it says nothing. */
export type DeletedRows = NonNullable<AnswerOf<typeof deleteRows>>;

/** A page of the walk through a sheet. `columns` are the first page's, on every page. */
export interface WalkedRowsPage extends RowsPage, PageMark {
  /** The sheet changed after the page before: the pages together are no snapshot. */
  readonly versionChanged: boolean;
}

/** Rows of a sheet. `row_index` is a sort key with gaps; a row may lack cells. */
export function makeRows({ call, logger }: ApiContext) {
  /**
   * One page (specification 4.1). A cursor goes with the query that gave it: any other is an
   * InvalidCursorError. `columns` is empty on later pages unless they are asked for.
   */
  const page = (
    ref: SheetRef,
    query: AlsoCamelCase<RowsQuery> = {},
    options: CallOptions = {},
  ): Promise<RowsPage> =>
    call(
      listRows,
      { params: sheetParams(ref), query: asSent<RowsQuery>(query) },
      { ...options, read: readRowsPage },
    );

  /** Walks the whole sheet, a page at a time. */
  async function* pages(
    ref: SheetRef,
    query: AlsoCamelCase<RowsQuery> = {},
    options: CallOptions = {},
  ): AsyncGenerator<WalkedRowsPage, void, undefined> {
    const fields = asSent<RowsQuery>(query);
    const walk = pagesOf(
      (cursor, isFirst) =>
        // Sent explicitly: the sources differ on the default.
        page(ref, { include_columns: isFirst, ...fields, cursor }, options),
      { name: 'rows', logger, cursor: fields.cursor },
    );
    let columns: readonly Column[] = [];
    let version: number | undefined;
    let isFirst = true;
    for await (const current of walk) {
      if (isFirst || current.restarted || current.columns.length > 0) columns = current.columns;
      const versionChanged = !isFirst && !current.restarted && current.version !== version;
      version = current.version;
      isFirst = false;
      yield { ...current, columns, versionChanged };
    }
  }

  return {
    page,
    pages,

    /** New rows after the last one; `values` by column id, for TEXT columns. At most 100. */
    add: async (
      ref: SheetRef,
      body: NonNullable<BodyOf<typeof addRows>> = {},
      options: CallOptions = {},
    ): Promise<AddedRows> => {
      // The service takes `count` rows (default 1) and drops the values of the others.
      const given = body.values?.length ?? 0;
      const count = body.count ?? Math.max(given, 1);
      if (given > count) {
        throw new ValidationError(
          {
            kind: 'invalid-argument',
            doing: 'Adding rows',
            problem: `${given} rows of values, but count is ${count}`,
          },
          { hint: { kind: 'argument', words: 'Leave count out, or make it the number of rows.' } },
        );
      }
      return call(addRows, { params: sheetParams(ref), body: { ...body, count } }, options);
    },

    /** By `row_index`. The indices of other rows stay as they are. */
    delete: async (
      ref: SheetRef,
      rowIndices: readonly number[],
      options: CallOptions = {},
    ): Promise<DeletedRows> => {
      const body = { row_indices: [...rowIndices] };
      return (await call(deleteRows, { params: sheetParams(ref), body }, options)) ?? {};
    },
  };
}
