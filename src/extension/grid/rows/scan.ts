import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import type { GridPage } from '../../../protocol/grid-cells.ts';
import { pageSize } from '../../../protocol/grid-cells.ts';
import { gridPageOf } from './grid-page.ts';
import { pageCountOf } from './page-chain.ts';
import type { Pages } from './pages.ts';

export interface ScanRequest {
  readonly pages: Pages;
  /** Columns that are looked at. */
  readonly columns: readonly GridColumn[];
  /** Columns that the pages must have; `columns` when absent. */
  readonly needed?: readonly GridColumn[];
  readonly numbers: Iterable<number>;
  /** Texts that were cut are read again, whole. */
  readonly isWhole: boolean;
}

/** Every page of the sheet; while nobody has said how many there are, until one is not full. */
export function* everyPage(pages: Pages): Generator<number, void, undefined> {
  for (let page = 0; pages.rowCount === undefined || page < pageCountOf(pages.rowCount); page += 1)
    yield page;
}

/** Pages one after another: those at hand from there, the others from the service. */
export async function* scanPages(
  { pages, columns, needed = columns, numbers, isWhole }: ScanRequest,
  signal: AbortSignal,
): AsyncGenerator<GridPage, void, undefined> {
  for (const page of numbers) {
    signal.throwIfAborted();
    const kept = await pages.atHand(page);
    const isCut = columns.some(({ id }) => (kept?.grid.columns[id]?.cut.length ?? 0) > 0);
    if (kept !== undefined && !(isWhole && isCut)) yield kept.grid;
    else {
      const rows = await pages.read(page, signal);
      const place = { page, generation: pages.generation };
      yield gridPageOf(rows, needed, place, Infinity);
      if (rows.length < pageSize) return;
    }
  }
}
