import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import { cellKinds, pageSize } from '../../../protocol/grid-cells.ts';
import type { RowsQuery, SortKey } from '../../../protocol/grid-work.ts';
import type { OrderKey } from './order.ts';
import { compareKeys, orderKey } from './order.ts';
import type { Pages } from './pages.ts';
import { RowMatcher } from './row-matcher.ts';
import { scanPages } from './scan.ts';
import type { Translate } from '../../shell/translate.ts';

/** The rows that a query leaves, in its order. */
export interface RowView {
  readonly query: RowsQuery;
  /** Place on screen -> position among all rows. */
  readonly positions: Uint32Array;
  readonly scanned: number;
}

export interface RowViewRequest {
  readonly query: RowsQuery;
  readonly pages: Pages;
  readonly columns: readonly GridColumn[];
  readonly numbers: Iterable<number>;
  readonly t: Translate;
  readonly onProgress: (scanned: number) => void;
}

/** The query without what speaks of columns that are gone. */
export function withinColumns(query: RowsQuery, columns: readonly GridColumn[]): RowsQuery {
  const known = new Set(columns.map(({ id }) => id));
  return {
    ...query,
    conditions: query.conditions.filter(({ columnId }) => columnId === '' || known.has(columnId)),
    sort: query.sort.filter(({ columnId }) => known.has(columnId)),
  };
}

export const isPlainQuery = ({ conditions, sort }: RowsQuery): boolean =>
  conditions.length === 0 && sort.length === 0;

export async function buildRowView(request: RowViewRequest, signal: AbortSignal): Promise<RowView> {
  const { query, pages, columns, numbers, t, onProgress } = request;
  const matcher = new RowMatcher(query, columns, t);
  const positions: number[] = [];
  const keys = query.sort.map((): OrderKey[] => []);
  const sorted = new Set(query.sort.map(({ columnId }) => columnId));
  const ordering = columns.filter(({ id }) => sorted.has(id));
  let scanned = 0;
  try {
    const matching = matcher.columns;
    // Sorting by the beginning of a long text is enough; looking for a word in it is not.
    const plan = { pages, columns: matching, numbers, isWhole: true };
    const needed = [...new Set([...matching, ...ordering])];
    for await (const grid of scanPages({ ...plan, needed }, signal)) {
      const matches = await matcher.matches(grid, signal);
      for (const [place, isMatch] of matches.entries()) {
        if (!isMatch) continue;
        positions.push(grid.page * pageSize + place);
        for (const [index, { columnId }] of query.sort.entries()) {
          const column = grid.columns[columnId];
          const kind = cellKinds[column?.kind[place] ?? 0] ?? 'missing';
          keys[index]?.push(orderKey(kind, column?.text[place] ?? ''));
        }
      }
      scanned += grid.rowIndices.length;
      onProgress(scanned);
    }
  } finally {
    await matcher.close();
  }
  return { query, positions: inOrder(positions, keys, query.sort), scanned };
}

/** Rows with equal keys stay in the order of the sheet. */
function inOrder(
  positions: readonly number[],
  keys: readonly (readonly OrderKey[])[],
  sort: readonly SortKey[],
): Uint32Array {
  if (sort.length === 0) return Uint32Array.from(positions);
  const places = Uint32Array.from(positions, (_, index) => index);
  places.sort((one, other) => {
    for (const [index, { direction }] of sort.entries()) {
      const key = keys[index];
      const order = compareKeys(key?.[one], key?.[other], direction === 'asc' ? 1 : -1);
      if (order !== 0) return order;
    }
    return one - other;
  });
  return places.map((place) => positions[place] ?? 0);
}
