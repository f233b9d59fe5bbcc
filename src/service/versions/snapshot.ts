import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { CellRecord, RowRecord } from '../store/records.ts';

const pack = promisify(deflate);
const unpack = promisify(inflate);

/** What a saved version keeps of a cell; states of work under way are not kept. */
export type KeptCell = Pick<
  CellRecord,
  | 'row_index'
  | 'column_key'
  | 'status'
  | 'value'
  | 'display'
  | 'num'
  | 'error'
  | 'error_message'
  | 'input_hash'
  | 'execution_id'
  | 'last_computed_version'
  | 'metrics'
  | 'updated_at'
>;
export type KeptRow = Pick<RowRecord, 'row_index' | 'created_at'>;

/** Some rows with their cells. Objects as arrays: names would be most of the text. */
export interface Piece {
  readonly rows: readonly KeptRow[];
  readonly cells: readonly KeptCell[];
}

export const keptCellNames = [
  'row_index',
  'column_key',
  'status',
  'value',
  'display',
  'num',
  'error',
  'error_message',
  'input_hash',
  'execution_id',
  'last_computed_version',
  'metrics',
  'updated_at',
] as const satisfies readonly (keyof KeptCell)[];

type StoredPiece = [[number, number][], (string | number | null)[][]];

export async function packPiece({ rows, cells }: Piece): Promise<Uint8Array> {
  const stored: StoredPiece = [
    rows.map(({ row_index, created_at }) => [row_index, created_at]),
    cells.map((cell) => keptCellNames.map((name) => cell[name])),
  ];
  return pack(JSON.stringify(stored), { level: 3 });
}

export async function unpackPiece(content: Uint8Array): Promise<Piece> {
  const [rows, cells] = JSON.parse((await unpack(content)).toString('utf8')) as StoredPiece;
  return {
    rows: rows.map(([row_index, created_at]) => ({ row_index, created_at })),
    cells: cells.map(
      (values) =>
        Object.fromEntries(keptCellNames.map((name, index) => [name, values[index]])) as KeptCell,
    ),
  };
}
