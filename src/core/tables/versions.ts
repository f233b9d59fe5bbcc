import type { QueryOf } from '../../api/endpoint.ts';
import type { Page } from '../../api/page.ts';
import type { SheetVersion } from '../../api/version.ts';
import { createVersion, getVersion, listVersions } from '../../api/version.ts';
import type { CallOptions } from '../http/call.ts';
import type { ApiContext } from './context.ts';
import { itemsOf, pagesOf } from './paging.ts';
import type { SheetRef } from './ref.ts';
import { sheetParams } from './ref.ts';

/** `cursor`, `limit` (1 to 100, default 20), `order` of the version number (default desc). */
export type VersionsQuery = QueryOf<typeof listVersions>;

/** Saved versions of a sheet. Their number is not the sheet's `version_count`. */
export function makeVersions({ call, logger }: ApiContext) {
  /** One page of versions. */
  const page = (
    ref: SheetRef,
    query: VersionsQuery = {},
    options: CallOptions = {},
  ): Promise<Page<SheetVersion>> =>
    call(listVersions, { params: sheetParams(ref), query }, options);

  return {
    page,

    /** Newest first. */
    list: (
      ref: SheetRef,
      query: VersionsQuery = {},
      options: CallOptions = {},
    ): AsyncGenerator<SheetVersion, void> =>
      itemsOf(
        pagesOf((cursor) => page(ref, { ...query, cursor }, options), {
          name: 'versions',
          logger,
          cursor: query.cursor,
        }),
      ),

    /** With its snapshot. */
    get: async (
      ref: SheetRef,
      versionId: string,
      options: CallOptions = {},
    ): Promise<SheetVersion> => {
      const params = { ...sheetParams(ref), version_id: versionId };
      return (await call(getVersion, { params }, options)).version;
    },

    /** Saves the sheet as it is now. */
    create: async (
      ref: SheetRef,
      body: { readonly name: string },
      options: CallOptions = {},
    ): Promise<SheetVersion> =>
      (await call(createVersion, { params: sheetParams(ref), body }, options)).version,

    /** Makes an earlier version the current one, as a new version. */
    restore: async (
      ref: SheetRef,
      versionId: string,
      body: { readonly name?: string | undefined } = {},
      options: CallOptions = {},
    ): Promise<SheetVersion> => {
      const request = { ...body, source_version_id: versionId };
      return (await call(createVersion, { params: sheetParams(ref), body: request }, options))
        .version;
    },
  };
}
