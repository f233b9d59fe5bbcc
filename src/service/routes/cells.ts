import { getCell, recalculateCell, recalculateCells, updateCell } from '../../api/cell.ts';
import {
  markDependentsStale,
  readMirror,
  recalculateCells as recalculate,
} from '../engine/index.ts';
import { jsonObject } from '../http/json-text.ts';
import { notFound } from '../http/problem.ts';
import type { Reply, Route } from '../http/route.ts';
import { accepted, ok, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { parseCellId } from '../store/cell-id.ts';
import { transactionFor, type Database, type Session } from '../store/database.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import type { SheetScope } from '../store/scope.ts';
import { findSheet, findSheetForUpdate, listColumns, raiseVersion } from '../store/scope.ts';
import { TimeSlice } from '../turn.ts';
import { editOf, isSameCell, lengthOf, storeEdits } from './cell-edits.ts';
import { CellWriter } from './cell-json.ts';
import { shownCells, type ShownCell } from './shown-cells.ts';
import type { ShownRow } from './row-page.ts';

interface FoundCell {
  readonly column: ColumnRecord;
  readonly row: ShownRow;
}

/** Column and row of a cell id; not found when either is gone or of another sheet. */
async function locate(session: Session, sheet: SheetRecord, cellId: string): Promise<FoundCell> {
  const place = parseCellId(cellId);
  const column =
    place &&
    (await session.one<ColumnRecord>(
      'select * from columns where sheet_key = ? and cell_prefix = ? and deleted_at is null',
      [sheet.key, place.prefix],
    ));
  const row =
    column &&
    (await session.one<ShownRow>(
      'select row_index, created_at from rows where sheet_key = ? and row_index = ?',
      [sheet.key, place.rowIndex],
    ));
  if (!column || !row) throw notFound('This cell');
  return { column, row };
}

async function readCell(
  session: Session,
  sheet: SheetRecord,
  { column, row }: FoundCell,
): Promise<ShownCell | undefined> {
  const [cell] = await shownCells(
    session,
    'where sheet_key = ? and row_index = ? and column_key = ?',
    [sheet.key, row.row_index, column.key],
  );
  return cell;
}

const get = route(getCell, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const cell = await services.database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    const found = await locate(session, sheet, params.cell_id);
    const { column, row } = found;
    const record =
      column.type === 'COMPOSITION'
        ? (await readMirror(session, column, [row.row_index])).get(row.row_index)
        : await readCell(session, sheet, found);
    return new CellWriter(sheet.id).json(column, row.row_index, record, row.created_at);
  });
  return ok(jsonObject({ success: true, cell }));
});

const update = route(updateCell, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await database[transactionFor(lengthOf(body))](async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const found = await locate(session, sheet, params.cell_id);
    const { column, row } = found;
    // Each step of a value of many megabytes takes its time.
    const slice = new TimeSlice();
    const edit = await editOf(column, body, slice);
    await slice.rest();
    const old = await readCell(session, sheet, found);
    await slice.rest();
    const isSame = isSameCell(old, edit);
    let version = sheet.version_count;
    let staleCount = 0;
    if (!isSame) {
      const placed = { rowIndex: row.row_index, columnKey: column.key, edit };
      await storeEdits(session, sheet, [placed]);
      await slice.rest();
      const { staleCount: count } = await markDependentsStale(session, {
        sheetKey: sheet.key,
        columnKeys: [column.key],
        rowIndices: [row.row_index],
      });
      staleCount = count;
      version = await raiseVersion(session, sheet.key);
    }
    const record = await readCell(session, sheet, found);
    await slice.rest();
    return jsonObject({
      success: true,
      cell: new CellWriter(sheet.id).json(column, row.row_index, record, row.created_at),
      version,
      stale_count: staleCount,
    });
  });
  return ok(answer);
});

/** Many ids at once, with two statements. */
async function locateMany(
  database: Database,
  session: Session,
  sheet: SheetRecord,
  cellIds: readonly string[],
): Promise<{ rowIndex: number; columnKey: number }[]> {
  const places = [...new Set(cellIds)].map((id) => parseCellId(id));
  const columns = await listColumns(session, sheet.key, { withSystem: false });
  const keys = new Map(columns.map(({ cell_prefix, key }) => [cell_prefix, key]));
  const indices = JSON.stringify([...new Set(places.flatMap((place) => place?.rowIndex ?? []))]);
  const rows = await session.query<{ row_index: number }>(
    `select row_index from rows where sheet_key = ? and row_index ${database.dialect.isOneOf}`,
    [sheet.key, indices],
  );
  const known = new Set(rows.map(({ row_index }) => row_index));
  return places.map((place) => {
    const columnKey = place && keys.get(place.prefix);
    if (!place || columnKey === undefined || !known.has(place.rowIndex)) {
      throw notFound('One of these cells');
    }
    return { rowIndex: place.rowIndex, columnKey };
  });
}

async function startRecalculation(
  services: Services,
  scope: SheetScope,
  cellIds: readonly string[],
  isRestricted: boolean,
): Promise<Reply> {
  const { database, costCeiling } = services;
  const { sheet, cells } = await database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    return { sheet, cells: await locateMany(database, session, sheet, cellIds) };
  });
  const outcome = await recalculate(database, sheet, cells, {
    ...{ costCeiling, isRestricted },
  });
  if (outcome.kind === 'nothing') {
    return ok(
      jsonObject({
        success: false,
        message: 'None of these cells can be recalculated now.',
        error: 'nothing_to_recalculate',
        cell_count: 0,
      }),
    );
  }
  return accepted(
    jsonObject({
      success: true,
      execution_id: outcome.executionId,
      operation_id: outcome.operationId,
      cell_count: outcome.cellCount,
      selected_cell_count: cells.length,
      version: outcome.version,
    }),
  );
}

const recalculateMany = route(recalculateCells, async (call) => {
  const { params, body, workspaceId, isRestricted, services } = call;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return startRecalculation(services, scope, body.cell_ids, isRestricted);
});

const recalculateOne = route(recalculateCell, async (call) => {
  const { params, workspaceId, isRestricted, services } = call;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return startRecalculation(services, scope, [params.cell_id], isRestricted);
});

export const cellRoutes: readonly Route[] = [get, update, recalculateMany, recalculateOne];
