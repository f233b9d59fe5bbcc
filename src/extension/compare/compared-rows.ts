import type { Cell } from '../../api/cell.ts';
import type { Row } from '../../api/row.ts';
import type { ComparedSide, VerdictCounts } from '../../protocol/compare.ts';
import { pageSize } from '../../protocol/grid-cells.ts';
import { wholeValue } from '../grid/cells/cell-detail.ts';
import { presentationOf } from '../grid/cells/cell-presentation.ts';
import type { Numeral } from '../../core/numeral.ts';
import { compareNumerals, numeralIn } from '../../core/numeral.ts';
import { hasValue } from '../grid/rows/order.ts';
import { Pages } from '../grid/rows/pages.ts';
import type { SheetSource } from '../grid/rows/source.ts';

/** The one that is listed and the one that a row is shown of. */
const mostPages = 2;

const looked = { computed: true, system: false };

/** A score: a number, or true above false. */
export function scoreOf(cell: Cell | undefined): Numeral | undefined {
  const { text } = presentationOf(cell, looked, Infinity);
  if (text === 'true') return 1;
  if (text === 'false') return 0;
  return numeralIn(text);
}

export function sideOf(cell: Cell | undefined): ComparedSide {
  const { kind, status } = presentationOf(cell, looked, Infinity);
  const isNothing = cell === undefined || (!hasValue(kind) && kind !== 'empty');
  if (isNothing) return { text: null, status };
  const { text, json } = wholeValue(cell);
  return { text: json ?? text, status };
}

/** Rows of a sheet with whole values, one page at a time. */
export class ComparedRows {
  readonly #pages: Pages;
  /** Pages that were read last, the newest at the end. */
  readonly #read = new Map<number, readonly Row[]>();

  constructor(source: SheetSource, rowCount: number | undefined) {
    const rest = { systemColumns: false, columns: false, aggregates: false };
    this.#pages = new Pages({
      fetch: (request, signal) => source.rows({ ...request, ...rest }, signal),
      ...{ order: 'asc', generation: 1, columns: [], rowCount, memoryPages: 1 },
    });
  }

  async row(position: number, signal: AbortSignal): Promise<Row | undefined> {
    return (await this.page(Math.floor(position / pageSize), signal))[position % pageSize];
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
        const order = compareNumerals(left, right);
        counts[order > 0 ? 'left' : order < 0 ? 'right' : 'tie'] += 1;
      }
      seen += rows.length;
      onProgress(seen);
      if (rows.length < pageSize) return counts;
    }
  }

  /** Values are read anew once their page is left and come back to. */
  async page(page: number, signal: AbortSignal): Promise<readonly Row[]> {
    const rows = this.#read.get(page) ?? (await this.#pages.read(page, signal));
    this.#read.delete(page);
    this.#read.set(page, rows);
    for (const old of this.#read.keys()) {
      if (this.#read.size <= mostPages) break;
      this.#read.delete(old);
    }
    return rows;
  }
}
