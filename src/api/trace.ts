import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { wholeNumber } from './exact-number.ts';
import { queryFlag } from './page.ts';
import { logRequest } from './request-log.ts';

const tracesPath = '/api/public/v2/traces';
const none = z.object({});
const object = z.looseObject({});

/**
 * OpenTelemetry's own protocol over HTTP. What single spans must look like is not said here: one
 * that does not fit is rejected alone, and the others are kept.
 */
export const exportTraces = endpoint({
  name: 'ingest_otlp_traces',
  summary: 'Take spans as OpenTelemetry exporters send them (OTLP over HTTP, JSON or protobuf)',
  method: 'POST',
  path: '/v1/traces',
  params: none,
  query: z.object({ close_after: queryFlag().default(false) }),
  body: z.looseObject({
    resourceSpans: z
      .array(
        z.looseObject({
          resource: object.nullish(),
          scopeSpans: z
            .array(z.looseObject({ scope: object.nullish(), spans: z.array(object).nullish() }))
            .nullish(),
        }),
      )
      .optional(),
  }),
  answer: z.looseObject({
    /** Null when all spans were kept. */
    partialSuccess: z
      .looseObject({ rejectedSpans: z.number().optional(), errorMessage: z.string().optional() })
      .nullish(),
  }),
  ok: [200],
  repeatable: true,
  takes: ['application/x-protobuf'],
});

/** Times of the request are those of the span when they are left out. */
const loggedWithSpan = logRequest.body.partial({
  request_start_time: true,
  request_end_time: true,
});
export type LoggedWithSpan = z.output<typeof loggedWithSpan>;

/** Since the epoch. The description has a number; official clients send its digits as text. */
const nanoseconds = z.union([wholeNumber, z.string().regex(/^-?\d{1,25}$/)]);

const Span = z.looseObject({
  name: z.string(),
  context: z.looseObject({
    trace_id: z.string(),
    span_id: z.string(),
    trace_state: z.string().nullish(),
  }),
  /** `SpanKind.CLIENT` and so on. */
  kind: z.string(),
  parent_id: z.string().nullish(),
  start_time: nanoseconds,
  end_time: nanoseconds,
  status: z.looseObject({ status_code: z.string(), description: z.string().nullish() }),
  attributes: object,
  events: z.array(object).nullish(),
  links: z.array(object).nullish(),
  resource: z.looseObject({ attributes: object.nullish(), schema_url: z.string().nullish() }),
  log_request: loggedWithSpan.nullish(),
});
export type BulkSpan = z.output<typeof Span>;

export const createSpans = endpoint({
  name: 'create_spans_bulk',
  summary: 'Take spans, each with a request to log if it has one',
  method: 'POST',
  path: '/spans-bulk',
  params: none,
  query: none,
  body: z.looseObject({ spans: z.array(Span), close_after: z.boolean().optional() }),
  answer: z.looseObject({
    success: z.boolean(),
    spans: z.array(object),
    request_logs: z.array(object).nullish(),
    rejected_span_ids: z.array(z.string()).nullish(),
    rejected_trace_ids: z.array(z.string()).nullish(),
    rejection_reason: z.string().nullish(),
  }),
  ok: [201],
  repeatable: true,
});

const params = z.object({ trace_id: z.string() });

export const getTrace = endpoint({
  name: 'get_trace',
  summary: 'Get the spans of a trace',
  method: 'GET',
  path: `${tracesPath}/{trace_id}`,
  params,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({
    trace_id: z.string(),
    /** Spans that are logged as requests have a `request_log_id`. */
    spans: z.array(object),
  }),
  ok: [200],
  repeatable: true,
});

export const closeTrace = endpoint({
  name: 'close_trace',
  summary: 'Let a trace take no more spans',
  method: 'POST',
  path: `${tracesPath}/{trace_id}/close`,
  params,
  query: none,
  body: z.undefined(),
  answer: z.looseObject({
    success: z.boolean().optional(),
    closure: z.looseObject({ trace_id: z.string().optional() }).optional(),
  }),
  ok: [201],
  repeatable: false,
});
