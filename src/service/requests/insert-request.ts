import type { PromptTemplate } from '../../api/template.ts';
import { stringifyJson } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping, mappings } from '../../core/mapping.ts';
import { joinedText, messagesOf } from '../../core/providers/template-parts.ts';
import { cleanJson } from '../store/clean-json.ts';
import type { Session } from '../store/database.ts';
import { placeholders } from '../store/dialect.ts';
import { folded } from '../store/folded.ts';
import type { RequestRecord } from './records.ts';
import type { Usage } from './usage.ts';

/** As much of a request as a search by its words looks at. */
const SEARCHED_CHARACTERS = 100_000;

export interface NewRequest {
  readonly provider: string;
  readonly model: string;
  readonly functionName: string;
  readonly apiType: string | null;
  readonly prompt: { readonly id: number; readonly version: number | null } | undefined;
  readonly status: string;
  readonly errorType: string | null;
  readonly errorMessage: string | null;
  readonly input: PromptTemplate;
  /** The reply alone. */
  readonly output: PromptTemplate;
  readonly parameters: Mapping;
  /** What the provider sent, when it is known. */
  readonly response: unknown;
  readonly variables: Mapping;
  readonly metadata: Mapping;
  readonly tags: readonly string[];
  readonly scores: Readonly<Record<string, number>>;
  readonly usage: Usage;
  readonly price: number | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly groupId: number | null;
  readonly traceId: string | null;
  /** The span that the request belongs to, where a client says so. */
  readonly spanId: string | null;
}

function allText(template: PromptTemplate): string {
  const texts =
    template.type === 'completion'
      ? [joinedText(template['content'])]
      : messagesOf(template).map(({ content }) => joinedText(content));
  return texts.join('\n').slice(0, SEARCHED_CHARACTERS);
}

const toolNamesOf = (template: PromptTemplate): string[] =>
  messagesOf(template).flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name));

function parsed(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    // Most answers are no JSON.
    return undefined;
  }
}

/** Columns that say what kind of answer it is. */
function shapeOf(input: PromptTemplate, output: PromptTemplate) {
  const text = allText(output);
  const tools = toolNamesOf(output);
  const json = parsed(text);
  return {
    tool_names_json: cleanJson([...new Set(tools)]),
    output_object_json: cleanJson(isMapping(json) ? json : {}),
    input_text: folded(allText(input)),
    output_text: folded(text),
    output_kind: tools.length > 0 ? 'tool_call' : json === undefined ? 'plain_text' : 'json',
    turn_count: mappings(input['messages']).filter(({ role }) => role === 'user').length,
    tool_call_count: tools.length,
  } as const;
}

/** What a client knows of a request; the rest is known of a row of the log. */
function factsOf(request: NewRequest) {
  const { usage } = request;
  return {
    provider: request.provider,
    model: request.model,
    function_name: request.functionName,
    api_type: request.apiType,
    prompt_id: request.prompt?.id ?? null,
    prompt_version_number: request.prompt?.version ?? null,
    status: request.status,
    error_type: request.errorType,
    error_message: request.errorMessage,
    input_json: stringifyJson(request.input),
    output_json: stringifyJson(request.output),
    model_json: stringifyJson({
      provider: request.provider,
      name: request.model,
      parameters: request.parameters,
      api_type: request.apiType,
    }),
    response_json: request.response === undefined ? null : stringifyJson(request.response),
    variables_json: cleanJson(request.variables),
    metadata_json: cleanJson(request.metadata),
    tags_json: cleanJson(request.tags),
    scores_json: cleanJson(request.scores),
    ...shapeOf(request.input, request.output),
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cachedTokens,
    thinking_tokens: usage.thinkingTokens,
    price: request.price,
    started_at: request.startedAt,
    ended_at: request.endedAt,
    latency_ms: Math.max(0, request.endedAt - request.startedAt),
    group_id: request.groupId,
  } as const;
}

/** Puts what a client knows of a call in the place of what its span has told. */
export async function replaceRequest(
  session: Session,
  id: number,
  request: NewRequest,
): Promise<void> {
  const { scores_json: _scores, ...facts } = factsOf(request);
  await session.run(
    `update requests set ${Object.keys(facts)
      .map((name) => `${name} = ?`)
      .join(', ')} where id = ?`,
    [...Object.values(facts), id],
  );
}

/** Writes a request down; answers its id. */
export async function insertRequest(
  session: Session,
  workspaceId: number,
  request: NewRequest,
): Promise<number> {
  const row = {
    workspace_id: workspaceId,
    ...factsOf(request),
    trace_id: request.traceId,
    span_id: request.spanId,
    created_at: Date.now(),
  } satisfies Omit<RequestRecord, 'id'>;
  const inserted = await session.one<{ id: number }>(
    `insert into requests (${Object.keys(row).join(', ')})
     values ${placeholders(Object.keys(row).length)} returning id`,
    Object.values(row),
  );
  if (inserted === undefined) throw new Error('The database did not answer the request.');
  return inserted.id;
}
