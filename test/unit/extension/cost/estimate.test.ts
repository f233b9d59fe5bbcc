import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Column } from '../../../../src/api/column.ts';
import type { MetricAggregates } from '../../../../src/api/row.ts';
import { estimateUsd } from '../../../../src/core/assistant/cost.ts';
import type { OperationRequest } from '../../../../src/core/index.ts';
import { estimateCost } from '../../../../src/extension/cost/estimate.ts';

const column = (id: string, type: string, more: Partial<Column> = {}): Column => ({
  ...{ id, title: id.toUpperCase(), type },
  ...more,
});
const columns = [
  column('t', 'TEXT'),
  column('a', 'PROMPT_TEMPLATE'),
  column('pa', 'TEXT', { is_system: true }),
  column('b', 'LLM_ASSERTION'),
  column('c', 'COUNT'),
];
const price = (source: string, count: number, sum: number) => ({
  ...{ metric_key: 'price', count, sum, source_column_id: source },
  avg: count === 0 ? null : sum / count,
});
const aggregatesOf = (...prices: readonly ReturnType<typeof price>[]): MetricAggregates => ({
  by_column_id: Object.fromEntries(prices.map((one, at) => [`system-${String(at)}`, one])),
  sheet: { by_metric: {} },
});
const aggregates = aggregatesOf(price('a', 4, 0.08));
const facts = { columns, aggregates, rowCount: 100 };

describe('Cost of a run', () => {
  it('is cells times the mean price so far, with how many cells that is of', () => {
    const request = { column_ids: ['a'], statuses: [] };
    assert.deepEqual(estimateCost({ ...facts, request, cellCount: 100 }), {
      usd: 2,
      columns: [{ title: 'A', cells: 100, mean: 0.02, samples: 4 }],
      isUpperLimit: false,
      mayWait: false,
    });
  });

  it('says where no price is known, and counts only columns that ask models', () => {
    const request = { column_ids: ['b', 'c'], statuses: [] };
    assert.deepEqual(estimateCost({ ...facts, request, cellCount: 200 }), {
      usd: undefined,
      columns: [{ title: 'B', cells: 100, mean: undefined, samples: 0 }],
      isUpperLimit: false,
      mayWait: false,
    });
    const free = estimateCost({ ...facts, request: { column_ids: ['c'] }, cellCount: 9 });
    assert.deepEqual(free.columns, []);
  });

  it('says that it does not know what loops and similarities cost, rather than nothing', () => {
    for (const type of ['FOR_LOOP', 'WHILE_LOOP', 'COSINE_SIMILARITY', 'WORKFLOW']) {
      const some = { columns: [column('l', type)], aggregates, rowCount: 5 };
      const { columns: costs } = estimateCost({ ...some, request: {}, cellCount: 5 });
      assert.deepEqual(costs, [{ title: 'L', cells: 5, mean: undefined, samples: 0 }], type);
      assert.equal(estimateUsd(some.columns, aggregates, 5), undefined, type);
    }
  });

  it('leaves out cells that people fill in', () => {
    const some = [column('a', 'PROMPT_TEMPLATE'), column('h', 'HUMAN')];
    const request = { statuses: [] };
    const { usd, isUpperLimit } = estimateCost({
      ...facts,
      columns: some,
      request,
      cellCount: 100,
    });
    assert.deepEqual([usd, isUpperLimit], [2, false]);
    const waits = (more: OperationRequest): boolean =>
      estimateCost({ ...facts, columns: some, request: more, cellCount: 9 }).mayWait;
    // Only stale cells are counted by the service, with those that wait.
    assert.deepEqual([{}, request, { column_ids: ['a'] }].map(waits), [true, false, false]);
  });

  it('takes the most that stale cells of several columns can cost', () => {
    const dear = aggregatesOf(price('a', 2, 2), price('b', 1, 0.1));
    const {
      usd,
      isUpperLimit,
      columns: costs,
    } = estimateCost({
      ...{ columns, aggregates: dear, rowCount: 100, request: {} },
      cellCount: 150,
    });
    assert.deepEqual(
      costs.map(({ title, cells }) => [title, cells]),
      [
        ['A', 100],
        ['B', 50],
      ],
    );
    assert.ok(usd !== undefined && Math.abs(usd - 105) < 1e-9);
    assert.ok(isUpperLimit);
  });

  it('never counts more cells of priced columns than run', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(300), fc.boolean(), (cellCount, rowCount, isWhole) => {
        const both = aggregatesOf(price('a', 1, 1), price('b', 1, 0.5));
        const request = isWhole ? { statuses: [] } : {};
        const { columns: costs } = estimateCost({
          ...{ columns, aggregates: both, rowCount, request, cellCount },
        });
        const cells = costs.reduce((sum, one) => sum + one.cells, 0);
        assert.ok(cells <= cellCount);
      }),
    );
  });
});
