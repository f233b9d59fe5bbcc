import type { ColumnFoot, Interval } from '../../protocol/matrix.ts';
import { percentile } from '../shell/percentile.ts';
import type { StoredCell } from './cells.ts';

/** Of the normal distribution: 19 times out of 20. */
const z = 1.959964;

const within = (share: number): number => Math.min(1, Math.max(0, share));

/** A share of `count`, with Wilson's interval, which holds for few and for extreme shares as well. */
export function shareOf(hits: number, count: number): Interval | undefined {
  if (count === 0) return undefined;
  const share = hits / count;
  const spread = z * z;
  const middle = (share + spread / (2 * count)) / (1 + spread / count);
  const half =
    (z * Math.sqrt((share * (1 - share)) / count + spread / (4 * count * count))) /
    (1 + spread / count);
  return { mean: share, low: within(middle - half), high: within(middle + half) };
}

/**
 * The mean of values from 0 to 1. Wilson's interval with their own variance in the place of that of
 * a share: it never leaves the scale, and a few equal values are not taken for certainty.
 */
export function meanOf(values: readonly number[]): Interval | undefined {
  const count = values.length;
  if (count === 0) return undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  const spread = z * z;
  const middle = (mean + spread / (2 * count)) / (1 + spread / count);
  const half =
    (z * Math.sqrt(variance / count + spread / (4 * count * count))) / (1 + spread / count);
  return { mean, low: within(middle - half), high: within(middle + half) };
}

/** Undefined: some scorer has not said anything, so the rest would be another score. */
export function scoreOf(
  { verdicts }: StoredCell,
  scorerIds: readonly string[],
): number | undefined {
  if (scorerIds.length === 0) return undefined;
  let passed = 0;
  for (const id of scorerIds) {
    const pass = verdicts.get(id)?.pass;
    if (pass === undefined) return undefined;
    if (pass) passed += 1;
  }
  return passed / scorerIds.length;
}

const sumOf = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
};

interface Counted {
  readonly scorerIds: readonly string[];
  readonly priceOf: (requestId: number) => number | undefined;
  readonly firsts: number;
}

export function footOf(
  columnId: string,
  cells: readonly StoredCell[],
  { scorerIds, priceOf, firsts }: Counted,
): ColumnFoot {
  const answered = cells.filter(({ state }) => state === 'done');
  const scores = answered
    .map((cell) => scoreOf(cell, scorerIds))
    .filter((score) => score !== undefined);
  // What was kept from another run took no time and cost nothing.
  const asked = answered.filter(({ answer }) => answer?.isCached !== true);
  const times = asked.flatMap(({ answer }) => answer?.elapsedMs ?? []).toSorted((a, b) => a - b);
  const paid = cells.flatMap(({ requestIds }) => requestIds);
  const prices = paid.map(priceOf).filter((price) => price !== undefined);
  const passRate = shareOf(scores.filter((score) => score === 1).length, scores.length);
  const score = meanOf(scores);
  const [p50Ms, p95Ms] = [percentile(times, 0.5), percentile(times, 0.95)];
  const inputTokens = sumOf(asked.map(({ answer }) => answer?.inputTokens));
  const outputTokens = sumOf(asked.map(({ answer }) => answer?.outputTokens));
  const costUsd = sumOf(prices);
  return {
    ...{ columnId, firsts, answered: answered.length, scored: scores.length },
    failed: cells.filter(({ state }) => state === 'failed').length,
    cut: answered.filter(({ answer }) => answer?.ending !== undefined).length,
    priced: prices.length,
    ...(passRate !== undefined && { passRate }),
    ...(score !== undefined && { score }),
    ...(p50Ms !== null && { p50Ms }),
    ...(p95Ms !== null && { p95Ms }),
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(costUsd !== undefined && { costUsd }),
  };
}
