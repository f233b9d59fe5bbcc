import type { QueryOf } from '../../api/endpoint.ts';
import { exportSheet } from '../../api/export.ts';
import type { CallOptions } from '../http/call.ts';
import type { AlsoCamelCase } from '../spelling.ts';
import { asSent } from '../spelling.ts';
import type { ApiContext } from './context.ts';
import type { SheetRef } from './ref.ts';
import { sheetParams } from './ref.ts';

/**
 * `format` (csv, json, jsonl, parquet; default csv), `content` (values or cells), `columnIds` (in
 * their order; default all), `includeSystemColumns` (default false), `guardFormulas` (CSV, default
 * true), `versionId` (a saved version).
 */
export type ExportQuery = QueryOf<typeof exportSheet>;

/**
 * The bytes of a sheet as a file, as they arrive; the local service has this, others may not
 * (NotFoundError). Aborting the signal or leaving the loop closes the socket, and the service stops
 * reading. A file that breaks off is an error: what came until then is no whole file.
 */
export const makeExport =
  ({ download }: ApiContext) =>
  (
    ref: SheetRef,
    query: AlsoCamelCase<ExportQuery> = {},
    options: CallOptions = {},
  ): AsyncGenerator<Uint8Array, void, undefined> =>
    download(exportSheet, { params: sheetParams(ref), query: asSent<ExportQuery>(query) }, options);
