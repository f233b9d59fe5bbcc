import type { Column } from '../../api/column.ts';
import type { MetricAggregates } from '../../api/row.ts';
import type { OperationRequest } from '../../core/index.ts';
import { isPaid, isRun } from '../../core/tables/run-types.ts';

/** What cells of one column should cost. */
export interface ColumnCost {
  readonly title: string;
  /** At most so many of its cells run. */
  readonly cells: number;
  /** US dollars a cell so far; undefined: no cell has a price yet. */
  readonly mean: number | undefined;
  /** Cells that the mean is of. */
  readonly samples: number;
}

export interface CostEstimate {
  /** US dollars of the columns with a price; undefined: none of them has one. */
  readonly usd: number | undefined;
  /** Columns that ask models, or have cost something. None: the run costs nothing that is known. */
  readonly columns: readonly ColumnCost[];
  /** Fewer cells may run than are counted here. */
  readonly isUpperLimit: boolean;
  /** Some of the cells to run may be such that wait for people: these are stale, and do not run. */
  readonly mayWait: boolean;
}

export interface EstimateFacts {
  readonly columns: readonly Column[];
  readonly aggregates: MetricAggregates | undefined;
  readonly rowCount: number | undefined;
  readonly request: OperationRequest;
  /** Cells that run, as far as known. */
  readonly cellCount: number;
}

interface Price {
  readonly mean: number | undefined;
  readonly samples: number;
}

function pricesOf(aggregates: MetricAggregates | undefined): ReadonlyMap<string, Price> {
  const prices = new Map<string, Price>();
  for (const [columnId, metric] of Object.entries(aggregates?.by_column_id ?? {})) {
    if (metric.metric_key !== 'price') continue;
    const mean = metric.count === 0 ? undefined : (metric.avg ?? metric.sum / metric.count);
    prices.set(metric.source_column_id ?? metric.column_id ?? columnId, {
      mean,
      samples: metric.count,
    });
  }
  return prices;
}

/**
 * Cells times the mean price of the column so far. How the cells of a run divide among its columns
 * is known when all cells of these run; else the dearest columns are taken to have as many as they
 * can, so that the estimate is the most that the run should cost.
 */
export function estimateCost(facts: EstimateFacts): CostEstimate {
  const { columns, aggregates, rowCount, request, cellCount } = facts;
  const chosen = request.column_ids ?? undefined;
  const meant = columns.filter(
    ({ id, is_system: isSystem }) =>
      isSystem !== true && (chosen === undefined || chosen.includes(id)),
  );
  const ran = meant.filter(({ type }) => isRun(type));
  const prices = pricesOf(aggregates);
  const isWhole = request.statuses?.length === 0;
  const share = Math.ceil(cellCount / Math.max(1, ran.length));
  const most = isWhole ? share : Math.min(cellCount, rowCount ?? cellCount);
  const paid = ran
    .filter(({ id, type }) => isPaid(type) || (prices.get(id)?.samples ?? 0) > 0)
    .map(({ id, title }) => ({ title, ...(prices.get(id) ?? { mean: undefined, samples: 0 }) }))
    .sort((a, b) => (b.mean ?? Infinity) - (a.mean ?? Infinity));
  let left = cellCount;
  const costs = paid.map((column): ColumnCost => {
    // A column without a price takes nothing from those that have one: it may be any of the cells.
    const cells = column.mean === undefined ? Math.min(most, cellCount) : Math.min(most, left);
    if (column.mean !== undefined) left -= cells;
    return { ...column, cells };
  });
  const known = costs.flatMap(({ mean, cells }) => (mean === undefined ? [] : [mean * cells]));
  return {
    usd: known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0),
    columns: costs,
    isUpperLimit: !isWhole && ran.length > 1,
    mayWait: !isWhole && meant.some(({ type }) => type === 'HUMAN'),
  };
}
