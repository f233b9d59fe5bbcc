import { cellKinds } from '../../protocol/grid.ts';
import type { GridSelection } from '../../protocol/grid.ts';
import type { SelectionSummary } from '../../protocol/grid-work.ts';
import { hasValue, numberIn } from './order.ts';
import { rowsIn, settleRanges } from './positions.ts';
import { scanPages } from './scan.ts';
import type { SheetState } from './sheet-state.ts';

const mostDistinct = 100_000;

/** Adds up the selected cells of rows that are loaded. */
export async function summaryOf(
  state: SheetState,
  { rows, columnIds }: GridSelection,
  signal: AbortSignal,
): Promise<SelectionSummary> {
  const { pages, shown } = state;
  const places = shown.placesOf(rows);
  const columns = state.columns.filter(({ id }) => columnIds.includes(id));
  const loaded = new Set(pages.loaded);
  const numbers = [...places.keys()].filter((page) => loaded.has(page));
  const distinct = new Set<string>();
  let [values, count, sum, nulls, empties, scanned] = [0, 0, 0, 0, 0, 0];
  let [min, max] = [Infinity, -Infinity];
  let isAtLeast = false;
  for await (const grid of scanPages({ pages, columns, numbers, isWhole: false }, signal)) {
    const chosen = places.get(grid.page) ?? [];
    scanned += chosen.length;
    for (const { id } of columns) {
      const column = grid.columns[id];
      const cut = new Set(column?.cut);
      for (const place of chosen) {
        const kind = cellKinds[column?.kind[place] ?? 0] ?? 'missing';
        const text = column?.text[place] ?? '';
        if (kind === 'empty') empties += 1;
        if (!hasValue(kind)) {
          nulls += Number(kind === 'null');
          continue;
        }
        values += 1;
        isAtLeast ||= cut.has(place) || distinct.size >= mostDistinct;
        if (distinct.size < mostDistinct) distinct.add(text);
        const number = numberIn(text);
        if (number === undefined) continue;
        count += 1;
        sum += number;
        min = Math.min(min, number);
        max = Math.max(max, number);
      }
    }
  }
  return {
    ...{ values, numbers: count, sum, nulls, empties, scanned },
    min: count === 0 ? null : min,
    max: count === 0 ? null : max,
    distinct: distinct.size,
    isDistinctAtLeast: isAtLeast,
    rows: rowsIn(settleRanges(rows, shown.count)),
  };
}
