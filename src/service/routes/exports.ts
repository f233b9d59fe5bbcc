import { exportSheet } from '../../api/export.ts';
import { exportSheet as makeFile } from '../exports/export-sheet.ts';
import type { Route } from '../http/route.ts';
import { fileAnswer, route } from '../http/route.ts';
import { findSheet } from '../store/scope.ts';

const exportOne = route(exportSheet, async ({ params, query, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const sheet = await findSheet(services.database, scope);
  return fileAnswer(
    await makeFile(services, sheet, {
      format: query.format,
      content: query.content,
      columnIds: query.column_ids === undefined ? undefined : [query.column_ids].flat(),
      withSystem: query.include_system_columns,
      guardFormulas: query.guard_formulas,
      versionId: query.version_id,
    }),
  );
});

export const exportRoutes: readonly Route[] = [exportOne];
