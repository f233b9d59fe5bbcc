import type { Template } from '../../api/template.ts';
import { describeError, isPromptTablesError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import type { ModelCall } from '../providers/provider.ts';
import { findProvider } from '../providers/registry.ts';
import { demandAllowed } from './allowed-address.ts';
import type { KnownAnswer } from './answer-cache.ts';
import { blueprintMaker } from './blueprint.ts';
import { forHostProvider, hostProviderOf } from './host-template.ts';
import type { Run, RunContext } from './context.ts';
import type { GivenOptions } from './given.ts';
import { withGivenTools } from './given-tools.ts';
import { refuse } from './given.ts';
import { modelCallOf } from './model-call.ts';
import type { RunResult, RunStream } from './options.ts';
import { callEnvironmentOf } from './provider-context.ts';
import { asStream, openStream } from './stream.ts';
import { unpublishedTemplate } from './unpublished.ts';
import { runWhole } from './whole.ts';

/** The prompt, filled in, with the arguments for its model. */
export async function fetchTemplate(
  { templates, settled }: RunContext,
  given: GivenOptions,
  options: CallOptions,
): Promise<Template> {
  const { hostProviders: hosts } = settled;
  const isOfHost = hostProviderOf(hosts, given.provider) !== undefined;
  try {
    if (given.blueprint !== undefined) {
      const { blueprint } = given;
      const template = await unpublishedTemplate({ templates }, given, blueprint, options);
      return forHostProvider(withGivenTools(template, given), hosts, given);
    }
    const template = await templates.get(
      given.promptName,
      {
        version: given.version,
        label: given.label,
        ...(!isOfHost && {
          provider: given.provider,
          model: given.model,
          modelParameterOverrides: given.modelParameterOverrides,
        }),
        inputVariables: given.inputVariables,
        metadataFilters: given.metadataFilters,
      },
      options,
    );
    return forHostProvider(withGivenTools(template, given), hosts, given);
  } catch (error) {
    // There is nothing to run without it, so this throws whatever throwOnError says.
    if (!settled.throwOnError && isPromptTablesError(error))
      settled.logger.warn(describeError(error));
    throw error;
  }
}

/** Where its answer is kept, if the caller wants that. */
async function placeIn(
  settled: RunContext['settled'],
  { answerCache, repetition }: GivenOptions,
  asked: Pick<Run, 'provider' | 'callEnvironment'> & { readonly call: ModelCall },
): Promise<Run['place']> {
  const { answerStore } = settled;
  if (!answerCache || answerStore === undefined) return undefined;
  const { answerPlaceOf } = await import('./answer-cache.ts');
  return answerPlaceOf(answerStore, { ...asked, repetition }, settled);
}

/** Nobody was asked, so there is nothing to log. */
function fromCache(
  { provider, facts: { template, call } }: Run,
  { response, answeredAt }: KnownAnswer,
): RunResult {
  const reply = provider.replyOf(response, call);
  return {
    request_id: null,
    raw_response: response,
    prompt_blueprint: blueprintMaker(template)(reply),
    cached: { answered_at: answeredAt },
  };
}

/** Specification 4.4: fetch the template (or take the one that was given), ask the provider, log the request. */
export async function runPrompt(
  context: RunContext,
  given: GivenOptions,
  options: CallOptions,
): Promise<RunResult | RunStream> {
  demandStore(context, given);
  const template = await fetchTemplate(context, given, options);
  return runTemplate(context, given, template, options);
}

/** An answer can be kept only where something keeps answers. */
export function demandStore(
  { settled }: Pick<RunContext, 'settled'>,
  { answerCache }: GivenOptions,
): void {
  if (answerCache && settled.answerStore === undefined) {
    refuse('answerCache is on, but nothing keeps answers', 'Give the client an answerStore.');
  }
}

/** Asks the provider, and logs the request. */
export async function runTemplate(
  context: RunContext,
  given: GivenOptions,
  template: Template,
  options: CallOptions,
): Promise<RunResult | RunStream> {
  const { settled, lifetime } = context;
  const { logger, throwOnError, clock } = settled;
  const { stream, modelParameterOverrides: overrides } = given;
  const call = modelCallOf(template, { stream, throwOnError, logger, overrides });
  const provider = await findProvider(call, settled.hostProviders);
  await demandAllowed(template, call, settled, options.signal);
  const joined = lifetime.join(options.signal);
  const callEnvironment = callEnvironmentOf(context, call, joined.signal);
  const place = await placeIn(settled, given, { provider, call, callEnvironment });
  const run: Run = {
    context,
    facts: { template, given, call, functionName: provider.functionName, startedAt: clock.now() },
    ...{ provider, callEnvironment, place, release: joined.release },
  };
  const known = await place?.find();
  if (known !== undefined) {
    const result = fromCache(run, known);
    joined.release();
    return given.stream ? asStream(result) : result;
  }
  return given.stream ? openStream(run) : runWhole(run);
}
