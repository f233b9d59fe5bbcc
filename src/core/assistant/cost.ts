import type { Column } from '../../api/column.ts';
import type { MetricAggregates } from '../../api/row.ts';
import { isPaid } from '../tables/run-types.ts';

/**
 * What so many cells of each of the columns should cost at most, in US dollars, going by what their
 * cells have cost so far. Undefined: nobody knows, because one of them has no price yet.
 */
export function estimateUsd(
  columns: readonly Pick<Column, 'id' | 'type'>[],
  aggregates: MetricAggregates | undefined,
  cellsPerColumn: number,
): number | undefined {
  const prices = Object.values(aggregates?.by_column_id ?? {}).filter(
    ({ metric_key: key, count }) => key === 'price' && count > 0,
  );
  let total = 0;
  for (const { id, type } of columns) {
    if (!isPaid(type)) continue;
    const average = prices.find(({ source_column_id: source }) => source === id)?.avg;
    if (average === undefined || average === null) return undefined;
    total += average * cellsPerColumn;
  }
  return total;
}
