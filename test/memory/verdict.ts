/** Whether memory stayed flat: medians of the second and the last quarter, and a line over the second half. */
import type { Sample } from './samples.ts';

type Measure = Exclude<keyof Sample, 'atMs'>;

interface Rule {
  readonly title: string;
  readonly unit: string;
  /** Growth from the second quarter to the last that is still called flat, in percent. */
  readonly limit?: number;
}

const rules: Readonly<Record<Measure, Rule>> = {
  hostRssMb: { title: 'extension host, resident', unit: 'MB', limit: 5 },
  hostHeapMb: { title: 'extension host, JavaScript', unit: 'MB' },
  serviceRssMb: { title: 'local service, resident', unit: 'MB', limit: 5 },
  serviceHeapMb: { title: 'local service, JavaScript', unit: 'MB' },
  pageHeapMb: { title: 'page, JavaScript', unit: 'MB', limit: 5 },
  // No limit: VS Code keeps two for each command that is chosen in its palette, whoever has the command.
  nodes: { title: 'page, DOM nodes', unit: '' },
  listeners: { title: 'page, listeners', unit: '', limit: 1 },
  documents: { title: 'page, documents', unit: '', limit: 1 },
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Slope of the line of least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1): number =>
    points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return under === 0 ? 0 : over / under;
}

export interface Growth {
  readonly title: string;
  readonly unit: string;
  readonly second: number;
  readonly last: number;
  readonly percent: number;
  /** By the line over the second half. */
  readonly perHour: number;
  readonly limit?: number;
}

export function growths(samples: readonly Sample[], lengthMs: number): Growth[] {
  const within = (from: number, to: number): Sample[] =>
    samples.filter(({ atMs }) => atMs >= from * lengthMs && atMs <= to * lengthMs);
  const [second, last, half] = [within(0.25, 0.5), within(0.75, 1), within(0.5, 1)];
  if (second.length < 2 || last.length < 2)
    throw new Error(`${samples.length} samples are too few: let it go on for longer.`);
  return Object.entries(rules).map(([key, rule]) => {
    const of = (sample: Sample): number => sample[key as Measure];
    const [before, after] = [median(second.map(of)), median(last.map(of))];
    return {
      ...rule,
      second: before,
      last: after,
      percent: (after / before - 1) * 100,
      perHour: slope(half.map((sample) => [sample.atMs / 3_600_000, of(sample)])),
    };
  });
}

export const isKept = ({ percent, limit }: Growth): boolean =>
  limit === undefined || percent < limit;
