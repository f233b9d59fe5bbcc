import { writeCells } from '../../api/cell.ts';
import type { BodyOf } from '../../api/endpoint.ts';
import { EngineProblem, markDependentsStale } from '../engine/index.ts';
import { jsonObject } from '../http/json-text.ts';
import { isJsonOf } from '../http/long-text.ts';
import { Problem } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { ok, route } from '../http/route.ts';
import { transactionFor, type Session } from '../store/database.ts';
import type { ColumnRecord, SheetRecord } from '../store/records.ts';
import { findSheetForUpdate, listColumns, raiseVersion } from '../store/scope.ts';
import type { Edit, PlacedEdit } from './cell-edits.ts';
import { TimeSlice } from '../turn.ts';
import { editOf, isSameCell, lengthOf, storeEdits } from './cell-edits.ts';
import { shownCells, type ShownCell } from './shown-cells.ts';

type Sent = BodyOf<typeof writeCells>['cells'];

interface Result {
  readonly outcome: 'written' | 'same' | 'differs' | 'refused';
  readonly message?: string;
}

interface Held {
  readonly rows: ReadonlySet<number>;
  /** By row index and column key. */
  readonly cells: ReadonlyMap<string, ShownCell>;
}

const placeKey = (rowIndex: number, columnKey: number): string =>
  `${String(rowIndex)} ${String(columnKey)}`;

/** What the sheet holds in these rows and columns, with two statements. */
async function readHeld(
  session: Session,
  sheet: SheetRecord,
  rowIndices: readonly number[],
  columnKeys: readonly number[],
): Promise<Held> {
  const { isOneOf } = session.dialect;
  const indices = JSON.stringify([...new Set(rowIndices)]);
  const rows = await session.query<{ row_index: number }>(
    `select row_index from rows where sheet_key = ? and row_index ${isOneOf}`,
    [sheet.key, indices],
  );
  const cells = await shownCells(
    session,
    `where sheet_key = ? and row_index ${isOneOf} and column_key ${isOneOf}`,
    [sheet.key, indices, JSON.stringify([...new Set(columnKeys)])],
  );
  return {
    rows: new Set(rows.map(({ row_index }) => row_index)),
    cells: new Map(cells.map((cell) => [placeKey(cell.row_index, cell.column_key), cell])),
  };
}

/** Whether a person sees this of a stored value: a text as it is, anything else as its JSON. */
async function isShownAs(
  value: string | null | undefined,
  text: string,
  slice: TimeSlice,
): Promise<boolean> {
  if (value === null || value === undefined || value === 'null') return text === '';
  return value.startsWith('"') ? isJsonOf(value, text, slice) : value === text;
}

const refused = (message: string): Result => ({ outcome: 'refused', message });

/** The stored form, or why there is none. */
async function readEdit(
  column: ColumnRecord,
  sent: Sent[number],
  slice: TimeSlice,
): Promise<Edit | Result> {
  try {
    return await editOf(column, sent, slice);
  } catch (error) {
    if (error instanceof Problem || error instanceof EngineProblem) return refused(error.message);
    throw error;
  }
}

/** Cells of other columns of the same rows stay as they are. */
async function markStale(
  session: Session,
  sheet: SheetRecord,
  edits: readonly PlacedEdit[],
): Promise<number> {
  const rowsOf = new Map<number, number[]>();
  for (const { columnKey, rowIndex } of edits) {
    const rows = rowsOf.get(columnKey);
    if (rows === undefined) rowsOf.set(columnKey, [rowIndex]);
    else rows.push(rowIndex);
  }
  let count = 0;
  for (const [columnKey, rowIndices] of rowsOf) {
    const change = { sheetKey: sheet.key, columnKeys: [columnKey], rowIndices };
    count += (await markDependentsStale(session, change)).staleCount;
  }
  return count;
}

const write = route(writeCells, async ({ params, body, workspaceId, services }) => {
  const { database } = services;
  const scope = { workspaceId, tableId: params.table_id, sheetId: params.sheet_id };
  const length = body.cells.reduce((sum, cell) => sum + lengthOf(cell), 0);
  const answer = await database[transactionFor(length)](async (session) => {
    const sheet = await findSheetForUpdate(database, session, scope);
    const columns = await listColumns(session, sheet.key, { withSystem: true });
    const byId = new Map(columns.map((column) => [column.id, column]));
    const columnOf = (id: string): ColumnRecord | undefined => byId.get(id.toLowerCase());
    const held = await readHeld(
      session,
      sheet,
      body.cells.map(({ row_index }) => row_index),
      body.cells.flatMap(({ column_id: id }) => columnOf(id)?.key ?? []),
    );
    const slice = new TimeSlice();
    await slice.rest();
    // Of two for the same cell the later one is stored.
    const edits = new Map<string, PlacedEdit>();
    // Each step of a value of many megabytes takes its time.
    const rest = async (): Promise<void> => (slice.isOver ? slice.rest() : undefined);
    const resultOf = async (sent: Sent[number]): Promise<Result> => {
      const { row_index: rowIndex, expected } = sent;
      const column = columnOf(sent.column_id);
      if (column === undefined) return refused('The column is no longer in this sheet.');
      if (!held.rows.has(rowIndex)) return refused('The row is no longer in this sheet.');
      const edit = await readEdit(column, sent, slice);
      if ('outcome' in edit) return edit;
      await rest();
      const key = placeKey(rowIndex, column.key);
      const old = held.cells.get(key);
      if (!edits.has(key)) {
        if (isSameCell(old, edit)) return { outcome: 'same' };
        await rest();
        const isExpected =
          expected === undefined || (await isShownAs(old?.value, expected ?? '', slice));
        if (!isExpected) return { outcome: 'differs' };
      }
      edits.set(key, { rowIndex, columnKey: column.key, edit });
      return { outcome: 'written' };
    };
    const results: Result[] = [];
    for (const sent of body.cells) {
      results.push(await resultOf(sent));
      await rest();
    }
    const written = [...edits.values()];
    let version = sheet.version_count;
    let staleCount = 0;
    if (written.length > 0) {
      await storeEdits(session, sheet, written);
      await slice.rest();
      staleCount = await markStale(session, sheet, written);
      version = await raiseVersion(session, sheet.key);
    }
    return jsonObject({ success: true, version, stale_count: staleCount, results });
  });
  return ok(answer);
});

export const cellWriteRoutes: readonly Route[] = [write];
