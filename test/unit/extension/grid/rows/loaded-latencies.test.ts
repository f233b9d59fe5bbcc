import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { Row } from '../../../../../src/api/row.ts';
import { percentile } from '../../../../../src/extension/shell/percentile.ts';
import { LoadedLatencies } from '../../../../../src/extension/grid/rows/loaded-latencies.ts';
import { until } from '../../../../support/until.ts';

const row = (row_index: number, ...latencies: readonly (number | null)[]): Row => ({
  row_index,
  cells: Object.fromEntries(
    latencies.map((latency_ms, at) => [
      `c${at}`,
      {
        ...{ id: `${row_index}-${at}`, column_id: `c${at}`, row_index, status: 'completed' },
        request_metrics: { latency_ms },
      },
    ]),
  ),
});

describe('latencies of the rows that are loaded', () => {
  it('are looked at later, and told once for many pages', async () => {
    let reported = 0;
    const latencies = new LoadedLatencies(() => (reported += 1), 20);
    latencies.learn(0, [row(0, 100, null), row(1, 300, 200)]);
    latencies.learn(1, [row(2, 400)]);
    assert.deepEqual([reported, latencies.figures], [0, undefined]);
    await until('it is told', () => reported > 0);
    assert.equal(reported, 1);
    assert.deepEqual(latencies.figures, { rows: 3, negative: 0, median: 200, p95: 400 });
    // A page that is read anew counts once.
    latencies.learn(1, [row(2, 50)]);
    await until('it is told again', () => reported > 1);
    assert.deepEqual(latencies.figures, { rows: 3, negative: 0, median: 100, p95: 300 });
  });

  it('are those of all values, to three digits, in whatever order pages come and come again', async () => {
    const value = fc.oneof(
      fc.constantFrom(0, 0.001),
      fc.double({ min: -1.9, max: 12.99, noNaN: true }).map((power) => 10 ** power),
    );
    const reads = fc.array(
      fc.record({ page: fc.nat(9), values: fc.array(value, { maxLength: 20 }) }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(reads, fc.nat(30), async (all, half) => {
        const latencies = new LoadedLatencies(() => undefined, 0);
        const pages = new Map<number, readonly number[]>();
        for (const [at, { page, values }] of all.entries()) {
          pages.set(page, values);
          latencies.learn(page, [row(page, ...values)]);
          if (at === half) await pause(2);
        }
        await pause(2);
        const sorted = [...pages.values()].flat().sort((left, right) => left - right);
        const reported = (share: number): number | null | undefined => {
          const exact = percentile(sorted, share);
          return exact === null || exact < 0.01 ? exact && 0 : Number(exact.toPrecision(3));
        };
        const { figures } = latencies;
        if (sorted.length === 0) assert.equal(figures, undefined);
        else {
          const { size: rows } = pages;
          const [median, p95] = [reported(0.5), reported(0.95)];
          assert.deepEqual(figures, { rows, negative: 0, median, p95 });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('leave out what is below zero, and count it', async () => {
    const latencies = new LoadedLatencies(() => undefined, 1);
    latencies.learn(0, [row(0, -5), row(1, 7)]);
    await until('they are looked at', () => latencies.figures);
    assert.deepEqual(latencies.figures, { rows: 2, negative: 1, median: 7, p95: 7 });
  });

  it('are none of rows without any, and of rows that have moved', async () => {
    const latencies = new LoadedLatencies(() => undefined, 1);
    latencies.learn(0, [row(0, null)]);
    await pause(30);
    assert.equal(latencies.figures, undefined);
    latencies.learn(0, [row(0, 7)]);
    latencies.clear();
    await pause(30);
    assert.equal(latencies.figures, undefined);
  });
});
