import { closeTrace, createSpans, exportTraces, getTrace } from '../../api/trace.ts';
import { jsonObject } from '../http/json-text.ts';
import { Problem, conflict, notFound } from '../http/problem.ts';
import type { Reply, Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import { cleanText } from '../store/clean-json.ts';
import { bulkSpans } from '../traces/bulk-spans.ts';
import { modelCallOf } from '../traces/gen-ai.ts';
import { isProtobuf, readExport } from '../traces/otlp-body.ts';
import { readSpans } from '../traces/otlp-spans.ts';
import type { NewSpan } from '../traces/span.ts';
import { spanJson } from '../traces/span-json.ts';
import { settledId } from '../traces/span.ts';
import type { Kept, Refusal } from '../traces/store.ts';
import {
  MOST_SPANS,
  MOST_SPAN_CHARACTERS,
  MOST_TRACE_CHARACTERS,
  closeTraceOf,
  keepSpans,
  spansOfTrace,
} from '../traces/store.ts';
import { TimeSlice } from '../turn.ts';
import { isoTime } from './answers.ts';

const thousands = (count: number): string => count.toLocaleString('en-US');

const reasons: Readonly<Record<Refusal, string>> = {
  trace_closed: 'The trace is closed',
  span_too_large: `A span has at most ${thousands(MOST_SPAN_CHARACTERS)} characters`,
  trace_too_large: `A trace has at most ${thousands(MOST_SPANS)} spans and ${thousands(MOST_TRACE_CHARACTERS)} characters`,
};

/** Exporters send some hundred at a time. */
function checkCount(count: number): void {
  if (count <= MOST_SPANS) return;
  throw new Problem(
    413,
    'request_too_large',
    `The request has more than the ${thousands(MOST_SPANS)} spans that are accepted. Send them in smaller parts.`,
  );
}

async function exported(headers: Headers, rejected: readonly string[]): Promise<Reply> {
  const count = rejected.length;
  const message = [...new Set(rejected)].slice(0, 5).join('; ');
  if (isProtobuf(headers)) {
    const { writeTraceResponse } = await import('../traces/otlp-protobuf.ts');
    const content = writeTraceResponse(count, message);
    return {
      status: 200,
      body: undefined,
      bytes: { mediaType: 'application/x-protobuf', content },
    };
  }
  const partialSuccess = count === 0 ? null : { rejectedSpans: count, errorMessage: message };
  return ok(jsonObject({ partialSuccess }));
}

/** The others of the same request are kept all the same. */
function refuseClosed({ refused }: Kept): void {
  const ids = [
    ...new Set(refused.filter(({ why }) => why === 'trace_closed').map(({ traceId }) => traceId)),
  ];
  if (ids.length === 0) return;
  const message = `Trace already closed: ${ids.slice(0, 5).join(', ')}`;
  throw new Problem(409, message, message, { trace_ids: ids });
}

const ingest = route(
  exportTraces,
  async ({ query, body, headers, workspaceId, services }) => {
    const { spans, rejected } = await readSpans(body);
    checkCount(spans.length + rejected.length);
    const withCalls: NewSpan[] = [];
    const slice = new TimeSlice();
    for (const span of spans) {
      withCalls.push({ ...span, call: await modelCallOf(services.prices, span) });
      await slice.rest();
    }
    const kept = await keepSpans(services.database, workspaceId, withCalls, {
      closes: query.close_after,
    });
    refuseClosed(kept);
    return exported(headers, [...rejected, ...kept.refused.map(({ why }) => reasons[why])]);
  },
  { read: readExport },
);

const createBulk = route(createSpans, async ({ body, workspaceId, services }) => {
  checkCount(body.spans.length);
  const sent = await bulkSpans(services.prices, body.spans);
  const { spans, refused } = await keepSpans(services.database, workspaceId, sent, {
    closes: body.close_after === true,
  });
  const excess = refused.find(({ why }) => why !== 'trace_closed');
  const logged = spans.filter(({ requestId }) => requestId !== null);
  return created(
    jsonObject({
      success: true,
      spans: spans.map(({ id, name, spanId }) => ({ id, name, span_id: spanId })),
      request_logs: logged.map(({ requestId, spanId }) => ({ id: requestId, span_id: spanId })),
      ...(refused.length > 0 && {
        rejected_span_ids: refused.map(({ spanId }) => spanId),
        rejected_trace_ids: [...new Set(refused.map(({ traceId }) => traceId))],
        rejection_reason: excess === undefined ? 'trace_closed' : excess.why,
      }),
    }),
  );
});

const get = route(getTrace, async ({ params, workspaceId, services }) => {
  const traceId = cleanText(settledId(params.trace_id));
  const spans = await spansOfTrace(services.database, workspaceId, traceId);
  if (spans.length === 0) throw notFound('This trace');
  return ok(jsonObject({ success: true, trace_id: traceId, spans: spans.map(spanJson) }));
});

const close = route(closeTrace, async ({ params, workspaceId, services }) => {
  const traceId = cleanText(settledId(params.trace_id));
  const closed = await closeTraceOf(services.database, workspaceId, traceId);
  if (closed === undefined) throw notFound('This trace');
  if (!closed.wasOpen) throw conflict('Trace already closed');
  const { closure_id: id, closed_at: at } = closed.trace;
  return created(
    jsonObject({
      success: true,
      closure: {
        id,
        workspace_id: workspaceId,
        trace_id: traceId,
        status: 'closed',
        created_at: isoTime(at ?? 0),
        updated_at: isoTime(at ?? 0),
      },
    }),
  );
});

export const traceRoutes: readonly Route[] = [ingest, createBulk, get, close];
