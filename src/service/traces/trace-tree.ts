import * as z from 'zod';
import { JsonText, jsonObject } from '../http/json-text.ts';
import type { Session } from '../store/database.ts';
import { isoMoment } from './span.ts';
import type { SpanRecord } from './store.ts';

/** Deeper than any client nests: what is below stands in the list of all spans alone. */
const MOST_LEVELS = 200;

interface RequestRow {
  readonly id: number;
  readonly response_json: string | null;
  readonly output_json: string;
}

const Output = z.looseObject({
  content: z.array(z.unknown()).optional(),
  messages: z.array(z.looseObject({ role: z.string() })).optional(),
});

/** What the model answered, as it came; of a request that only a span tells of, what it said. */
function answerOf({ response_json: response, output_json: output }: RequestRow) {
  if (response !== null && response !== '{}') return new JsonText(response);
  const { messages, content } = Output.safeParse(JSON.parse(output)).data ?? {};
  const said = messages?.at(-1) ?? { role: 'assistant', content };
  // Of a request that failed there is no answer.
  const isSaid = Array.isArray(said['content']) && said['content'].length > 0;
  return isSaid ? new JsonText(JSON.stringify(said)) : undefined;
}

async function requestsOf(
  session: Session,
  spans: readonly SpanRecord[],
): Promise<ReadonlyMap<number, RequestRow>> {
  const ids = new Set(spans.flatMap(({ request_id: id }) => id ?? []));
  if (ids.size === 0) return new Map();
  const rows = await session.query<RequestRow>(
    `select id, response_json, output_json from requests where id ${session.dialect.isOneOf}`,
    [JSON.stringify([...ids])],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The spans inside of each other, with what models answered: as clients that evaluate by traces read
 * them. What else is known of a span stands in the list of all.
 */
export async function traceTree(
  session: Session,
  spans: readonly SpanRecord[],
): Promise<JsonText[]> {
  const requests = await requestsOf(session, spans);
  const known = new Set(spans.map(({ span_id: id }) => id));
  const children = new Map<string | null, SpanRecord[]>();
  for (const span of spans) {
    const { parent_id: parent } = span;
    const under = parent !== null && known.has(parent) && parent !== span.span_id ? parent : null;
    const siblings = children.get(under);
    if (siblings === undefined) children.set(under, [span]);
    else siblings.push(span);
  }
  const node = (span: SpanRecord, level: number): JsonText => {
    const request = span.request_id === null ? undefined : requests.get(span.request_id);
    const answer = request === undefined ? undefined : answerOf(request);
    const below = level < MOST_LEVELS ? (children.get(span.span_id) ?? []) : [];
    return jsonObject({
      name: span.name,
      span_id: span.span_id,
      start: isoMoment({ ms: span.started_at, nanos: span.started_nanos }),
      ...(request !== undefined &&
        answer !== undefined && {
          request_log: jsonObject({ id: request.id, request_response: answer }),
        }),
      children: below.map((child) => node(child, level + 1)),
    });
  };
  return (children.get(null) ?? []).map((span) => node(span, 0));
}
