import { cellKinds } from '../../../protocol/grid-cells.ts';
import type { GridSelection } from '../../../protocol/grid-cells.ts';
import type { SelectionSummary } from '../../../protocol/grid-work.ts';
import { keyOf } from '../../../core/comparison.ts';
import type { Numeral } from '../../../core/numeral.ts';
import { compareNumerals, ExactSum, numeralIn } from '../../../core/numeral.ts';
import { hasValue } from './order.ts';
import { rowsIn, settleRanges } from './positions.ts';
import { scanPages } from './scan.ts';
import type { SheetState } from './sheet-state.ts';

const mostDistinct = 100_000;

const spelled = (value: Numeral): string =>
  typeof value === 'number' ? String(value) : value.toFixed();

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
  let [values, count, nulls, empties, scanned] = [0, 0, 0, 0, 0];
  const sum = new ExactSum();
  let min: Numeral | undefined;
  let max: Numeral | undefined;
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
        if (distinct.size < mostDistinct) distinct.add(keyOf(text));
        const number = numeralIn(text);
        if (number === undefined) continue;
        count += 1;
        sum.add(number);
        if (min === undefined || compareNumerals(number, min) < 0) min = number;
        if (max === undefined || compareNumerals(number, max) > 0) max = number;
      }
    }
  }
  return {
    ...{ values, numbers: count, sum: sum.text, nulls, empties, scanned },
    min: min === undefined ? null : spelled(min),
    max: max === undefined ? null : spelled(max),
    distinct: distinct.size,
    isDistinctAtLeast: isAtLeast,
    rows: rowsIn(settleRanges(rows, shown.count)),
  };
}
