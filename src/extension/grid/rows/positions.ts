import type { RowRange } from '../../../protocol/grid-cells.ts';
import { pageSize } from '../../../protocol/grid-cells.ts';

/** Ranges in rising order, without overlaps, within the sheet. */
export function settleRanges(
  ranges: readonly RowRange[],
  rowCount: number | undefined,
): readonly RowRange[] {
  const last = rowCount === undefined ? Number.MAX_SAFE_INTEGER : rowCount - 1;
  const sorted = ranges
    .map(({ from, to }) => ({ from: Math.max(0, from), to: Math.min(to, last) }))
    .filter(({ from, to }) => from <= to)
    .sort((a, b) => a.from - b.from);
  const settled: RowRange[] = [];
  for (const range of sorted) {
    const before = settled.at(-1);
    if (before === undefined || range.from > before.to + 1) settled.push(range);
    else settled[settled.length - 1] = { from: before.from, to: Math.max(before.to, range.to) };
  }
  return settled;
}

export const rowsIn = (ranges: readonly RowRange[]): number =>
  ranges.reduce((count, { from, to }) => count + to - from + 1, 0);

export interface PagePart {
  readonly page: number;
  /** Places within the page, both ends included. */
  readonly from: number;
  readonly to: number;
}

/** The pages that settled ranges lie on, with the part of each. */
export function* pagesOfRanges(ranges: readonly RowRange[]): Generator<PagePart, void, undefined> {
  for (const { from, to } of ranges) {
    for (let page = Math.floor(from / pageSize); page * pageSize <= to; page += 1) {
      const start = page * pageSize;
      yield {
        page,
        from: Math.max(from - start, 0),
        to: Math.min(to - start, pageSize - 1),
      };
    }
  }
}
