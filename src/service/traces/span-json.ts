import { JsonText, jsonObject } from '../http/json-text.ts';
import { isoMoment } from './span.ts';
import type { SpanRecord } from './store.ts';

export const spanJson = (span: SpanRecord): JsonText =>
  jsonObject({
    id: span.id,
    name: span.name,
    trace_id: span.trace_id,
    span_id: span.span_id,
    parent_id: span.parent_id,
    request_log_id: span.request_id,
    kind: `SpanKind.${span.kind}`,
    trace_state: span.trace_state,
    start_time: isoMoment({ ms: span.started_at, nanos: span.started_nanos }),
    end_time: isoMoment({ ms: span.ended_at, nanos: span.ended_nanos }),
    status: { status_code: `StatusCode.${span.status_code}`, description: span.status_message },
    attributes: new JsonText(span.attributes_json),
    events: new JsonText(span.events_json),
    links: new JsonText(span.links_json),
    resource: new JsonText(span.resource_json),
  });
