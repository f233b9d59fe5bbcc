import type { MetricAggregates } from '../../../api/row.ts';
import type { MetricTotals } from '../../../protocol/grid-sheet.ts';
import type { Translate } from '../../shell/translate.ts';

/** Totals over the sheet: price and latency first, then what else the service sends. */
export function totalsOf(
  aggregates: MetricAggregates | undefined,
  t: Translate,
): readonly MetricTotals[] {
  const labels: Readonly<Record<string, string>> = {
    price: t('Cost'),
    latency_ms: t('Latency'),
  };
  return Object.values(aggregates?.sheet.by_metric ?? {}).map((metric) => ({
    metric: metric.metric_key,
    label: labels[metric.metric_key] ?? metric.metric_label ?? metric.metric_key,
    count: metric.count,
    sum: metric.sum,
    average: metric.avg ?? null,
    min: metric.min ?? null,
    max: metric.max ?? null,
  }));
}
