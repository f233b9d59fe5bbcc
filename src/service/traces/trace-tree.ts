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

/** Requests of spans whose answers take at most `room` characters together, those of the first spans first. */
async function requestsOf(
  session: Session,
  spans: readonly SpanRecord[],
  room: number,
): Promise<ReadonlyMap<number, RequestRow>> {
  const ids = [...new Set(spans.flatMap(({ request_id: id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const sizes = await session.query<{ id: number; size: number }>(
    `select id, coalesce(length(response_json), 0) + length(output_json) as size
     from requests where id ${session.dialect.isOneOf}`,
    [JSON.stringify(ids)],
  );
  const sizeOf = new Map(sizes.map(({ id, size }) => [id, size]));
  // An output that is not shown, since there is an answer, counts too: this is how much is read at most.
  let left = room * 2;
  const wanted = ids.filter((id) => {
    const size = sizeOf.get(id) ?? Infinity;
    if (size > left) return false;
    left -= size;
    return true;
  });
  const rows = await session.query<RequestRow>(
    `select id, response_json, output_json from requests where id ${session.dialect.isOneOf}`,
    [JSON.stringify(wanted)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Each span before those inside of it, level by level. */
function inLevels(spans: readonly SpanRecord[]): readonly SpanRecord[] {
  const known = new Set(spans.map(({ span_id: id }) => id));
  const inside = new Map<string | null, SpanRecord[]>();
  for (const span of spans) {
    const { parent_id: parent } = span;
    const under = parent !== null && known.has(parent) && parent !== span.span_id ? parent : null;
    const siblings = inside.get(under);
    if (siblings === undefined) inside.set(under, [span]);
    else siblings.push(span);
  }
  const ordered: SpanRecord[] = [];
  let level = inside.get(null) ?? [];
  for (let depth = 0; level.length > 0 && depth <= MOST_LEVELS; depth += 1) {
    ordered.push(...level);
    level = level.flatMap(({ span_id: id }) => inside.get(id) ?? []);
  }
  return ordered;
}

interface Node {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly children: Node[];
}

const nodeJson = ({ fields, children }: Node): JsonText =>
  jsonObject({ ...fields, children: children.map(nodeJson) });

export interface TraceTree {
  readonly children: readonly JsonText[];
  /** What there was no room for, in a sentence. */
  readonly children_left_out?: string;
}

function leftOut(spans: number, of: number, answers: number): string | undefined {
  if (spans + answers === 0) return undefined;
  const what = [
    ...(spans > 0 ? [`${String(spans)} of ${String(of)} spans`] : []),
    ...(answers > 0
      ? [`${String(answers)} ${answers === 1 ? 'response' : 'responses'} of models`]
      : []),
  ];
  return `Not in children, which would be too long: ${what.join(' and ')}. All spans are in spans.`;
}

/**
 * The spans inside of each other, with what models answered: as clients that evaluate by traces read
 * them. What else is known of a span stands in the list of all. It has at most `room` characters: half
 * of it for spans, the rest for answers, those next to the root first.
 */
export async function traceTree(
  session: Session,
  spans: readonly SpanRecord[],
  room: number,
): Promise<TraceTree> {
  const nodes = new Map<string, Node>();
  const roots: Node[] = [];
  const placed: SpanRecord[] = [];
  let left = room;
  const place = (span: SpanRecord, fields: Node['fields']): void => {
    const node: Node = { fields, children: [] };
    const parent = span.parent_id === null ? undefined : nodes.get(span.parent_id);
    (parent?.children ?? roots).push(node);
    nodes.set(span.span_id, node);
  };
  const bare = new Map<SpanRecord, Node['fields']>();
  for (const span of inLevels(spans)) {
    const fields = {
      name: span.name,
      span_id: span.span_id,
      start: isoMoment({ ms: span.started_at, nanos: span.started_nanos }),
    };
    const size = jsonObject({ ...fields, children: [] }).length + 1;
    if (left - size < room / 2) break;
    left -= size;
    bare.set(span, fields);
    placed.push(span);
  }
  const requests = await requestsOf(session, placed, left);
  let answersLeft = 0;
  for (const [span, fields] of bare) {
    const { request_id: id } = span;
    const request = id === null ? undefined : requests.get(id);
    const answer = request === undefined ? undefined : answerOf(request);
    const log = answer && { request_log: jsonObject({ id, request_response: answer }) };
    const size = log === undefined ? 0 : jsonObject(log).length;
    if (size > left || (id !== null && request === undefined)) answersLeft += 1;
    const isKept = log !== undefined && size <= left;
    if (isKept) left -= size;
    place(span, isKept ? { ...fields, ...log } : fields);
  }
  const sentence = leftOut(spans.length - placed.length, spans.length, answersLeft);
  return {
    children: roots.map(nodeJson),
    ...(sentence !== undefined && { children_left_out: sentence }),
  };
}
