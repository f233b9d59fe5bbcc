import type { AnswerOf, BodyOf } from '../../api/endpoint.ts';
import type { ImportOperation } from '../../api/import.ts';
import {
  cancelImport,
  getImport,
  importFile,
  importRequestLogs,
  isImportFinished,
} from '../../api/import.ts';
import type { CallOptions } from '../http/call.ts';
import { bodyWithFile } from '../http/streamed-body.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import type { ApiContext, WatchOptions } from './context.ts';
import type { SheetRef } from './ref.ts';
import { sheetParams } from './ref.ts';
import type { FileUpload } from './sheets.ts';
import { observations } from './watch.ts';

/** `{ operation_id, operation, status_url }`: watch it by its id. */
export type StartedImport = AnswerOf<typeof importFile>;
/**
 * `requestLogIds` (at most 50,000), or `filterGroup` and `q` with `sortBy`, `sortOrder` and `limit`
 * as in a search; `includeFields` and `variablesToParse` say which columns there are; `operationId`
 * makes a repeated call harmless (default: a new UUID).
 */
export type RequestsImport = BodyOf<typeof importRequestLogs>;

/** One look at an import that is being watched. */
export interface WatchedImport {
  readonly operation: ImportOperation;
  readonly isFinished: boolean;
  readonly hasVanished: boolean;
}

/**
 * Files that become rows in the background. A second one into the same sheet is a ConflictError.
 */
export function makeImports({ call, clock }: ApiContext) {
  /** The state of an import, of a table whose sheet need not be there yet. */
  const get = async (
    tableId: string,
    operationId: string,
    options: CallOptions = {},
  ): Promise<ImportOperation> => {
    const params = { table_id: tableId, operation_id: operationId };
    return (await call(getImport, { params }, options)).operation;
  };

  /** States until it is finished, has vanished, or the signal is aborted. */
  async function* watch(
    tableId: string,
    operationId: string,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchedImport, void, undefined> {
    let operation: ImportOperation = { operation_id: operationId, status: 'unknown' };
    const look = async (): Promise<{ state: ImportOperation; isFinished: boolean }> => {
      const state = await get(tableId, operationId, options);
      return { state, isFinished: isImportFinished(state.status) };
    };
    for await (const seen of observations(look, {
      ...options,
      clock,
      what: 'Watching the import',
    })) {
      operation = seen?.state ?? operation;
      yield { operation, isFinished: seen?.isFinished ?? true, hasVanished: seen === undefined };
    }
  }

  return {
    /** Adds the rows of a CSV file to a sheet, in the background. */
    file: (
      ref: SheetRef,
      { fileName, content, operationId = crypto.randomUUID() }: FileUpload,
      options: CallOptions = {},
    ): Promise<StartedImport> =>
      call(
        importFile,
        {
          params: sheetParams(ref),
          streamed: bodyWithFile(content, (base64): BodyOf<typeof importFile> => ({
            ...{ file_name: fileName, file_content_base64: base64, operation_id: operationId },
          })),
        },
        options,
      ),
    /** Adds logged requests to a sheet, a row each, in the background. */
    requestLogs: (
      ref: SheetRef,
      body: AlsoCamelCase<RequestsImport>,
      options: CallOptions = {},
    ): Promise<StartedImport> =>
      call(
        importRequestLogs,
        {
          params: sheetParams(ref),
          body: { operation_id: crypto.randomUUID(), ...asSent<RequestsImport>(body) },
        },
        options,
      ),
    get,
    watch,
    /** Ends an import; the rows that it has added stay. The local service has this. */
    cancel: async (
      tableId: string,
      operationId: string,
      options: CallOptions = {},
    ): Promise<ImportOperation> => {
      const params = { table_id: tableId, operation_id: operationId };
      return (await call(cancelImport, { params }, options)).operation;
    },
  };
}
