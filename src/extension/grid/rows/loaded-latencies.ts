import type { Row } from '../../../api/row.ts';
import type { LoadedFigures } from '../../../protocol/grid-sheet.ts';

/** Rows are looked at once the grid has drawn them. */
const drawnMs = 400;

/** Times are told to three digits, and kept so: two bytes each, and nothing to sort. */
const digits = 900;
const smallest = -2;
const largest = 12;
const steps = (largest - smallest + 1) * digits + 2;

/** Number of a time's step; 0: none that could be measured. */
function stepOf(ms: number): number {
  const power = Math.floor(Math.log10(ms));
  if (!(power >= smallest)) return 0;
  if (power > largest) return steps - 1;
  return 1 + (power - smallest) * digits + Math.round(ms / 10 ** (power - 2)) - 100;
}

function timeOf(step: number): number {
  if (step === 0) return 0;
  const power = smallest + Math.floor((step - 1) / digits);
  return Number(`${100 + ((step - 1) % digits)}e${power - 2}`);
}

interface PageLatencies {
  readonly rows: number;
  readonly steps: Uint16Array;
  readonly negative: number;
}

function latenciesOf(rows: readonly Row[]): PageLatencies {
  const found: number[] = [];
  let negative = 0;
  for (const { cells } of rows) {
    for (const { request_metrics: metrics } of Object.values(cells)) {
      const latency = metrics?.latency_ms;
      if (typeof latency !== 'number') continue;
      // No time is below zero: such a value would move the percentiles.
      if (latency < 0) negative += 1;
      else found.push(stepOf(latency));
    }
  }
  return { rows: rows.length, steps: Uint16Array.from(found), negative };
}

/**
 * How long the cells of the rows that are loaded have taken. The service sums up the whole sheet, but
 * has no percentiles. Nothing is done while rows come in: their pages are kept for a moment.
 */
export class LoadedLatencies {
  readonly #onChange: () => void;
  readonly #pauseMs: number;
  readonly #counts = new Uint32Array(steps);
  #waiting = new Map<number, readonly Row[]>();
  #pages = new Map<number, PageLatencies>();
  #rows = 0;
  #known = 0;
  #negative = 0;
  #figures: LoadedFigures | undefined;
  #timer: NodeJS.Timeout | undefined;

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
    this.#timer ??= setTimeout(() => this.#look(), this.#pauseMs);
  }

  /** The rows are elsewhere now. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
    this.#pages.clear();
    this.#counts.fill(0);
    this.#rows = 0;
    this.#known = 0;
    this.#negative = 0;
    this.#figures = undefined;
  }

  #look(): void {
    this.#timer = undefined;
    for (const [page, rows] of this.#waiting) {
      const before = this.#pages.get(page);
      if (before !== undefined) this.#count(before, -1);
      const now = latenciesOf(rows);
      this.#pages.set(page, now);
      this.#count(now, 1);
    }
    this.#waiting.clear();
    const [rows, negative] = [this.#rows, this.#negative];
    this.#figures =
      this.#known + negative === 0
        ? undefined
        : { rows, negative, median: this.#percentile(0.5), p95: this.#percentile(0.95) };
    this.#onChange();
  }

  #count({ rows, steps: found, negative }: PageLatencies, times: 1 | -1): void {
    this.#rows += times * rows;
    this.#known += times * found.length;
    this.#negative += times * negative;
    for (const step of found) this.#counts[step] = (this.#counts[step] ?? 0) + times;
  }

  /** Nearest rank. Null: there are none. */
  #percentile(share: number): number | null {
    let left = Math.max(1, Math.ceil(share * this.#known));
    for (const [step, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return timeOf(step);
    }
    return null;
  }
}
