import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Cell } from '../../../../src/api/cell.ts';
import {
  Samples,
  edgesOf,
  factsOf,
  historyOf,
  metricsOf,
} from '../../../../src/extension/charts/samples.ts';
import { percentile } from '../../../../src/extension/shell/percentile.ts';

const filled = (values: readonly number[], random?: () => number): Samples => {
  const samples = new Samples(random);
  for (const [at, value] of values.entries()) samples.add(value, at * 60_000);
  return samples;
};

describe('Numbers of the charts', () => {
  it('never takes for nothing what is not known', () => {
    const cell = (request_metrics: Cell['request_metrics']): Cell => ({
      ...{ id: 'i', column_id: 'c', row_index: 0, status: 'completed' },
      request_metrics,
    });
    assert.deepEqual(metricsOf(cell(null)), {});
    assert.deepEqual(metricsOf(cell({ price: null, latency_ms: 0 })), { latency: 0 });
    assert.deepEqual(metricsOf(cell({ price: 0, output_tokens: 3 })), { price: 0, tokens: 3 });
    assert.deepEqual(factsOf(undefined, [1, 2]), {
      ...{
        known: 0,
        negative: 0,
        sum: null,
        mean: null,
        min: null,
        max: null,
        median: null,
        p95: null,
      },
      bins: [0, 0],
    });
  });

  it('gives percentiles that were measured', () => {
    const values = Array.from({ length: 100 }, (_, at) => at + 1);
    assert.equal(percentile(values, 0.5), 50);
    assert.equal(percentile(values, 0.95), 95);
    assert.equal(percentile([7], 0.95), 7);
    assert.equal(percentile([], 0.5), null);
  });

  it('counts every cell in one bin, and what is far out in the last', () => {
    const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, (all) => {
        const samples = filled(all);
        const edges = edgesOf([samples]);
        const { bins, known } = factsOf(samples, edges);
        assert.equal(bins.length, edges.length);
        assert.equal(
          bins.reduce((sum, one) => sum + one, 0),
          known,
        );
      }),
    );
    const far = filled([...Array.from({ length: 200 }, (_, at) => at), 1e9]);
    assert.ok((edgesOf([far]).at(-1) ?? 0) < 200);
  });

  it('keeps sums of all and a sample of a bounded size', () => {
    let turn = 0;
    const samples = filled(
      Array.from({ length: 30_000 }, (_, at) => at),
      () => (turn = (turn + 0.37) % 1),
    );
    assert.equal(samples.samples.length, 20_000);
    assert.ok(samples.isSampled);
    const { known, mean, max, median } = factsOf(samples, edgesOf([samples]));
    assert.deepEqual([known, mean, max], [30_000, 14_999.5, 29_999]);
    assert.ok(median !== null && Math.abs(median - 15_000) < 1500);
  });

  it('puts cells together by when they were computed', () => {
    const history = historyOf([filled([1, 3]), filled([5])]);
    assert.deepEqual(
      history.map(({ mean, known }) => [mean, known]),
      [
        [3, 2],
        [3, 1],
      ],
    );
    const undated = new Samples();
    undated.add(1, NaN);
    assert.deepEqual(historyOf([undated]), []);
  });
});
