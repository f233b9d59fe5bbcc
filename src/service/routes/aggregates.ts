import type { Session } from '../store/database.ts';

interface MetricTotals {
  column_id: string;
  source_column_id: string | null;
  metric_key: string;
  title: string;
  count: number;
  sum: number | null;
  min: number | null;
  max: number | null;
}

interface Aggregate {
  metric_key: string;
  metric_label: string;
  count: number;
  sum: number;
  avg: number | null;
  min: number | null;
  max: number | null;
  column_id?: string;
  source_column_id?: string;
}

const metricKeys = ['price', 'latency_ms'] as const;
const labels: Readonly<Record<string, string>> = { price: 'Price', latency_ms: 'Latency' };

/** Totals of the metrics of prompt columns, by system column and for the whole sheet. */
export async function metricAggregates(session: Session, sheetKey: number): Promise<object> {
  const totals = await session.query<MetricTotals>(
    `select c.id as column_id, source.id as source_column_id, c.metric_key, c.title,
       count(cells.num) as count, sum(cells.num) as sum, min(cells.num) as min, max(cells.num) as max
     from columns c
     left join columns source on source.sheet_key = c.sheet_key and source.key = c.source_column_key
     left join cells on cells.sheet_key = c.sheet_key and cells.column_key = c.key and cells.num is not null
     where c.sheet_key = ? and c.is_system = 1 and c.metric_key is not null and c.deleted_at is null
     group by c.key, c.id, source.id, c.metric_key, c.title order by c.key`,
    [sheetKey],
  );
  return {
    by_column_id: Object.fromEntries(totals.map((one) => [one.column_id, ofColumn(one)])),
    sheet: {
      by_metric: Object.fromEntries(metricKeys.map((key) => [key, ofSheet(key, totals)])),
    },
  };
}

function ofColumn(totals: MetricTotals): Aggregate {
  return {
    ...aggregate(totals.metric_key, totals.count, totals.sum ?? 0, totals.min, totals.max),
    column_id: totals.column_id,
    ...(totals.source_column_id !== null && { source_column_id: totals.source_column_id }),
  };
}

function ofSheet(key: string, totals: readonly MetricTotals[]): Aggregate {
  const own = totals.filter(({ metric_key, count }) => metric_key === key && count > 0);
  const sum = (pick: (one: MetricTotals) => number): number =>
    own.reduce((total, one) => total + pick(one), 0);
  const some = own.length > 0;
  return aggregate(
    key,
    sum(({ count }) => count),
    sum((one) => one.sum ?? 0),
    some ? Math.min(...own.map(({ min }) => min ?? Infinity)) : null,
    some ? Math.max(...own.map(({ max }) => max ?? -Infinity)) : null,
  );
}

function aggregate(
  key: string,
  count: number,
  sum: number,
  min: number | null,
  max: number | null,
): Aggregate {
  return {
    metric_key: key,
    metric_label: labels[key] ?? key,
    count,
    sum,
    avg: count === 0 ? null : sum / count,
    min,
    max,
  };
}
