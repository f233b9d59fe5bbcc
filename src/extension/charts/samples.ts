import type { Cell } from '../../api/cell.ts';
import type { MetricFacts, MetricName, MetricScale, TimePoint } from '../../protocol/charts.ts';
import { percentile } from '../shell/percentile.ts';

const mostSamples = 20_000;
const binCount = 20;
const mostSpans = 30;

/** Of one cell; undefined: not known, which is not 0. */
export function metricsOf(cell: Cell): Partial<Record<MetricName, number>> {
  const metrics = cell.request_metrics;
  const { latency_ms: latency, price, input_tokens: input, output_tokens: output } = metrics ?? {};
  const tokens =
    typeof input === 'number' || typeof output === 'number'
      ? (input ?? 0) + (output ?? 0)
      : undefined;
  return {
    ...(typeof latency === 'number' && { latency }),
    ...(typeof price === 'number' && { price }),
    ...(tokens !== undefined && { tokens }),
  };
}

interface Sample {
  readonly value: number;
  /** When it was computed, milliseconds; NaN: not known. */
  readonly at: number;
}

/** Values of one metric of one column: sums of all, and a fair sample of a bounded size. */
export class Samples {
  readonly #random: () => number;
  readonly samples: Sample[] = [];
  known = 0;
  negative = 0;
  sum = 0;
  min = Infinity;
  max = -Infinity;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  get isSampled(): boolean {
    return this.known > this.samples.length;
  }

  add(value: number, at: number): void {
    // No time, price or count is below zero: such a value is wrong, and would make sums wrong.
    if (value < 0) {
      this.negative += 1;
      return;
    }
    this.known += 1;
    this.sum += value;
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
    if (this.samples.length < mostSamples) {
      this.samples.push({ value, at });
      return;
    }
    // Every value stays with the same chance.
    const place = Math.floor(this.#random() * this.known);
    if (place < mostSamples) this.samples[place] = { value, at };
  }
}

const ascending = (a: number, b: number): number => a - b;

/** Bins that show the usual values: what is far beyond them is in the last. */
export function edgesOf(all: readonly Samples[]): readonly number[] {
  const values = all.flatMap(({ samples }) => samples.map(({ value }) => value)).sort(ascending);
  const least = values[0];
  const usual = percentile(values, 0.99);
  if (least === undefined || usual === null) return [];
  if (usual === least) return [least];
  const step = (usual - least) / binCount;
  return Array.from({ length: binCount }, (_, at) => least + step * at);
}

export function factsOf(found: Samples | undefined, edges: readonly number[]): MetricFacts {
  const bins = edges.map(() => 0);
  if (found === undefined || found.known === 0) {
    const nothing = { sum: null, mean: null, min: null, max: null, median: null, p95: null };
    return { known: 0, negative: found?.negative ?? 0, ...nothing, bins };
  }
  const { known, negative, sum, min, max, samples } = found;
  const sorted = samples.map(({ value }) => value).sort(ascending);
  const scale = known / samples.length;
  let bin = 0;
  for (const value of sorted) {
    while (bin + 1 < edges.length && value >= (edges[bin + 1] ?? Infinity)) bin += 1;
    bins[bin] = (bins[bin] ?? 0) + scale;
  }
  return {
    ...{ known, negative, sum, min, max },
    mean: sum / known,
    median: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    bins: bins.map(Math.round),
  };
}

/** Means by when the cells were computed, in spans of the same length; empty ones are left out. */
export function historyOf(all: readonly Samples[]): readonly TimePoint[] {
  const dated = all.flatMap(({ samples }) => samples).filter(({ at }) => Number.isFinite(at));
  if (dated.length === 0) return [];
  let first = Infinity;
  let last = -Infinity;
  for (const { at } of dated) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  const span = Math.max(1000, Math.ceil((last - first + 1) / mostSpans));
  const spans = new Map<number, { sum: number; known: number }>();
  for (const { at, value } of dated) {
    const key = Math.floor((at - first) / span);
    const one = spans.get(key) ?? { sum: 0, known: 0 };
    spans.set(key, { sum: one.sum + value, known: one.known + 1 });
  }
  return [...spans]
    .sort(([a], [b]) => a - b)
    .map(([key, { sum, known }]) => ({
      at: new Date(first + key * span).toISOString(),
      mean: sum / known,
      known,
    }));
}

export type ColumnSamples = Readonly<Record<MetricName, Samples>>;

export const noSamples = (): ColumnSamples => ({
  latency: new Samples(),
  price: new Samples(),
  tokens: new Samples(),
});

export function scalesOf(all: readonly ColumnSamples[]): Record<MetricName, MetricScale> {
  const scale = (name: MetricName): MetricScale => {
    const found = all.map((samples) => samples[name]);
    return { edges: edgesOf(found), history: historyOf(found) };
  };
  return { latency: scale('latency'), price: scale('price'), tokens: scale('tokens') };
}
