import { randomUUID } from 'node:crypto';
import { insertRequest } from '../requests/insert-request.ts';
import { requestAround } from './same-call.ts';
import { knownPrompt } from '../requests/logged-call.ts';
import { cleanJson, cleanText } from '../store/clean-json.ts';
import type { ColumnKind, Database, Session, SqlValue } from '../store/database.ts';
import { transactionFor } from '../store/database.ts';
import { TimeSlice } from '../turn.ts';
import type { NewSpan } from './span.ts';

/** So a trace fits into one answer, and no loop that forgets to end its trace fills the disk. */
export const MOST_SPANS = 10_000;
export const MOST_SPAN_CHARACTERS = 1_000_000;
export const MOST_TRACE_CHARACTERS = 50_000_000;

/** See `store/records.ts`. */
export interface TraceRecord {
  workspace_id: number;
  trace_id: string;
  span_count: number;
  span_characters: number;
  closure_id: string | null;
  closed_at: number | null;
  created_at: number;
}

export interface SpanRecord {
  id: number;
  workspace_id: number;
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  name: string;
  kind: string;
  trace_state: string;
  started_at: number;
  started_nanos: number;
  ended_at: number;
  ended_nanos: number;
  status_code: string;
  status_message: string | null;
  attributes_json: string;
  events_json: string;
  links_json: string;
  resource_json: string;
  request_id: number | null;
  created_at: number;
}

type SpanRow = Omit<SpanRecord, 'id' | 'workspace_id' | 'request_id' | 'created_at'>;

const columns: Readonly<Record<keyof Omit<SpanRecord, 'id'>, ColumnKind>> = {
  trace_id: 'text',
  span_id: 'text',
  parent_id: 'text',
  name: 'text',
  kind: 'text',
  trace_state: 'text',
  started_at: 'int',
  started_nanos: 'int',
  ended_at: 'int',
  ended_nanos: 'int',
  status_code: 'text',
  status_message: 'text',
  attributes_json: 'text',
  events_json: 'text',
  links_json: 'text',
  resource_json: 'text',
  workspace_id: 'int',
  request_id: 'int',
  created_at: 'int',
};

const rowOf = (span: NewSpan): SpanRow => ({
  trace_id: cleanText(span.traceId),
  span_id: cleanText(span.spanId),
  parent_id: span.parentId === null ? null : cleanText(span.parentId),
  name: cleanText(span.name),
  kind: span.kind,
  trace_state: cleanText(span.traceState),
  started_at: span.startedAt.ms,
  started_nanos: span.startedAt.nanos,
  ended_at: span.endedAt.ms,
  ended_nanos: span.endedAt.nanos,
  status_code: span.status,
  status_message: span.statusMessage === null ? null : cleanText(span.statusMessage),
  attributes_json: cleanJson(span.attributes),
  events_json: cleanJson(span.events),
  links_json: cleanJson(span.links),
  resource_json: cleanJson(span.resource),
});

interface Prepared {
  readonly row: SpanRow;
  readonly call: NewSpan['call'];
  readonly characters: number;
}

const charactersOf = (row: SpanRow): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );

export type Refusal = 'trace_closed' | 'span_too_large' | 'trace_too_large';

export interface Kept {
  /** In the order in which they were sent, those that had been kept before too. */
  readonly spans: readonly {
    readonly id: number;
    readonly name: string;
    readonly traceId: string;
    readonly spanId: string;
    /** The request that the span is logged as. */
    readonly requestId: number | null;
  }[];
  readonly refused: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly why: Refusal;
  }[];
}

const keyOf = ({ trace_id, span_id }: { trace_id: string; span_id: string }): string =>
  JSON.stringify([trace_id, span_id]);

const CHUNK = 100;
const CHUNK_CHARACTERS = 500_000;

function chunksOf<Item>(items: readonly Item[]): (readonly Item[])[] {
  const chunks: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += CHUNK) {
    chunks.push(items.slice(start, start + CHUNK));
  }
  return chunks;
}

/** Rows of the traces, locked in one order by all, made where there are none. */
async function lockTraces(
  session: Session,
  workspaceId: number,
  ids: readonly string[],
): Promise<Map<string, TraceRecord>> {
  const sorted = [...new Set(ids)].sort();
  await session.insertMany(
    {
      table: 'traces',
      columns: { workspace_id: 'int', trace_id: 'text', created_at: 'int' },
      conflict: 'on conflict (workspace_id, trace_id) do nothing',
    },
    sorted.map((id) => [workspaceId, id, Date.now()]),
  );
  const traces = new Map<string, TraceRecord>();
  for (const id of sorted) {
    const trace = await session.one<TraceRecord>(
      `select * from traces where workspace_id = ? and trace_id = ?${session.dialect.forUpdate}`,
      [workspaceId, id],
    );
    if (trace !== undefined) traces.set(id, trace);
  }
  return traces;
}

type Found = Pick<SpanRecord, 'id' | 'trace_id' | 'span_id' | 'request_id'>;

async function spansThere(
  session: Session,
  workspaceId: number,
  rows: readonly SpanRow[],
): Promise<Map<string, Found>> {
  const listed = session.dialect.jsonItems('?');
  const found = new Map<string, Found>();
  for (const chunk of chunksOf(rows)) {
    const some = await session.query<Found>(
      `select id, trace_id, span_id, request_id from spans where workspace_id = ?
       and trace_id in (select value from ${listed}) and span_id in (select value from ${listed})`,
      [
        workspaceId,
        JSON.stringify([...new Set(chunk.map(({ trace_id: id }) => id))]),
        JSON.stringify(chunk.map(({ span_id: id }) => id)),
      ],
    );
    for (const one of some) found.set(keyOf(one), one);
  }
  return found;
}

/** Requests that a client has logged as those of spans, by the ids of the spans. */
async function requestsOfSpans(
  session: Session,
  workspaceId: number,
  spanIds: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const chunk of chunksOf(spanIds)) {
    const some = await session.query<{ id: number; span_id: string }>(
      `select id, span_id from requests where workspace_id = ? and trace_id is null
       and span_id in (select value from ${session.dialect.jsonItems('?')}) order by id`,
      [workspaceId, JSON.stringify(chunk)],
    );
    for (const { id, span_id } of some) found.set(span_id, id);
  }
  return found;
}

/**
 * Keeps spans, and logs the requests that they are about. A span that is there already stays as it
 * is: exporters send again what they are not sure of. All of one call is kept together or not at all.
 */
export async function keepSpans(
  database: Database,
  workspaceId: number,
  spans: readonly NewSpan[],
  { closes }: { readonly closes: boolean },
): Promise<Kept> {
  const slice = new TimeSlice();
  const prepared: Prepared[] = [];
  let characters = 0;
  for (const span of spans) {
    const row = rowOf(span);
    const one = { row, call: span.call, characters: charactersOf(row) };
    prepared.push(one);
    characters += one.characters;
    await slice.rest();
  }
  if (prepared.length === 0) return { spans: [], refused: [] };
  return database[transactionFor(characters)](async (session) => {
    const traces = await lockTraces(
      session,
      workspaceId,
      prepared.map(({ row }) => row.trace_id),
    );
    const there = await spansThere(
      session,
      workspaceId,
      prepared.map(({ row }) => row),
    );
    const { taken, refused } = choose(prepared, traces, there);
    await insertSpans(session, workspaceId, taken);
    for (const trace of traces.values()) {
      if (closes && trace.closed_at === null) await markClosed(session, trace);
      await session.run(
        'update traces set span_count = ?, span_characters = ? where workspace_id = ? and trace_id = ?',
        [trace.span_count, trace.span_characters, workspaceId, trace.trace_id],
      );
    }
    const after = await spansThere(
      session,
      workspaceId,
      prepared.map(({ row }) => row),
    );
    const kept = prepared.flatMap(({ row }) => {
      const found = after.get(keyOf(row));
      if (found === undefined || refused.has(keyOf(row))) return [];
      const { id, request_id: requestId } = found;
      return [{ id, name: row.name, traceId: row.trace_id, spanId: row.span_id, requestId }];
    });
    return { spans: kept, refused: [...refused.values()] };
  });
}

/** What is new and has room. Counts it in the records of the traces. */
function choose(
  prepared: readonly Prepared[],
  traces: ReadonlyMap<string, TraceRecord>,
  there: ReadonlyMap<string, Found>,
): { taken: Prepared[]; refused: Map<string, Kept['refused'][number]> } {
  const taken = new Map<string, Prepared>();
  const refused = new Map<string, Kept['refused'][number]>();
  for (const one of prepared) {
    const { trace_id: traceId, span_id: spanId } = one.row;
    const key = keyOf(one.row);
    const trace = traces.get(traceId);
    if (trace === undefined || taken.has(key)) continue;
    const isClosed = trace.closed_at !== null;
    if (!isClosed && there.has(key)) continue;
    const why = isClosed ? 'trace_closed' : excessOf(one, trace);
    if (why !== undefined) {
      refused.set(key, { traceId, spanId, why });
      continue;
    }
    taken.set(key, one);
    trace.span_count += 1;
    trace.span_characters += one.characters;
  }
  return { taken: [...taken.values()], refused };
}

function excessOf({ characters }: Prepared, trace: TraceRecord): Refusal | undefined {
  if (characters > MOST_SPAN_CHARACTERS) return 'span_too_large';
  const isFull =
    trace.span_count >= MOST_SPANS || trace.span_characters + characters > MOST_TRACE_CHARACTERS;
  return isFull ? 'trace_too_large' : undefined;
}

async function insertSpans(
  session: Session,
  workspaceId: number,
  taken: readonly Prepared[],
): Promise<void> {
  const logged = await requestsOfSpans(
    session,
    workspaceId,
    taken.map(({ row }) => row.span_id),
  );
  const placeOf = ({ trace_id, parent_id }: SpanRow): string =>
    JSON.stringify([trace_id, parent_id]);
  const callsIn = new Map<string, number>();
  for (const { row, call } of taken)
    if (call !== undefined) callsIn.set(placeOf(row), (callsIn.get(placeOf(row)) ?? 0) + 1);
  const isAlone = (row: SpanRow): boolean => callsIn.get(placeOf(row)) === 1;
  const slice = new TimeSlice();
  let rows: SqlValue[][] = [];
  let size = 0;
  const insert = async (): Promise<void> => {
    await session.insertMany({ table: 'spans', columns }, rows);
    rows = [];
    size = 0;
  };
  for (const { row, call, characters } of taken) {
    const traceId = row.trace_id;
    const before = logged.get(row.span_id);
    let requestId = before ?? null;
    if (before !== undefined) {
      // Two spans of one id are in two traces: the request is of the first.
      logged.delete(row.span_id);
      await session.run('update requests set trace_id = ? where id = ?', [traceId, before]);
    } else if (call !== undefined) {
      const around = isAlone(row)
        ? await requestAround(session, workspaceId, row, call)
        : undefined;
      if (around !== undefined) {
        // From now on it is that of this span: another one inside of the same is another call.
        logged.delete(row.parent_id ?? '');
        await session.run('update requests set trace_id = ?, span_id = ? where id = ?', [
          ...[traceId, row.span_id, around],
        ]);
      }
      requestId =
        around ??
        (await insertRequest(session, workspaceId, {
          ...call,
          prompt: await knownPrompt(session, workspaceId, call.named),
          traceId,
          spanId: row.span_id,
        }));
    }
    const values = {
      ...row,
      workspace_id: workspaceId,
      request_id: requestId,
      created_at: Date.now(),
    };
    rows.push(Object.keys(columns).map((name) => values[name as keyof typeof values]));
    size += characters;
    if (rows.length >= CHUNK || size >= CHUNK_CHARACTERS) await insert();
    await slice.rest();
  }
  await insert();
}

async function markClosed(session: Session, trace: TraceRecord): Promise<TraceRecord> {
  trace.closure_id = randomUUID();
  trace.closed_at = Date.now();
  await session.run(
    'update traces set closure_id = ?, closed_at = ? where workspace_id = ? and trace_id = ?',
    [trace.closure_id, trace.closed_at, trace.workspace_id, trace.trace_id],
  );
  return trace;
}

/** Undefined for a trace that is not there; `wasOpen` tells whether it has been closed by this. */
export async function closeTraceOf(
  database: Database,
  workspaceId: number,
  traceId: string,
): Promise<{ readonly trace: TraceRecord; readonly wasOpen: boolean } | undefined> {
  return database.transaction(async (session) => {
    const trace = await session.one<TraceRecord>(
      `select * from traces where workspace_id = ? and trace_id = ? and span_count > 0${session.dialect.forUpdate}`,
      [workspaceId, traceId],
    );
    if (trace === undefined) return undefined;
    if (trace.closed_at !== null) return { trace, wasOpen: false };
    return { trace: await markClosed(session, trace), wasOpen: true };
  });
}

/** In the order of their beginning; none for a trace that is not there. */
export function spansOfTrace(
  session: Session,
  workspaceId: number,
  traceId: string,
): Promise<SpanRecord[]> {
  return session.query<SpanRecord>(
    `select * from spans where workspace_id = ? and trace_id = ?
     order by started_at, started_nanos, id`,
    [workspaceId, traceId],
  );
}
