import { insertInputs } from '../store/insert-rows.ts';
import type { Session } from '../store/database.ts';
import type { ColumnRecord } from '../store/records.ts';
import type { SpanRecord } from '../traces/store.ts';
import { insertMetricColumns, type MetricKey } from './metric-columns.ts';

const NANOS_OF_A_MS = 1e6;

/**
 * Price and latency of a trace, in system columns beside it: `Trace.price` in US dollars and
 * `Trace.latency` in milliseconds, as clients that evaluate by traces read them.
 */
export async function writeTraceMetrics(
  session: Session,
  column: ColumnRecord,
  { rowIndex, spans }: { readonly rowIndex: number; readonly spans: readonly SpanRecord[] },
): Promise<void> {
  const values: Readonly<Record<MetricKey, number | null>> = {
    price: await priceOf(session, spans),
    latency_ms: latencyOf(spans),
  };
  const cells = (await metricColumns(session, column)).flatMap(({ key, metric_key: metric }) => {
    const number = values[metric];
    return number === null
      ? []
      : [{ rowIndex, columnKey: key, value: JSON.stringify(number), number }];
  });
  await insertInputs(session, column.sheet_key, cells);
}

interface MetricColumn {
  readonly key: number;
  readonly metric_key: MetricKey;
}

/** Made with the first trace of the column. */
async function metricColumns(session: Session, column: ColumnRecord): Promise<MetricColumn[]> {
  const read = (): Promise<MetricColumn[]> =>
    session.query<MetricColumn>(
      'select key, metric_key from columns where sheet_key = ? and source_column_key = ? and deleted_at is null',
      [column.sheet_key, column.key],
    );
  const found = await read();
  if (found.length > 0) return found;
  await insertMetricColumns(session, column, '.');
  return read();
}

/** Of all requests of the trace; null where there is none, or the price of one is not known. */
async function priceOf(session: Session, spans: readonly SpanRecord[]): Promise<number | null> {
  const ids = new Set(spans.flatMap(({ request_id: id }) => (id === null ? [] : [id])));
  if (ids.size === 0) return null;
  const found = await session.query<{ price: number | null }>(
    `select price from requests where id ${session.dialect.isOneOf}`,
    [JSON.stringify([...ids])],
  );
  const prices = found.flatMap(({ price }) => (price === null ? [] : [price]));
  return prices.length < ids.size ? null : prices.reduce((sum, price) => sum + price, 0);
}

/** From the first beginning to the last end; null where clocks disagree so that it ends before. */
function latencyOf(spans: readonly SpanRecord[]): number | null {
  const first = spans.reduce((least, span) => (begins(span, least) ? span : least));
  const last = spans.reduce((most, span) => (ends(span, most) ? span : most));
  const whole = last.ended_at - first.started_at;
  const latency = whole + (last.ended_nanos - first.started_nanos) / NANOS_OF_A_MS;
  return latency < 0 ? null : latency;
}

const begins = (one: SpanRecord, other: SpanRecord): boolean =>
  one.started_at < other.started_at ||
  (one.started_at === other.started_at && one.started_nanos < other.started_nanos);

const ends = (one: SpanRecord, other: SpanRecord): boolean =>
  one.ended_at > other.ended_at ||
  (one.ended_at === other.ended_at && one.ended_nanos > other.ended_nanos);
