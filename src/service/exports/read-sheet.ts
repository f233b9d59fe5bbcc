import { readMirror } from '../engine/index.ts';
import type { Database, Session } from '../store/database.ts';
import { placeholders } from '../store/dialect.ts';
import type { CellRecord, ColumnRecord, VersionRecord } from '../store/records.ts';
import { TimeSlice } from '../turn.ts';
import { versionPieces } from '../versions/version-store.ts';

/** What a file says about a cell. */
export type ExportCell = Pick<
  CellRecord,
  'row_index' | 'column_key' | 'status' | 'value' | 'error' | 'error_message'
>;

/** The same as the statement answers it. */
type CellFields = readonly [
  rowIndex: number,
  columnKey: number,
  status: ExportCell['status'],
  value: string | null,
  error: string | null,
  errorMessage: string | null,
];

export interface ExportRow {
  readonly rowIndex: number;
  /** By the position of the column; undefined where nothing was ever written or computed. */
  readonly cells: readonly (ExportCell | undefined)[];
}

/** Rows, a page at a time; every call reads from the start. */
type ReadPages = () => AsyncGenerator<readonly ExportRow[], void, undefined>;

const FIRST_ROWS = 50;
const MAX_ROWS = 1000;
/** A page is read and written at once, which keeps others waiting: a few milliseconds. */
const MAX_CELLS = 2000;
/** Characters of values that a page should hold. */
const PAGE_CHARACTERS = 512 * 1024;
/** Parameters of one statement. */
const NAMED_COLUMNS = 200;

/**
 * Rows of the sheet as it is. A page is one moment of the database and holds no connection while
 * the reader takes its time, so a sheet that changes meanwhile is not one moment: a saved version is.
 */
export function sheetPages(
  database: Database,
  sheetKey: number,
  columns: readonly ColumnRecord[],
): ReadPages {
  return async function* pages() {
    let after = -1;
    let limit = FIRST_ROWS;
    const slice = new TimeSlice();
    const most = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_CELLS / (columns.length || 1))));
    for (;;) {
      const size = Math.min(limit, most);
      const start = after;
      const rows = await database.read((session) =>
        readRows(session, { sheetKey, columns, after: start, limit: size }),
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      await slice.rest();
      after = last.rowIndex;
      const fitting = Math.floor((PAGE_CHARACTERS * rows.length) / Math.max(1, charactersOf(rows)));
      limit = Math.max(1, Math.min(fitting, size * 4));
    }
  };
}

/** Rows of a saved version, which never changes. */
export function versionPages(
  database: Database,
  version: VersionRecord,
  columns: readonly ColumnRecord[],
): ReadPages {
  return async function* pages() {
    const slice = new TimeSlice();
    for await (const { rows, cells } of versionPieces(database, version)) {
      const grid = new Grid(
        rows.map(({ row_index }) => row_index),
        columns,
      );
      for (const cell of cells) grid.put(cell);
      yield grid.rows;
      await slice.rest();
    }
  };
}

async function readRows(
  session: Session,
  {
    sheetKey,
    columns,
    after,
    limit,
  }: {
    readonly sheetKey: number;
    readonly columns: readonly ColumnRecord[];
    readonly after: number;
    readonly limit: number;
  },
): Promise<readonly ExportRow[]> {
  const rows = await session.query<{ row_index: number }>(
    'select row_index from rows where sheet_key = ? and row_index > ? order by row_index limit ?',
    [sheetKey, after, limit],
  );
  const indices = rows.map(({ row_index }) => row_index);
  const last = indices.at(-1);
  if (last === undefined) return [];
  const keys = columns.map(({ key }) => key);
  const named = keys.length > NAMED_COLUMNS ? [] : keys;
  const cells = await session.lists<CellFields>(
    `select row_index, column_key, status, value, error, error_message from cells
     where sheet_key = ? and row_index > ? and row_index <= ?
     ${named.length === 0 ? '' : `and column_key in ${placeholders(named.length)}`}`,
    [sheetKey, after, last, ...named],
  );
  const grid = new Grid(indices, columns);
  for (const [row_index, column_key, status, value, error, error_message] of cells) {
    grid.put({ row_index, column_key, status, value, error, error_message });
  }
  for (const column of columns) {
    if (column.type !== 'COMPOSITION') continue;
    for (const cell of (await readMirror(session, column, indices)).values()) grid.put(cell);
  }
  return grid.rows;
}

/** Cells of a page by row and column. */
class Grid {
  readonly rows: readonly (ExportRow & { readonly cells: (ExportCell | undefined)[] })[];
  readonly #rowAt: ReadonlyMap<number, number>;
  readonly #columnAt: ReadonlyMap<number, number>;

  constructor(indices: readonly number[], columns: readonly ColumnRecord[]) {
    this.rows = indices.map((rowIndex) => ({
      rowIndex,
      cells: new Array<ExportCell | undefined>(columns.length).fill(undefined),
    }));
    this.#rowAt = new Map(indices.map((rowIndex, position) => [rowIndex, position]));
    this.#columnAt = new Map(columns.map(({ key }, position) => [key, position]));
  }

  put(cell: ExportCell): void {
    const row = this.rows[this.#rowAt.get(cell.row_index) ?? -1];
    const column = this.#columnAt.get(cell.column_key);
    if (row !== undefined && column !== undefined) row.cells[column] = cell;
  }
}

function charactersOf(rows: readonly ExportRow[]): number {
  let size = 0;
  for (const { cells } of rows) for (const cell of cells) size += cell?.value?.length ?? 0;
  return size;
}
