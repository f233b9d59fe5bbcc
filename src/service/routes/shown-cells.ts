import type { Dialect } from '../store/dialect.ts';
import type { Session, SqlValue } from '../store/database.ts';
import type { CellRecord } from '../store/records.ts';
import { TimeSlice } from '../turn.ts';

/** What of a cell's record goes into answers; statements select just these. */
export type ShownCell = Pick<
  CellRecord,
  | 'row_index'
  | 'column_key'
  | 'status'
  | 'value'
  | 'display'
  | 'error'
  | 'error_message'
  | 'input_hash'
  | 'execution_id'
  | 'last_computed_version'
  | 'metrics'
  | 'updated_at'
>;

/** Where each field of a cell is in its list. */
export const at = {
  rowIndex: 0,
  columnKey: 1,
  status: 2,
  value: 3,
  display: 4,
  error: 5,
  errorMessage: 6,
  inputHash: 7,
  executionId: 8,
  lastComputedVersion: 9,
  metrics: 10,
  updatedAt: 11,
} as const;

/** The fields of a cell as the statement answers them. */
export type CellList = [
  rowIndex: number,
  columnKey: number,
  status: ShownCell['status'],
  value: string | null,
  display: string | null,
  error: string | null,
  errorMessage: string | null,
  inputHash: string | null,
  executionId: string | null,
  lastComputedVersion: number | null,
  metrics: string | null,
  updatedAt: number,
];

const select = ({ longText }: Dialect, which: string): string =>
  `select row_index, column_key, status, ${longText('value')}, ${longText('display')}, error,
     error_message, input_hash, execution_id, last_computed_version, metrics, updated_at
   from cells ${which}`;

/** Cells by what follows `from cells` in the statement, as lists. */
export async function cellLists(
  session: Session,
  which: string,
  params: readonly SqlValue[],
): Promise<CellList[]> {
  const slice = new TimeSlice();
  const cells = await session.lists<unknown[]>(select(session.dialect, which), params);
  for (const cell of cells) {
    for (const place of longTexts) {
      const text = cell[place];
      if (text === null || typeof text === 'string') continue;
      await slice.rest();
      cell[place] = asText(text);
    }
  }
  // Every long text is one now.
  return cells as CellList[];
}

const longTexts = [at.value, at.display];

function asText(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('A value is neither text nor bytes.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** The same for a cell that no statement has answered. */
export const cellList = (cell: ShownCell): CellList => [
  cell.row_index,
  cell.column_key,
  cell.status,
  cell.value,
  cell.display,
  cell.error,
  cell.error_message,
  cell.input_hash,
  cell.execution_id,
  cell.last_computed_version,
  cell.metrics,
  cell.updated_at,
];

export const shownCell = (cell: CellList): ShownCell => ({
  row_index: cell[at.rowIndex],
  column_key: cell[at.columnKey],
  status: cell[at.status],
  value: cell[at.value],
  display: cell[at.display],
  error: cell[at.error],
  error_message: cell[at.errorMessage],
  input_hash: cell[at.inputHash],
  execution_id: cell[at.executionId],
  last_computed_version: cell[at.lastComputedVersion],
  metrics: cell[at.metrics],
  updated_at: cell[at.updatedAt],
});

/** Cells by what follows `from cells` in the statement. */
export const shownCells = async (
  session: Session,
  which: string,
  params: readonly SqlValue[],
): Promise<ShownCell[]> => (await cellLists(session, which, params)).map(shownCell);
