import { createVersion, getVersion, listVersions } from '../../api/version.ts';
import { JsonText, jsonObject } from '../http/json-text.ts';
import type { PageRequest } from '../http/page.ts';
import { nestedPageAnswer, pageStart, splitPage } from '../http/page.ts';
import { invalid, notFound } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord, SheetRecord, VersionRecord } from '../store/records.ts';
import { findSheet } from '../store/scope.ts';
import { restoreVersion } from '../versions/restore.ts';
import {
  findVersion,
  latestVersion,
  saveVersion,
  versionPieces,
} from '../versions/version-store.ts';
import { isoTime } from './answers.ts';
import { CellWriter } from './cell-json.ts';
import { columnsJson } from './shown-columns.ts';
import type { ShownCell } from './shown-cells.ts';

/** A snapshot in an answer is a look at the version, not a way to carry a million rows. */
const SHOWN_ROWS = 1000;

function versionJson(version: VersionRecord, sheet: SheetRecord, snapshot?: JsonText): JsonText {
  return jsonObject({
    id: version.id,
    sheet_id: sheet.id,
    version_number: version.number,
    name: version.name,
    created_by: version.created_by,
    created_at: isoTime(version.created_at),
    version_count: version.sheet_version,
    row_count: version.row_count,
    metadata: new JsonText(version.metadata_json),
    deltas: new JsonText(version.deltas_json),
    snapshot,
    score: new JsonText(version.score_json),
    score_configuration:
      version.score_configuration_json === null
        ? null
        : new JsonText(version.score_configuration_json),
  });
}

const list = route(listVersions, async ({ params, query, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const resource = `versions:${params.sheet_id}`;
  const request: PageRequest = {
    scope: { workspaceId, resource, sort: query.sort, order: query.order },
    cursor: query.cursor,
    limit: query.limit,
  };
  return services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const start = pageStart(request, 1);
    const found = await session.query<VersionRecord>(
      `select * from versions where sheet_key = ? and is_complete = 1
       ${start === undefined ? '' : `and number ${query.order === 'asc' ? '>' : '<'} ?`}
       order by number ${query.order} limit ?`,
      [sheet.key, ...(start ?? []), query.limit + 1],
    );
    const [versions, more] = splitPage(found, query.limit);
    const last = versions.at(-1);
    return ok(
      nestedPageAnswer(
        request,
        versions.map((version) => versionJson(version, sheet)),
        versions.length,
        more && last ? [last.number] : undefined,
      ),
    );
  });
});

const create = route(createVersion, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const sheet = await findSheet(database, scope);
  const name = body.name ?? null;
  const createdBy = `workspace ${String(workspaceId)}`;
  if (body.source_version_id === null || body.source_version_id === undefined) {
    const version = await saveVersion(database, sheet.key, { name, createdBy, metadata: {} });
    return created(jsonObject({ success: true, version: versionJson(version, sheet) }));
  }
  const source = await findVersion(database, sheet.key, body.source_version_id.toLowerCase());
  if (source === undefined) throw notFound('The version in source_version_id');
  const latest = await latestVersion(database, sheet.key);
  if (latest?.id === source.id && latest.sheet_version === sheet.version_count) {
    throw invalid('The sheet is at this version already. Select an earlier one to restore.');
  }
  const version = await restoreVersion(database, sheet.key, source, {
    name: name ?? `Restored version ${String(source.number)}`,
    createdBy,
  });
  return created(jsonObject({ success: true, version: versionJson(version, sheet) }));
});

async function snapshotJson(
  session: Session,
  sheet: SheetRecord,
  version: VersionRecord,
): Promise<JsonText> {
  const columns = JSON.parse(version.columns_json) as ColumnRecord[];
  const shown = columns.filter(({ is_system }) => is_system === 0);
  const writer = new CellWriter(sheet.id);
  const rows: JsonText[] = [];
  for await (const piece of versionPieces(session, version)) {
    const cells = new Map<string, ShownCell>(
      piece.cells.map((cell) => [`${String(cell.row_index)}.${String(cell.column_key)}`, cell]),
    );
    for (const { row_index, created_at } of piece.rows.slice(0, SHOWN_ROWS - rows.length)) {
      const entries = shown.map((column) => [
        column.id,
        writer.json(
          column,
          row_index,
          cells.get(`${String(row_index)}.${String(column.key)}`),
          created_at,
        ),
      ]);
      rows.push(
        jsonObject({
          row_index,
          cells: jsonObject(Object.fromEntries(entries) as object as Record<string, JsonText>),
        }),
      );
    }
    if (rows.length >= SHOWN_ROWS) break;
  }
  return jsonObject({
    version_count: version.sheet_version,
    row_count: version.row_count,
    columns: await columnsJson(session, shown, sheet),
    rows,
    has_more_rows: version.row_count > rows.length,
  });
}

const get = route(getVersion, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const version = await findVersion(session, sheet.key, params.version_id);
    if (version === undefined) throw notFound('This version');
    const snapshot = await snapshotJson(session, sheet, version);
    return ok(jsonObject({ success: true, version: versionJson(version, sheet, snapshot) }));
  });
});

export const versionRoutes: readonly Route[] = [list, create, get];
