import type { Row } from '../../../api/row.ts';
import type { GridColumn } from '../../../protocol/grid-sheet.ts';
import type { GridPage, PageColumn, RowRange } from '../../../protocol/grid-cells.ts';
import { noStatus, pageSize } from '../../../protocol/grid-cells.ts';
import { kindNumber } from './grid-page.ts';
import type { KeptPage, Pages } from './pages.ts';
import { pagesOfRanges, settleRanges } from './positions.ts';
import type { RowView } from './row-view.ts';

interface Owner {
  readonly pages: Pages;
  readonly columns: readonly GridColumn[];
  readonly generation: number;
}

/** Rows of a view are scattered: no more pages than these are read again each time. */
const mostFollowed = 20;

/** The rows on screen: all of the sheet, or those that a filter leaves in the order of its sort. */
export class ShownRows {
  readonly #owner: Owner;
  view: RowView | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Undefined while the service has not said. */
  get count(): number | undefined {
    return this.view?.positions.length ?? this.#owner.pages.rowCount;
  }

  async page(page: number, signal: AbortSignal): Promise<KeptPage> {
    const { generation, pages } = this.#owner;
    if (this.view === undefined) {
      const kept = await pages.get(page, signal);
      return { ...kept, grid: { ...kept.grid, generation } };
    }
    const positions = this.#positionsOf(page);
    const kept = new Map<number, KeptPage>();
    for (const one of pagesOf(positions)) kept.set(one, await pages.get(one, signal));
    return composed({ page, generation }, this.#owner.columns, positions, kept);
  }

  /** The page without asking the service. */
  async atHand(page: number): Promise<GridPage | undefined> {
    const { generation, pages } = this.#owner;
    if (this.view !== undefined) return undefined;
    const kept = await pages.atHand(page);
    return kept && { ...kept.grid, generation };
  }

  /** Read anew, with whole values. */
  async rows(page: number, signal: AbortSignal): Promise<readonly Row[]> {
    const { pages } = this.#owner;
    if (this.view === undefined) return pages.read(page, signal, 'known');
    const positions = this.#positionsOf(page);
    const read = new Map<number, readonly Row[]>();
    for (const one of pagesOf(positions)) read.set(one, await pages.read(one, signal, 'known'));
    return [...positions].flatMap(
      (position) => read.get(Math.floor(position / pageSize))?.[position % pageSize] ?? [],
    );
  }

  /** Row indices at the given places on screen. */
  async rowIndices(ranges: readonly RowRange[], signal: AbortSignal): Promise<readonly number[]> {
    const indices: number[] = [];
    for (const { page, from, to } of pagesOfRanges(settleRanges(ranges, this.count))) {
      const { grid } = await this.page(page, signal);
      indices.push(...grid.rowIndices.slice(from, to + 1));
    }
    return indices;
  }

  /** Pages of the sheet that hold the rows of these pages on screen. */
  pagesBelow(pages: readonly number[]): readonly number[] {
    if (this.view === undefined) return pages;
    const below = new Set(pages.flatMap((page) => [...pagesOf(this.#positionsOf(page))]));
    return [...below].slice(0, mostFollowed);
  }

  /** Where rows on screen are among all rows; places by page of the sheet. */
  placesOf(ranges: readonly RowRange[]): ReadonlyMap<number, readonly number[]> {
    const places = new Map<number, number[]>();
    for (const { from, to } of settleRanges(ranges, this.count ?? 0)) {
      for (let at = from; at <= to; at += 1) {
        const position = this.view?.positions[at] ?? at;
        const page = Math.floor(position / pageSize);
        const known = places.get(page);
        if (known === undefined) places.set(page, [position % pageSize]);
        else known.push(position % pageSize);
      }
    }
    return places;
  }

  #positionsOf(page: number): Uint32Array {
    const start = page * pageSize;
    return this.view?.positions.subarray(start, start + pageSize) ?? new Uint32Array();
  }
}

const pagesOf = (positions: Uint32Array): ReadonlySet<number> =>
  new Set(Array.from(positions, (position) => Math.floor(position / pageSize)));

/** A page on screen out of rows of several pages of the sheet. */
function composed(
  { page, generation }: Pick<GridPage, 'page' | 'generation'>,
  columns: readonly GridColumn[],
  positions: Uint32Array,
  kept: ReadonlyMap<number, KeptPage>,
): KeptPage {
  const from = Array.from(positions, (position) => ({
    grid: kept.get(Math.floor(position / pageSize))?.grid,
    place: position % pageSize,
  }));
  const statuses = [...new Set([noStatus, ...from.flatMap(({ grid }) => grid?.statuses ?? [])])];
  const made: Record<string, PageColumn> = {};
  const missing = kindNumber('missing');
  for (const { id } of columns) {
    const cells = from.map(({ grid, place }) => ({ grid, place, column: grid?.columns[id] }));
    const errors = cells.flatMap(({ column, place }, at) => {
      const error = column?.errors[place];
      return error === undefined ? [] : [[at, error] as const];
    });
    made[id] = {
      text: cells.map(({ column, place }) => column?.text[place] ?? ''),
      kind: cells.map(({ column, place }) => column?.kind[place] ?? missing),
      status: cells.map(({ grid, column, place }) =>
        statuses.indexOf(grid?.statuses[column?.status[place] ?? 0] ?? noStatus),
      ),
      cut: cells.flatMap(({ column, place }, at) => (column?.cut.includes(place) ? [at] : [])),
      errors: Object.fromEntries(errors),
    };
  }
  const versions = new Set([...kept.values()].map(({ version }) => version));
  const [version] = versions.size === 1 ? versions : [undefined];
  const rowIndices = from.map(({ grid, place }) => grid?.rowIndices[place] ?? 0);
  return { grid: { page, generation, rowIndices, statuses, columns: made }, version };
}
