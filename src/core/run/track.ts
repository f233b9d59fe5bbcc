import type { AnswerOf } from '../../api/endpoint.ts';
import type { Template } from '../../api/template.ts';
import { trackRequest } from '../../api/tracking.ts';
import { describeError } from '../errors.ts';
import type { SettledOptions } from '../options.ts';
import { describeEnding } from '../providers/ending.ts';
import type { Ending } from '../providers/ending.ts';
import type { ModelCall } from '../providers/provider.ts';
import { errorTypeOfThrown } from '../providers/provider-error.ts';
import { loggedWords } from '../requests/error-message.ts';
import type { RunContext } from './context.ts';
import type { GivenOptions } from './given.ts';

export type Tracked = AnswerOf<typeof trackRequest>;

/** How a run went. */
export type Outcome =
  | { readonly kind: 'whole'; readonly response: unknown; readonly ending: Ending }
  /** Something came; then the provider failed, or the caller had enough. */
  | { readonly kind: 'partial'; readonly response: unknown; readonly error: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface RunFacts {
  readonly template: Template;
  readonly given: GivenOptions;
  readonly call: ModelCall;
  readonly functionName: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** An answer that is none, or half of one, is no success in the log either. */
function endingFields(ending: Ending, provider: string, redact: (text: string) => string) {
  const message = describeEnding(ending, provider);
  if (message === undefined) return {};
  const error_message = loggedWords(redact(message));
  return ending.kind === 'cutOff'
    ? { status: 'WARNING', error_type: 'PROVIDER_PARTIAL_RESPONSE', error_message }
    : { status: 'ERROR', error_type: 'PROVIDER_ERROR', error_message };
}

function outcomeFields(outcome: Outcome, provider: string, redact: (text: string) => string) {
  if (outcome.kind === 'whole') {
    return {
      request_response: outcome.response,
      ...endingFields(outcome.ending, provider, redact),
    };
  }
  const message = redact(
    outcome.error === undefined ? 'The caller stopped reading.' : describeError(outcome.error),
  );
  const error_message = loggedWords(message);
  if (outcome.kind === 'partial') {
    return {
      request_response: outcome.response,
      status: 'WARNING',
      error_type: 'PROVIDER_PARTIAL_RESPONSE',
      error_message,
    };
  }
  return {
    request_response: {},
    status: 'ERROR',
    error_type: errorTypeOfThrown(outcome.error),
    error_message,
  };
}

/** What is logged of a run, without the key of the service and without any other. */
export function trackedRun(
  { template, given, call, functionName, startedAt }: RunFacts,
  outcome: Outcome,
  { clock, redact, redactKnown }: Pick<SettledOptions, 'clock' | 'redact' | 'redactKnown'>,
) {
  const body = {
    function_name: functionName,
    // The template's name of it, also where a custom provider speaks another's language.
    provider_type: call.provider,
    args: [],
    kwargs: { ...call.kwargs, stream: call.stream },
    tags: given.tags === undefined ? undefined : [...given.tags],
    request_start_time: new Date(startedAt).toISOString(),
    request_end_time: new Date(clock.now()).toISOString(),
    metadata: given.metadata,
    // What was not published is no version of a prompt: it is logged by what was asked alone.
    prompt_id: given.blueprint === undefined ? template.id : undefined,
    prompt_version: template.version,
    prompt_input_variables: given.inputVariables,
    group_id: given.groupId,
    return_prompt_blueprint: true,
    ...outcomeFields(outcome, call.provider, redact),
  };
  return withoutSecrets(body, redactKnown);
}

/** Logs a run. Throws what the service's refusal throws. */
export function track(
  { call: callService, settled }: RunContext,
  facts: RunFacts,
  outcome: Outcome,
): Promise<Tracked> {
  // Without the caller's signal: what was paid for is logged also when the caller has stopped it.
  return callService(trackRequest, {
    params: {},
    body: { ...trackedRun(facts, outcome, settled), api_key: settled.apiKey },
  });
}

/** A model may say a key that it was shown; it goes no further. */
function withoutSecrets<Body extends object>(body: Body, redact: (text: string) => string): Body {
  const text = JSON.stringify(body);
  const clean = redact(text);
  return clean === text ? body : (JSON.parse(clean) as Body);
}
