import { addRows, deleteRows, listRows } from '../../api/row.ts';
import { stringifyJson } from '../../core/http/json.ts';
import { GAP, JsonText, jsonObject } from '../http/json-text.ts';
import type { PageRequest } from '../http/page.ts';
import { pageAnswer, pageStart, splitPage } from '../http/page.ts';
import { invalid } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import type { InputCell } from '../store/insert-rows.ts';
import { appendRows, insertInputs } from '../store/insert-rows.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import { findSheet, findSheetForUpdate, listColumns, raiseVersion } from '../store/scope.ts';
import { metricAggregates } from './aggregates.ts';
import type { ShownRow } from './row-page.ts';
import { rowsJson } from './row-page.ts';
import { columnsJson } from './shown-columns.ts';

const list = route(listRows, async ({ params, query, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const resource = `rows:${params.sheet_id}`;
  const request: PageRequest = {
    scope: { workspaceId, resource, sort: 'row_index', order: query.order },
    cursor: query.cursor,
    limit: query.limit,
  };
  const answer = await services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const start = pageStart(request, 1);
    const columns = await listColumns(session, sheet.key, {
      withSystem: query.include_system_columns,
    });
    const found = await findRows(session, sheet.key, query.order, start?.[0], query.limit + 1);
    const [rows, more] = splitPage(found, query.limit);
    const last = rows.at(-1);
    const withColumns = query.include_columns ?? query.cursor === undefined;
    const answer = pageAnswer(
      request,
      new JsonText(GAP),
      rows.length,
      more && last ? [last.row_index] : undefined,
      {
        row_count: query.include_row_count ? sheet.row_count : undefined,
        columns: withColumns ? await columnsJson(session, columns, sheet) : [],
        version: sheet.version_count,
        execution_metadata_aggregates: query.include_execution_metadata_aggregates
          ? await metricAggregates(session, sheet.key)
          : undefined,
      },
    );
    return rowsJson(session, sheet, columns, rows, answer);
  });
  return ok(answer);
});

function findRows(
  session: Session,
  sheetKey: number,
  order: 'asc' | 'desc',
  after: number | undefined,
  limit: number,
): Promise<ShownRow[]> {
  const condition = after === undefined ? '' : ` and row_index ${order === 'asc' ? '>' : '<'} ?`;
  return session.query<ShownRow>(
    `select row_index, created_at from rows where sheet_key = ?${condition} order by row_index ${order} limit ?`,
    after === undefined ? [sheetKey, limit] : [sheetKey, after, limit],
  );
}

type GivenValues = readonly Readonly<Record<string, unknown>>[];

const add = route(addRows, async ({ params, body, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const count = body?.count ?? 1;
  const answer = await services.database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(services.database, session, scope);
    const columns = await listColumns(session, sheet.key, { withSystem: false });
    if (columns.length === 0) throw invalid('The sheet has no columns. Add a column first.');
    const cells = givenCells(sheet, columns, (body?.values ?? []).slice(0, count));
    const rows = await appendRows(session, sheet, count);
    await insertInputs(session, sheet.key, cells);
    const version = await raiseVersion(session, sheet.key);
    return jsonObject({
      success: true,
      rows_created: count,
      start_row_index: sheet.next_row_index,
      row_indices: rows.map(({ row_index }) => row_index),
      rows: await rowsJson(session, sheet, columns, rows),
      cell_count: count * columns.length,
      row_count: sheet.row_count + count,
      version,
    });
  });
  return created(answer);
});

/** Records of the values that a request gives for new rows. */
function givenCells(
  sheet: SheetRecord,
  columns: readonly ColumnRecord[],
  values: GivenValues,
): InputCell[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return values.flatMap((row, offset) =>
    Object.entries(row).flatMap(([id, value]) => {
      const column = byId.get(id.toLowerCase());
      if (column === undefined) throw invalid(`values: column ${id} is not in this sheet.`);
      if (column.type !== 'TEXT') {
        throw invalid(
          `values: column "${column.title}" is computed; only TEXT columns take values.`,
        );
      }
      if (value === null || value === undefined) return [];
      const number = typeof value === 'number' ? value : null;
      const rowIndex = sheet.next_row_index + offset;
      return [{ rowIndex, columnKey: column.key, value: stringifyJson(value), number }];
    }),
  );
}

const remove = route(deleteRows, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const wanted = JSON.stringify([...new Set(body.row_indices)]);
  const answer = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const among = `sheet_key = ? and row_index ${database.dialect.isOneOf}`;
    const deleted = await session.run(`delete from rows where ${among}`, [sheet.key, wanted]);
    let version = sheet.version_count;
    if (deleted > 0) {
      await session.run(`delete from cells where ${among}`, [sheet.key, wanted]);
      await session.run('update sheets set row_count = row_count - ? where key = ?', [
        deleted,
        sheet.key,
      ]);
      version = await raiseVersion(session, sheet.key);
    }
    return jsonObject({
      success: true,
      message: `${String(deleted)} rows are deleted.`,
      rows_deleted: deleted,
      row_count: sheet.row_count - deleted,
      version,
    });
  });
  return ok(answer);
});

export const rowRoutes: readonly Route[] = [list, add, remove];
