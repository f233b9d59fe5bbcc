import type { LoggedWithSpan } from '../../api/trace.ts';
import { ownValue } from '../../api/own-value.ts';
import { notFound, unprocessable } from '../http/problem.ts';
import { timeOf } from '../http/times.ts';
import { checkTemplate } from '../prompts/check-template.ts';
import { findPrompt, lookUpPrompt, lookUpVersion } from '../prompts/store.ts';
import type { Session } from '../store/database.ts';
import type { NewRequest } from './insert-request.ts';
import type { Prices } from './prices.ts';
import type { Usage } from './usage.ts';
import { noUsage } from './usage.ts';

type Place = readonly (string | number)[];

const statuses = ['SUCCESS', 'WARNING', 'ERROR'];

/** Which categories of errors go with which status. */
const errorTypes: Readonly<Record<string, readonly string[]>> = {
  PROVIDER_RATE_LIMIT: ['WARNING', 'ERROR'],
  PROVIDER_QUOTA_LIMIT: ['WARNING', 'ERROR'],
  UNKNOWN_ERROR: ['WARNING', 'ERROR'],
  PROVIDER_PARTIAL_RESPONSE: ['WARNING'],
  VARIABLE_MISSING_OR_EMPTY: ['WARNING'],
  PROVIDER_TIMEOUT: ['ERROR'],
  PROVIDER_AUTH_ERROR: ['ERROR'],
  PROVIDER_ERROR: ['ERROR'],
  TEMPLATE_RENDER_ERROR: ['ERROR'],
};

function checkStatus(at: Place, status: string, errorType: string | null | undefined): void {
  if (!statuses.includes(status)) {
    throw unprocessable([...at, 'status'], `A status is one of ${statuses.join(', ')}.`, 'enum');
  }
  if (errorType === null || errorType === undefined) return;
  const allowed = ownValue(errorTypes, errorType);
  if (allowed === undefined) {
    const known = Object.keys(errorTypes).join(', ');
    throw unprocessable([...at, 'error_type'], `An error type is one of ${known}.`, 'enum');
  }
  if (!allowed.includes(status)) {
    throw unprocessable(
      [...at, 'error_type'],
      `${errorType} goes with the status ${allowed.join(' or ')}, not with ${status}.`,
    );
  }
}

export interface LoggedPrompt {
  readonly prompt_id?: number | null | undefined;
  readonly prompt_name?: string | null | undefined;
  readonly prompt_version_number?: number | null | undefined;
}

/** The prompt that a log or a tracking call names. */
export async function namedPrompt(
  session: Session,
  workspaceId: number,
  { prompt_id: id, prompt_name: name, prompt_version_number: number }: LoggedPrompt,
): Promise<{ readonly id: number; readonly version: number | null } | undefined> {
  const named = id ?? (name === '' ? undefined : name) ?? undefined;
  if (named === undefined) return undefined;
  const prompt = await findPrompt(session, workspaceId, named);
  if (number === null || number === undefined) return { id: prompt.id, version: null };
  const version = await lookUpVersion(session, prompt, { version: number });
  if (version === undefined) {
    throw notFound(`Version ${String(number)} of "${prompt.name}"`);
  }
  return { id: prompt.id, version: version.number };
}

/** The same, where the log matters more than its prompt: one that is not there is left out. */
export async function knownPrompt(
  session: Session,
  workspaceId: number,
  { prompt_id: id, prompt_name: name, prompt_version_number: number }: LoggedPrompt,
): Promise<NewRequest['prompt']> {
  const named = id ?? (name === '' ? undefined : name) ?? undefined;
  const prompt = named === undefined ? undefined : await lookUpPrompt(session, workspaceId, named);
  if (prompt === undefined) return undefined;
  const version =
    typeof number === 'number'
      ? await lookUpVersion(session, prompt, { version: number })
      : undefined;
  return { id: prompt.id, version: version?.number ?? null };
}

/** A request that was made elsewhere. Its prompt is looked up where it is written down. */
export interface LoggedCall extends Omit<NewRequest, 'prompt'> {
  readonly named: LoggedPrompt;
}

interface Where {
  /** Where the body stands in the request. */
  readonly at: Place;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Checks what was sent; throws a 422 that names what does not fit. */
export async function loggedCall(
  prices: Prices,
  body: LoggedWithSpan,
  around: Where = { at: ['body'], startedAt: 0, endedAt: 0 },
): Promise<LoggedCall> {
  const { at } = around;
  const status = body.status ?? 'SUCCESS';
  checkStatus(at, status, body.error_type);
  const started = timeOf([...at, 'request_start_time'], body.request_start_time);
  const startedAt = started ?? around.startedAt;
  const ended = timeOf([...at, 'request_end_time'], body.request_end_time);
  // Zero is what clients send who do not know.
  const known = (value: number | null | undefined): number | null => value || null;
  const inputTokens = known(body.input_tokens);
  const usage: Usage = {
    ...noUsage,
    inputTokens,
    outputTokens: inputTokens === null ? known(body.output_tokens) : (body.output_tokens ?? null),
    price: known(body.price),
  };
  const { provider, model } = body;
  return {
    provider,
    model,
    functionName: body.function_name ?? '',
    apiType: body.api_type ?? null,
    named: body,
    status,
    errorType: body.error_type ?? null,
    errorMessage: body.error_message ?? null,
    input: checkTemplate(body.input, [...at, 'input']),
    output: checkTemplate(body.output, [...at, 'output']),
    parameters: body.parameters ?? {},
    response: undefined,
    variables: body.prompt_input_variables ?? {},
    metadata: body.metadata ?? {},
    tags: body.tags ?? [],
    scores: body.score ? { [body.score_name || 'default']: body.score } : {},
    usage,
    price: await prices.priceOf({ provider, model, at: startedAt }, usage),
    startedAt,
    endedAt: ended ?? (started === undefined ? around.endedAt : startedAt),
    groupId: null,
    traceId: null,
    spanId: null,
  };
}
