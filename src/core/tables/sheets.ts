import type { AnswerOf, BodyOf, QueryOf } from '../../api/endpoint.ts';
import type { Page } from '../../api/page.ts';
import type { RequestsSource } from '../../api/import.ts';
import { createSheet, deleteSheet, getSheet, listSheets, updateSheet } from '../../api/sheet.ts';
import type { Sheet } from '../../api/table.ts';
import type { CallOptions } from '../http/call.ts';
import { bodyWithFile, type FileContent } from '../http/streamed-body.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import type { ApiContext } from './context.ts';
import { itemsOf, pagesOf } from './paging.ts';
import type { SheetRef } from './ref.ts';
import { sheetParams } from './ref.ts';

/**
 * `cursor`, `limit` (1 to 100, default 20), `order`, `promptId`, `promptVersionId`,
 * `promptLabelId`.
 */
export type SheetsQuery = QueryOf<typeof listSheets>;
/** The sheet, and the import that fills it. */
export type SheetFromFile = AnswerOf<typeof createSheet> & { readonly operation_id: string };

/** A file that becomes rows. */
export interface FileUpload {
  /** Ends in .csv; for a new sheet .json is accepted too. */
  readonly fileName: string;
  /**
   * The file's bytes, at most 100 MB: held, or as `{ byteLength, pieces() }`, which reads them while
   * they are sent, anew for each attempt.
   */
  readonly content: FileContent;
  /** Makes a repeated upload harmless. Default: a new UUID. */
  readonly operationId?: string | undefined;
}

/** A file that becomes a sheet. */
export interface SheetUpload extends FileUpload {
  /** Default: the file name. */
  readonly title?: string | undefined;
}

/** Sheets of a table. */
export function makeSheets({ call, logger }: ApiContext) {
  /** One page of the sheets of a table. */
  const page = (
    tableId: string,
    query: AlsoCamelCase<SheetsQuery> = {},
    options: CallOptions = {},
  ): Promise<Page<Sheet>> =>
    call(listSheets, { params: { table_id: tableId }, query: asSent<SheetsQuery>(query) }, options);

  return {
    page,

    /** All sheets of a table in their order. */
    list: (
      tableId: string,
      query: AlsoCamelCase<SheetsQuery> = {},
      options: CallOptions = {},
    ): AsyncGenerator<Sheet, void> =>
      itemsOf(
        pagesOf((cursor) => page(tableId, { ...query, cursor }, options), {
          name: 'sheets',
          logger,
          cursor: query.cursor,
        }),
      ),

    /** A sheet with its `row_count` and `version_count`. */
    get: async (ref: SheetRef, options: CallOptions = {}): Promise<Sheet> =>
      (await call(getSheet, { params: sheetParams(ref) }, options)).sheet,

    /** A blank sheet: one TEXT column and one empty row. */
    create: async (
      tableId: string,
      body: Pick<NonNullable<BodyOf<typeof createSheet>>, 'title' | 'index'> = {},
      options: CallOptions = {},
    ): Promise<Sheet> =>
      (await call(createSheet, { params: { table_id: tableId }, body }, options)).sheet,

    /** A sheet filled from a file in the background: watch the import by `operation_id`. */
    createFromFile: async (
      tableId: string,
      { fileName, content, title, operationId = crypto.randomUUID() }: SheetUpload,
      options: CallOptions = {},
    ): Promise<SheetFromFile> => {
      const answer = await call(
        createSheet,
        {
          params: { table_id: tableId },
          streamed: bodyWithFile(content, (base64): BodyOf<typeof createSheet> => ({
            title,
            operation_id: operationId,
            source: { type: 'file', file_name: fileName, file_content_base64: base64 },
          })),
        },
        options,
      );
      return { ...answer, operation_id: answer.operation_id ?? operationId };
    },

    /**
     * A sheet filled with logged requests in the background: watch the import by `operation_id`.
     * `title` defaults to "Request Logs".
     */
    createFromRequests: async (
      tableId: string,
      {
        title,
        operationId = crypto.randomUUID(),
        ...source
      }: AlsoCamelCase<RequestsSource> & {
        readonly title?: string | undefined;
        readonly operationId?: string | undefined;
      },
      options: CallOptions = {},
    ): Promise<SheetFromFile> => {
      const answer = await call(
        createSheet,
        {
          params: { table_id: tableId },
          body: {
            title,
            operation_id: operationId,
            source: {
              ...asSent<RequestsSource>(source),
              type: 'request_logs',
            },
          },
        },
        options,
      );
      return { ...answer, operation_id: answer.operation_id ?? operationId };
    },

    /** Changes title or place (`index`, 0 first); saves a version. */
    update: async (
      ref: SheetRef,
      body: BodyOf<typeof updateSheet>,
      options: CallOptions = {},
    ): Promise<Sheet> =>
      (await call(updateSheet, { params: sheetParams(ref), body }, options)).sheet,

    /** Takes a sheet out of its table. */
    delete: async (ref: SheetRef, options: CallOptions = {}): Promise<true> => {
      await call(deleteSheet, { params: sheetParams(ref) }, options);
      return true;
    },
  };
}
