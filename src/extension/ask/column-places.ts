import type { Column } from '../../api/column.ts';
import type { Client, SheetRef } from '../../core/index.ts';

type Ranked = Pick<Column, 'id' | 'position_rank'>;

export async function columnsOfSheet(
  client: Client,
  ref: SheetRef,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  const columns: Column[] = [];
  for await (const column of client.tables.columns.list(ref, {}, { signal })) columns.push(column);
  return columns;
}

const rankOf = ({ position_rank: rank }: Ranked): number | undefined => rank ?? undefined;

/**
 * The rank of a place before a column (null: after the last one) among the others. Undefined when
 * the service tells no ranks, or there is no number between two of them.
 */
export function rankBefore(
  columns: readonly Ranked[],
  beforeId: string | null,
): number | undefined {
  const at = columns.findIndex(({ id }) => id === beforeId);
  const before = columns[at < 0 ? columns.length - 1 : at - 1];
  const after = at < 0 ? undefined : columns[at];
  const low = before && rankOf(before);
  const high = after && rankOf(after);
  if (low === undefined && high === undefined) return undefined;
  if (high === undefined) return (low ?? 0) + 1;
  if (low === undefined) return high - 1;
  const middle = (low + high) / 2;
  return middle > low && middle < high ? middle : undefined;
}

/** Beside which column a new one goes. */
export interface ColumnPlace {
  readonly columnId: string;
  readonly side: 'left' | 'right';
}

export function beforeIdOf(columns: readonly Ranked[], { columnId, side }: ColumnPlace) {
  const at = columns.findIndex(({ id }) => id === columnId);
  return (side === 'left' ? columns[at] : columns[at + 1])?.id ?? null;
}

/** Services need not know ranks: true when the answer says that the column is at its place. */
export const isPlaced = (column: Ranked, rank: number | undefined): boolean =>
  rank !== undefined && rankOf(column) === rank;
