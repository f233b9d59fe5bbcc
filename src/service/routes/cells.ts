import { getCell, recalculateCell, recalculateCells, updateCell } from '../../api/cell.ts';
import { parseJson, stringifyJson } from '../../core/http/json.ts';
import type { Json } from '../engine/index.ts';
import {
  humanAnswer,
  isManual,
  markDependentsStale,
  readMirror,
  recalculateCells as recalculate,
} from '../engine/index.ts';
import { jsonObject } from '../http/json-text.ts';
import { invalid, notFound } from '../http/problem.ts';
import type { Reply, Route } from '../http/route.ts';
import { accepted, ok, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { parseCellId } from '../store/cell-id.ts';
import type { Database, Session } from '../store/database.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import type { SheetScope } from '../store/scope.ts';
import { findSheet, findSheetForUpdate, listColumns, raiseVersion } from '../store/scope.ts';
import type { ShownCell } from './cell-json.ts';
import { CellWriter, displayJson, shownCellColumns } from './cell-json.ts';
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

function readCell(session: Session, sheet: SheetRecord, { column, row }: FoundCell) {
  return session.one<ShownCell>(
    `select ${shownCellColumns} from cells where sheet_key = ? and row_index = ? and column_key = ?`,
    [sheet.key, row.row_index, column.key],
  );
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

interface Edit {
  /** HUMAN cells are complete with an answer and wait, stale, without one. */
  readonly status: 'input' | 'completed' | 'stale';
  readonly value: string | null;
  readonly display: string | null;
  readonly num: number | null;
}

/** The stored form of a sent value; a display value that only repeats the value is not stored. */
interface SentCell {
  readonly value?: unknown;
  readonly display_value?: string | null | undefined;
}

function editOf(body: SentCell): Edit {
  const sent = body.value === undefined ? body.display_value : body.value;
  const value = sent === null || sent === undefined ? null : stringifyJson(sent);
  const shown = typeof body.display_value === 'string' ? JSON.stringify(body.display_value) : null;
  return {
    status: 'input',
    value,
    display: shown === null || shown === displayJson(value, null) ? null : shown,
    num: typeof sent === 'number' ? sent : null,
  };
}

/** A person's answer, checked. What is shown is always the answer itself. */
function answerOf({ config_json: config, title }: ColumnRecord, body: SentCell): Edit {
  const sent = body.value === undefined ? body.display_value : body.value;
  const answer = humanAnswer(parseJson(config) as Json, title, (sent ?? null) as Json);
  return {
    status: answer === null ? 'stale' : 'completed',
    value: answer === null ? null : stringifyJson(answer),
    display: null,
    num: typeof answer === 'number' ? answer : null,
  };
}

const update = route(updateCell, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const answer = await database.transaction(async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const found = await locate(session, sheet, params.cell_id);
    const { column, row } = found;
    if ((column.type !== 'TEXT' && !isManual(column.type)) || column.is_system === 1) {
      throw invalid(
        `Cells of "${column.title}" are computed (${column.type}) and can not be written; only TEXT and HUMAN cells can.`,
      );
    }
    const edit = isManual(column.type) ? answerOf(column, body) : editOf(body);
    const old = await readCell(session, sheet, found);
    const isSame =
      (old?.value ?? null) === edit.value &&
      (old?.display ?? null) === edit.display &&
      (old?.status ?? edit.status) === edit.status;
    let version = sheet.version_count;
    let staleCount = 0;
    if (!isSame) {
      await writeCell(session, sheet, found, edit);
      const { staleCount: count } = await markDependentsStale(session, {
        sheetKey: sheet.key,
        columnKeys: [column.key],
        rowIndices: [row.row_index],
      });
      staleCount = count;
      version = await raiseVersion(session, sheet.key);
    }
    const record = await readCell(session, sheet, found);
    return jsonObject({
      success: true,
      cell: new CellWriter(sheet.id).json(column, row.row_index, record, row.created_at),
      version,
      stale_count: staleCount,
    });
  });
  return ok(answer);
});

async function writeCell(
  session: Session,
  sheet: SheetRecord,
  { column, row }: FoundCell,
  { status, value, display, num }: Edit,
): Promise<void> {
  // The version that this very edit makes.
  const computed = status === 'completed' ? sheet.version_count + 1 : null;
  await session.run(
    `insert into cells (sheet_key, row_index, column_key, status, value, display, num, last_computed_version, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (sheet_key, row_index, column_key) do update set status = excluded.status,
       value = excluded.value, display = excluded.display, num = excluded.num,
       last_computed_version = excluded.last_computed_version, updated_at = excluded.updated_at`,
    [sheet.key, row.row_index, column.key, status, value, display, num, computed, Date.now()],
  );
}

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
): Promise<Reply> {
  const { database } = services;
  const { sheet, cells } = await database.read(async (session) => {
    const sheet = await findSheet(session, scope);
    return { sheet, cells: await locateMany(database, session, sheet, cellIds) };
  });
  const outcome = await recalculate(database, sheet, cells, services.costCeiling);
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

const recalculateMany = route(recalculateCells, async ({ params, body, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return startRecalculation(services, scope, body.cell_ids);
});

const recalculateOne = route(recalculateCell, async ({ params, workspaceId, services }) => {
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  return startRecalculation(services, scope, [params.cell_id]);
});

export const cellRoutes: readonly Route[] = [get, update, recalculateMany, recalculateOne];
