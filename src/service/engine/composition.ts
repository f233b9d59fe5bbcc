import type { Session } from '../store/database.ts';
import { placeholders } from '../store/dialect.ts';
import type { CellRecord, ColumnRecord } from '../store/records.ts';
import { jsonFromText } from './columns/json.ts';
import { isComputed } from './columns/registry.ts';
import { externalSource, findExternal } from './composition-source.ts';
import { sheetColumn } from './sheet-columns.ts';

/** Mirrored cells by the row index of the mirroring sheet; rows without one are left out. */
export type Mirror = Map<number, CellRecord>;

const MAX_HOPS = 8;
const ROWS_AT_ONCE = 500;

/**
 * What a COMPOSITION column shows in the given rows: the cells of another column of the same sheet
 * or of another sheet in the workspace, matched by position. Nothing is copied, so it is always
 * the other column's present state.
 */
export async function readMirror(
  session: Session,
  column: ColumnRecord,
  rowIndices: readonly number[],
): Promise<Mirror> {
  if (rowIndices.length === 0) return new Map();
  let target = column;
  let places = new Map(rowIndices.map((rowIndex) => [rowIndex, rowIndex]));
  for (let hop = 0; target.type === 'COMPOSITION'; hop += 1) {
    const next: Target = hop < MAX_HOPS ? await targetOf(session, target) : undefined;
    if (next === undefined || next === 'several') {
      return failedMirror(
        column,
        rowIndices,
        next === undefined ? goneFrom(target) : several(target),
      );
    }
    if (next.sheet_key !== target.sheet_key) {
      places = await samePositions(session, target.sheet_key, next.sheet_key, places);
    }
    target = next;
  }
  const cells = await readCells(session, target, [...places.values()]);
  const mirror: Mirror = new Map();
  for (const [rowIndex, place] of places) {
    const cell =
      cells.get(place) ?? (isComputed(target.type) ? emptyCell(target, place) : undefined);
    if (cell) mirror.set(rowIndex, { ...cell, row_index: rowIndex, column_key: column.key });
  }
  return mirror;
}

/** The column whose cells a mirror shows in the end; undefined when it is not there. */
export async function sourceOf(
  session: Session,
  column: ColumnRecord,
): Promise<ColumnRecord | undefined> {
  let target: ColumnRecord | undefined = column;
  for (let hop = 0; target?.type === 'COMPOSITION'; hop += 1) {
    const next: Target = hop < MAX_HOPS ? await targetOf(session, target) : undefined;
    target = next === 'several' ? undefined : next;
  }
  return target;
}

/** `several`: the titles of another sheet are those of more than one column, and no guess is made. */
type Target = ColumnRecord | 'several' | undefined;

async function targetOf(session: Session, column: ColumnRecord): Promise<Target> {
  const [edge] = sheetColumn(column).dependencies;
  if (edge) {
    return session.one<ColumnRecord>(
      'select * from columns where sheet_key = ? and id = ? and deleted_at is null',
      [column.sheet_key, edge.column_id],
    );
  }
  const source = externalSource(jsonFromText(column.config_json));
  const found = source && (await findExternal(session, column.sheet_key, source));
  if (found === undefined || found === 'several') return found;
  return session.one<ColumnRecord>('select * from columns where sheet_key = ? and key = ?', [
    found.sheet_key,
    found.column_key,
  ]);
}

/** The n-th row of one sheet goes with the n-th of the other; deleted rows leave gaps in indices. */
async function samePositions(
  session: Session,
  fromKey: number,
  toKey: number,
  places: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const from = await countRows(session, fromKey);
  const to = await countRows(session, toKey);
  if (from.hasGaps || to.hasGaps) return positionsByCounting(session, fromKey, toKey, places);
  return new Map([...places].filter(([, place]) => place < to.rowCount));
}

async function countRows(
  session: Session,
  sheetKey: number,
): Promise<{ rowCount: number; hasGaps: boolean }> {
  const sheet = await session.one<{ row_count: number; next_row_index: number }>(
    'select row_count, next_row_index from sheets where key = ?',
    [sheetKey],
  );
  const rowCount = sheet?.row_count ?? 0;
  return { rowCount, hasGaps: rowCount !== sheet?.next_row_index };
}

async function positionsByCounting(
  session: Session,
  fromKey: number,
  toKey: number,
  places: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const wanted = [...places.values()];
  const first = Math.min(...wanted);
  const last = Math.max(...wanted);
  const before = await session.one<{ rows: number }>(
    'select count(*) as rows from rows where sheet_key = ? and row_index < ?',
    [fromKey, first],
  );
  const from = await session.query<{ row_index: number }>(
    'select row_index from rows where sheet_key = ? and row_index between ? and ? order by row_index',
    [fromKey, first, last],
  );
  const to = await session.query<{ row_index: number }>(
    'select row_index from rows where sheet_key = ? order by row_index limit ? offset ?',
    [toKey, from.length, before?.rows ?? 0],
  );
  const pairs = new Map<number, number>();
  for (const [position, { row_index }] of from.entries()) {
    const other = to[position];
    if (other) pairs.set(row_index, other.row_index);
  }
  const found = new Map<number, number>();
  for (const [rowIndex, place] of places) {
    const other = pairs.get(place);
    if (other !== undefined) found.set(rowIndex, other);
  }
  return found;
}

async function readCells(
  session: Session,
  column: ColumnRecord,
  rowIndices: readonly number[],
): Promise<Map<number, CellRecord>> {
  const cells = new Map<number, CellRecord>();
  for (let start = 0; start < rowIndices.length; start += ROWS_AT_ONCE) {
    const rows = rowIndices.slice(start, start + ROWS_AT_ONCE);
    const found = await session.query<CellRecord>(
      `select * from cells where sheet_key = ? and row_index in ${placeholders(rows.length)} and column_key = ?`,
      [column.sheet_key, ...rows, column.key],
    );
    for (const cell of found) cells.set(cell.row_index, cell);
  }
  return cells;
}

const emptyCell = (column: ColumnRecord, rowIndex: number): CellRecord => ({
  sheet_key: column.sheet_key,
  row_index: rowIndex,
  column_key: column.key,
  status: 'stale',
  previous_status: null,
  operation_key: null,
  value: null,
  display: null,
  num: null,
  error: null,
  error_message: null,
  input_hash: null,
  execution_id: null,
  last_computed_version: null,
  metrics: null,
  updated_at: column.created_at,
});

const goneFrom = ({ title }: ColumnRecord): string =>
  `The column that "${title}" shows no longer exists. Select another one in its settings.`;

const several = ({ title }: ColumnRecord): string =>
  `The titles in the source of "${title}" are those of several columns. Name table, sheet and column by their IDs.`;

function failedMirror(
  column: ColumnRecord,
  rowIndices: readonly number[],
  message: string,
): Mirror {
  return new Map(
    rowIndices.map((rowIndex) => [
      rowIndex,
      {
        ...emptyCell(column, rowIndex),
        status: 'error',
        error: 'source_missing',
        error_message: message,
      },
    ]),
  );
}
