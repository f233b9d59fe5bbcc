import {
  analyseRequests,
  getRequest,
  logRequest,
  searchRequests,
  suggestRequestValues,
} from '../../api/request-log.ts';
import { parseJson } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import { JsonText, jsonObject } from '../http/json-text.ts';
import { numberedFields, offsetOf } from '../http/numbered-page.ts';
import { notFound } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { created, ok, route } from '../http/route.ts';
import { idOf } from '../prompts/store.ts';
import { analyse } from '../requests/analytics.ts';
import { storedBlueprint } from '../requests/blueprint.ts';
import { insertRequest } from '../requests/insert-request.ts';
import { loggedCall, namedPrompt } from '../requests/logged-call.ts';
import type { RequestRecord } from '../requests/records.ts';
import { requestConditions } from '../requests/search-conditions.ts';
import { searchOrder } from '../requests/search-order.ts';
import { suggest } from '../requests/suggestions.ts';
import type { Session } from '../store/database.ts';
import { isoTime } from './answers.ts';

const log = route(logRequest, async ({ body, workspaceId, services }) => {
  const call = await loggedCall(services.prices, body);
  const id = await services.database.transaction(async (session) =>
    insertRequest(session, workspaceId, {
      ...call,
      prompt: await namedPrompt(session, workspaceId, call.named),
    }),
  );
  return created(
    jsonObject({
      success: true,
      id,
      request_id: id,
      prompt_version: { prompt_template: call.output, metadata: null, commit_message: null },
      status: call.status,
      error_type: call.errorType,
      error_message: call.errorMessage,
    }),
  );
});

export async function findRequest(
  session: Session,
  workspaceId: number,
  id: number | string,
): Promise<RequestRecord> {
  const number = typeof id === 'number' ? id : (idOf(id) ?? 0);
  const found =
    Number.isSafeInteger(number) && Math.abs(number) < 2 ** 48
      ? await session.one<RequestRecord>(
          'select * from requests where id = ? and workspace_id = ?',
          [number, workspaceId],
        )
      : undefined;
  if (found === undefined) throw notFound('This request');
  return found;
}

const sum = (left: number | null, right: number | null): number | undefined =>
  left === null && right === null ? undefined : (left ?? 0) + (right ?? 0);

const get = route(getRequest, async ({ params, workspaceId, services }) => {
  const record = await findRequest(services.database, workspaceId, params.id);
  return ok(
    jsonObject({
      success: true,
      request_id: record.id,
      prompt_blueprint: storedBlueprint(record),
      provider: record.provider,
      model: record.model,
      input_tokens: record.input_tokens ?? undefined,
      output_tokens: record.output_tokens ?? undefined,
      tokens: sum(record.input_tokens, record.output_tokens),
      price: record.price ?? undefined,
      request_start_time: isoTime(record.started_at),
      request_end_time: isoTime(record.ended_at),
      latency_ms: record.latency_ms,
      trace_id: record.trace_id,
      status: record.status,
      error_type: record.error_type,
      error_message: record.error_message,
      prompt_id: record.prompt_id,
      prompt_version_number: record.prompt_version_number,
      prompt_input_variables: new JsonText(record.variables_json),
      tags: new JsonText(record.tags_json),
      metadata: new JsonText(record.metadata_json),
      scores: new JsonText(record.scores_json),
      group_id: record.group_id,
      function_name: record.function_name,
      request_response: record.response_json === null ? null : new JsonText(record.response_json),
    }),
  );
});

const pairs = (text: string, first: string, second: string): Mapping[] =>
  Object.entries((parseJson(text) ?? {}) as Mapping).map(([name, value]) => ({
    [first]: name,
    [second]: value,
  }));

/** What a search shows of a request: prompts and answers, which are long, stay where they are. */
type FoundRequest = Pick<
  RequestRecord,
  | 'id'
  | 'model'
  | 'provider'
  | 'input_tokens'
  | 'output_tokens'
  | 'price'
  | 'started_at'
  | 'ended_at'
  | 'latency_ms'
  | 'status'
  | 'error_type'
  | 'tags_json'
  | 'metadata_json'
  | 'scores_json'
  | 'prompt_id'
  | 'prompt_version_number'
> & { readonly prompt_name: string | null };

const foundColumns =
  'id, model, provider, input_tokens, output_tokens, price, started_at, ended_at, latency_ms, status, error_type, tags_json, metadata_json, scores_json, prompt_id, prompt_version_number';

const foundJson = (record: FoundRequest, withName: boolean): JsonText =>
  jsonObject({
    id: record.id,
    engine: record.model,
    provider_type: record.provider,
    input_tokens: record.input_tokens ?? undefined,
    output_tokens: record.output_tokens ?? undefined,
    price: record.price ?? undefined,
    request_start_time: isoTime(record.started_at),
    request_end_time: isoTime(record.ended_at),
    latency: record.latency_ms / 1000,
    status: record.status,
    error_type: record.error_type,
    tags_array: new JsonText(record.tags_json),
    metadata: pairs(record.metadata_json, 'key', 'value'),
    scores: pairs(record.scores_json, 'name', 'score'),
    prompt_id: record.prompt_id,
    prompt_version_number: record.prompt_version_number,
    ...(withName && { prompt_name: record.prompt_name }),
  });

const search = route(searchRequests, async ({ body, workspaceId, services }) => {
  const { database } = services;
  const { sql, values } = requestConditions(database.dialect, workspaceId, body ?? {});
  const order = searchOrder(body ?? {});
  const page = { page: body?.page ?? 1, perPage: body?.per_page ?? 10 };
  const withName = body?.include_prompt_name === true;
  const [counted] = await database.scan<{ total: number }>(
    `select count(*) as total from requests where ${sql}`,
    values,
  );
  const found = await database.scan<FoundRequest>(
    `select ${foundColumns}, (select name from prompts p where p.id = requests.prompt_id) as prompt_name
     from requests where ${sql} order by ${order} limit ? offset ?`,
    [...values, page.perPage, offsetOf(page)],
  );
  const items = found.map((record) => foundJson(record, withName));
  const fields = numberedFields({ ...page, total: counted?.total ?? 0 }, null);
  return ok(jsonObject({ success: true, items, ...fields }));
});

const suggestions = route(suggestRequestValues, async ({ query, workspaceId, services }) => {
  const values = await suggest(services.database, workspaceId, query);
  return ok(jsonObject({ success: true, values }));
});

const analytics = route(analyseRequests, async ({ body, workspaceId, services }) => {
  const sums = await analyse(services.database, workspaceId, body ?? {});
  return ok(jsonObject({ success: true, ...sums }));
});

export const requestLogRoutes: readonly Route[] = [log, search, analytics, suggestions, get];
