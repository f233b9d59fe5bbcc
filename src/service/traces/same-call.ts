import type { Session } from '../store/database.ts';

/** A call of a model, as a client logs it or as a span tells of it. */
export interface Call {
  readonly provider: string;
  readonly model: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** As the proxies name what they call: `openai.chat.completions.create`. */
export const isOfProvider = (functionName: string, provider: string): boolean =>
  functionName.startsWith(`${provider.toLowerCase()}.`);

/** Clocks of spans are their own. */
const TOLERANCE_MS = 100;

/**
 * The proxies of PromptLayer's SDKs make a span around a call and log the request with its id, while the
 * instrumentation of the provider makes a span inside of that one, which is logged by itself. They are
 * one call where the only such span in it asked the same model within its time. Both ways of finding
 * that out answer undefined where it isn't certain.
 */
export async function requestAround(
  session: Session,
  workspaceId: number,
  span: { readonly trace_id: string; readonly parent_id: string | null },
  call: Call,
): Promise<number | undefined> {
  if (span.parent_id === null) return undefined;
  const [found, another] = await session.query<{ id: number; function_name: string | null }>(
    `select id, function_name from requests where workspace_id = ? and span_id = ? and (trace_id is null or trace_id = ?)
     and lower(provider) = ? and model = ? and prompt_id is null and response_json is not null
     and started_at <= ? and ended_at >= ? limit 2`,
    [
      ...[workspaceId, span.parent_id, span.trace_id, call.provider.toLowerCase(), call.model],
      ...[call.startedAt + TOLERANCE_MS, call.endedAt - TOLERANCE_MS],
    ],
  );
  if (found === undefined || another !== undefined) return undefined;
  if (!isOfProvider(found.function_name ?? '', call.provider)) return undefined;
  const beside = await session.one(
    'select id from spans where workspace_id = ? and trace_id = ? and parent_id = ? and request_id is not null',
    [workspaceId, span.trace_id, span.parent_id],
  );
  return beside === undefined ? found.id : undefined;
}

/** The other way round: the request that the span inside is logged as, which came first. */
export async function requestInside(
  session: Session,
  workspaceId: number,
  spanId: string | null | undefined,
  call: Call,
): Promise<{ readonly id: number } | undefined> {
  // Without tracing the SDKs send zeros.
  if (!spanId || /^0+$/.test(spanId)) return undefined;
  const [found, another] = await session.query<{ id: number }>(
    `select r.id from requests r
     join spans s on s.workspace_id = r.workspace_id and s.trace_id = r.trace_id
       and s.span_id = r.span_id and s.request_id = r.id
     where r.workspace_id = ? and r.started_at between ? and ? and r.ended_at <= ? and lower(r.provider) = ?
       and r.model = ? and r.response_json is null and s.parent_id = ? limit 2`,
    [
      ...[workspaceId, call.startedAt - TOLERANCE_MS, call.endedAt + TOLERANCE_MS],
      ...[call.endedAt + TOLERANCE_MS, call.provider.toLowerCase(), call.model, spanId],
    ],
  );
  return another === undefined ? found : undefined;
}
