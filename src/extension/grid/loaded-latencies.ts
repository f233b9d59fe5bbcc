import type { Row } from '../../api/row.ts';
import type { LoadedFigures } from '../../protocol/grid.ts';
import { percentile } from '../percentile.ts';

/** Rows are looked at once the grid has drawn them. */
const drawnMs = 400;
/** Sorting many values may take no more than this share of the time. */
const sortingShare = 20;

interface PageLatencies {
  readonly rows: number;
  readonly values: readonly number[];
  readonly negative: number;
}

function latenciesOf(rows: readonly Row[]): PageLatencies {
  const values: number[] = [];
  let negative = 0;
  for (const { cells } of rows) {
    for (const { request_metrics: metrics } of Object.values(cells)) {
      const latency = metrics?.latency_ms;
      if (typeof latency !== 'number') continue;
      // No time is below zero: such a value would move the percentiles.
      if (latency < 0) negative += 1;
      else values.push(latency);
    }
  }
  return { rows: rows.length, values, negative };
}

/**
 * How long the cells of the rows that are loaded have taken. The service sums up the whole sheet, but
 * has no percentiles. Nothing is done while rows come in: their pages are kept for a moment.
 */
export class LoadedLatencies {
  readonly #onChange: () => void;
  readonly #pauseMs: number;
  #waiting = new Map<number, readonly Row[]>();
  #pages = new Map<number, PageLatencies>();
  #figures: LoadedFigures | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sortMs = 0;

  constructor(onChange: () => void, pauseMs = drawnMs) {
    this.#onChange = onChange;
    this.#pauseMs = pauseMs;
  }

  /** Undefined: no row that is loaded has a latency. */
  get figures(): LoadedFigures | undefined {
    return this.#figures;
  }

  learn(page: number, rows: readonly Row[]): void {
    this.#waiting.set(page, rows);
    const pause = Math.max(this.#pauseMs, this.#sortMs * sortingShare);
    this.#timer ??= setTimeout(() => this.#look(), pause);
  }

  /** The rows are elsewhere now. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
    this.#pages.clear();
    this.#figures = undefined;
  }

  #look(): void {
    this.#timer = undefined;
    for (const [page, rows] of this.#waiting) this.#pages.set(page, latenciesOf(rows));
    this.#waiting.clear();
    const began = performance.now();
    let rows = 0;
    let known = 0;
    let negative = 0;
    for (const page of this.#pages.values()) {
      rows += page.rows;
      known += page.values.length;
      negative += page.negative;
    }
    const sorted = new Float64Array(known);
    let at = 0;
    for (const { values } of this.#pages.values()) {
      sorted.set(values, at);
      at += values.length;
    }
    sorted.sort();
    this.#figures =
      known + negative === 0
        ? undefined
        : { rows, negative, median: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
    this.#sortMs = performance.now() - began;
    this.#onChange();
  }
}
