import type { BulkSpan } from '../../api/trace.ts';
import { unprocessable } from '../http/problem.ts';
import { loggedCall } from '../requests/logged-call.ts';
import type { Prices } from '../requests/prices.ts';
import type { Moment, NewSpan } from './span.ts';
import { digitsOf, momentOf, settledId, spanKinds, spanStatuses } from './span.ts';

type Place = readonly (string | number)[];

/** The word after `SpanKind.` or `StatusCode.`; the first one for a word that nobody knows. */
const wordOf = <Word extends string>(words: readonly [Word, ...Word[]], sent: string): Word =>
  words.find((word) => word === sent.replace(/^\w+\./, '').toUpperCase()) ?? words[0];

/** Ids stand in URLs. */
function idAt(at: Place, id: string): string {
  if (id !== '' && id.length <= 255 && id.isWellFormed()) return settledId(id);
  throw unprocessable(at, 'An id has 1 to 255 characters.');
}

function momentAt(at: Place, sent: BulkSpan['start_time']): Moment {
  const moment = momentOf(digitsOf(sent));
  if (moment !== undefined) return moment;
  throw unprocessable(at, 'A time is in nanoseconds since 1970.', 'datetime_parsing');
}

/** Throws a 422 that names what does not fit. */
export async function bulkSpans(prices: Prices, sent: readonly BulkSpan[]): Promise<NewSpan[]> {
  const spans: NewSpan[] = [];
  for (const [index, span] of sent.entries()) {
    const at = ['body', 'spans', index];
    const startedAt = momentAt([...at, 'start_time'], span.start_time);
    const endedAt = momentAt([...at, 'end_time'], span.end_time);
    const times = { startedAt: startedAt.ms, endedAt: endedAt.ms };
    const { log_request: logged, context, resource } = span;
    spans.push({
      traceId: idAt([...at, 'context', 'trace_id'], context.trace_id),
      spanId: idAt([...at, 'context', 'span_id'], context.span_id),
      parentId: span.parent_id || null,
      name: span.name,
      kind: wordOf(spanKinds, span.kind),
      traceState: context.trace_state ?? '',
      startedAt,
      endedAt,
      status: wordOf(spanStatuses, span.status.status_code),
      statusMessage: span.status.description ?? null,
      attributes: span.attributes,
      events: span.events ?? [],
      links: span.links ?? [],
      resource: { attributes: resource.attributes ?? {}, schema_url: resource.schema_url ?? '' },
      call: logged
        ? await loggedCall(prices, logged, { at: [...at, 'log_request'], ...times })
        : undefined,
    });
  }
  return spans;
}
