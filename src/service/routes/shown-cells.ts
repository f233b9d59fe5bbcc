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

type LongText = string | Uint8Array | null;
type ReadCell = Omit<ShownCell, 'value' | 'display'> & {
  readonly value: LongText;
  readonly display: LongText;
};

/** Cells by what follows `from cells` in the statement. */
export async function shownCells(
  session: Session,
  which: string,
  params: readonly SqlValue[],
): Promise<ShownCell[]> {
  const { longText } = session.dialect;
  const slice = new TimeSlice();
  const cells = await session.query<ReadCell>(
    `select row_index, column_key, status, ${longText('value')}, ${longText('display')}, error,
       error_message, input_hash, execution_id, last_computed_version, metrics, updated_at
     from cells ${which}`,
    params,
  );
  for (const cell of cells) {
    for (const name of ['value', 'display'] as const) {
      const text = cell[name];
      if (text === null || typeof text === 'string') continue;
      await slice.rest();
      Object.assign(cell, { [name]: asText(text) });
    }
  }
  // Every long text is one now.
  return cells as ShownCell[];
}

const asText = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString();
