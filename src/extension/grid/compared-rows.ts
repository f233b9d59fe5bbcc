import type { Cell } from '../../api/cell.ts';
import type { Row } from '../../api/row.ts';
import type { ComparedSide, VerdictCounts } from '../../protocol/compare.ts';
import { pageSize } from '../../protocol/grid.ts';
import { wholeValue } from './cell-detail.ts';
import { faceOf } from './cell-face.ts';
import { hasValue, numberIn } from './order.ts';
import { Pages } from './pages.ts';
import type { SheetSource } from './source.ts';

const looked = { computed: true, system: false };

/** A score: a number, or true above false. */
export function scoreOf(cell: Cell | undefined): number | undefined {
  const { text } = faceOf(cell, looked, Infinity);
  if (text === 'true') return 1;
  if (text === 'false') return 0;
  return numberIn(text);
}

export function sideOf(cell: Cell | undefined): ComparedSide {
  const { kind, status } = faceOf(cell, looked, Infinity);
  const isNothing = cell === undefined || (!hasValue(kind) && kind !== 'empty');
  if (isNothing) return { text: null, status };
  const { text, json } = wholeValue(cell);
  return { text: json ?? text, status };
}

/** Rows of a sheet with whole values, one page at a time. */
export class ComparedRows {
  readonly #pages: Pages;
  #read: { readonly page: number; readonly rows: readonly Row[] } | undefined;

  constructor(source: SheetSource, rowCount: number | undefined) {
    const rest = { systemColumns: false, columns: false, aggregates: false };
    this.#pages = new Pages({
      fetch: (request, signal) => source.rows({ ...request, ...rest }, signal),
      ...{ order: 'asc', generation: 1, columns: [], rowCount, memoryPages: 1 },
    });
  }

  async row(position: number, signal: AbortSignal): Promise<Row | undefined> {
    return (await this.#page(Math.floor(position / pageSize), signal))[position % pageSize];
  }

  async count(
    leftId: string,
    rightId: string,
    signal: AbortSignal,
    onProgress: (rows: number) => void,
  ): Promise<VerdictCounts> {
    const counts = { left: 0, right: 0, tie: 0 };
    let seen = 0;
    for (let page = 0; ; page += 1) {
      signal.throwIfAborted();
      const rows = await this.#pages.read(page, signal);
      for (const { cells } of rows) {
        const [left, right] = [scoreOf(cells[leftId]), scoreOf(cells[rightId])];
        if (left === undefined || right === undefined) continue;
        counts[left > right ? 'left' : left < right ? 'right' : 'tie'] += 1;
      }
      seen += rows.length;
      onProgress(seen);
      if (rows.length < pageSize) return counts;
    }
  }

  /** Values are read anew once the row is left and come back to. */
  async #page(page: number, signal: AbortSignal): Promise<readonly Row[]> {
    if (this.#read?.page !== page) {
      this.#read = { page, rows: await this.#pages.read(page, signal) };
    }
    return this.#read.rows;
  }

  /** Values may have changed. */
  forget(): void {
    this.#read = undefined;
  }
}
