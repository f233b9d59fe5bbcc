import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { cursorQuery, pageOf } from './page.ts';
import { sheetParams, sheetPath } from './sheet.ts';

/** A saved version of a sheet. `version_number` is not the sheet's `version_count`. */
export const SheetVersion = z.looseObject({
  id: z.string(),
  sheet_id: z.string().optional(),
  version_number: z.number(),
  name: z.string().nullish(),
  created_by: z.union([z.string(), z.number()]).nullish(),
  created_at: z.string().nullish(),
  metadata: z.looseObject({}).nullish(),
  deltas: z.array(z.unknown()).nullish(),
  snapshot: z.looseObject({}).nullish(),
  score: z.looseObject({}).nullish(),
  score_configuration: z.looseObject({}).nullish(),
});
export type SheetVersion = z.output<typeof SheetVersion>;

const none = z.object({});
const versionsPath = `${sheetPath}/versions`;
/** Here `version` is an object, unlike in mutations and row pages. */
const VersionAnswer = z.looseObject({ success: z.boolean().optional(), version: SheetVersion });

export const listVersions = endpoint({
  name: 'list_table_sheet_versions',
  summary: 'List the saved versions of a sheet, newest first',
  method: 'GET',
  path: versionsPath,
  params: sheetParams,
  query: z.object({
    ...cursorQuery({ limit: 20, order: 'desc' }),
    sort: z.literal('version_number').default('version_number'),
  }),
  body: z.undefined(),
  answer: pageOf(SheetVersion, 'versions'),
  ok: [200],
  repeatable: true,
});

export const createVersion = endpoint({
  name: 'create_table_sheet_version',
  summary: 'Save the sheet as a version, or restore an earlier one as a new version',
  method: 'POST',
  path: versionsPath,
  params: sheetParams,
  query: none,
  body: z
    .strictObject({
      name: z.string().min(1).max(255).nullish(),
      source_version_id: z.guid().nullish(),
    })
    .refine((body) => (body.name ?? body.source_version_id ?? undefined) !== undefined, {
      error: 'give a name, or the version to restore in source_version_id',
      path: ['name'],
    }),
  answer: VersionAnswer,
  ok: [200, 201],
  repeatable: false,
});

export const getVersion = endpoint({
  name: 'get_table_sheet_version',
  summary: 'Get a saved version with its snapshot',
  method: 'GET',
  path: `${versionsPath}/{version_id}`,
  params: sheetParams.extend({ version_id: z.guid() }),
  query: none,
  body: z.undefined(),
  answer: VersionAnswer,
  ok: [200],
  repeatable: true,
});
