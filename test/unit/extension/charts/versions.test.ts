import assert from 'node:assert/strict';
import { Samples, factsOf } from '../../../../src/extension/charts/samples.ts';
import { figuresOf } from '../../../../src/extension/charts/versions.ts';
import type { SheetVersion } from '../../../../src/api/version.ts';

const cell = (metrics: object | null) => ({
  ...{ id: 'c', sheet_id: 's', column_id: 'k', row_index: 1, status: 'completed', value: 'x' },
  request_metrics: metrics,
});
const version = (
  snapshot: object | undefined,
  score: Readonly<Record<string, unknown>> = {},
): SheetVersion => ({
  ...{ id: 'v', version_number: 3, name: 'third', created_at: '2026-01-02T03:04:05Z', score },
  ...(snapshot && { snapshot: snapshot as SheetVersion['snapshot'] }),
});

describe('figures of a saved version', () => {
  it('are of the cells that it keeps, and say of how many rows', () => {
    const rows = [
      { row_index: 1, cells: { a: cell({ latency_ms: 100, price: 0.5, input_tokens: 7 }) } },
      { row_index: 2, cells: { a: cell({ latency_ms: 300, price: null }), b: cell(null) } },
    ];
    const sent = { columns: [], rows, row_count: 900, has_more_rows: true };
    const { latency, price, tokens, ...rest } = figuresOf(version(sent), 0.7);
    assert.deepEqual(rest, {
      ...{ version: 3, name: 'third', at: '2026-01-02T03:04:05Z', rows: 2, of: 900 },
      ...{ isReported: true, cells: 2, score: 0.7 },
    });
    assert.deepEqual([latency.known, latency.mean, latency.p95], [2, 200, 300]);
    assert.deepEqual([price.known, price.sum], [1, 0.5]);
    assert.equal(tokens.sum, 7);
  });

  it('are not made up where the service does not tell them', () => {
    const { isReported, cells, price, score } = figuresOf(version(undefined), null);
    assert.deepEqual([isReported, cells, price.sum, score], [false, 0, null, null]);
    const own = figuresOf(version(undefined, { aggregate_score: 0.25 }), null);
    assert.equal(own.score, 0.25);
  });

  it('leave out what is below zero, and count it', () => {
    const samples = new Samples();
    for (const value of [3, -1, 1]) samples.add(value, NaN);
    const { known, negative, sum, min } = factsOf(samples, []);
    assert.deepEqual([known, negative, sum, min], [2, 1, 4, 1]);
  });
});
