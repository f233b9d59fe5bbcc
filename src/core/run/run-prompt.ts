import type { Template } from '../../api/template.ts';
import { describeError, isPromptTablesError } from '../errors.ts';
import type { CallOptions } from '../http/call.ts';
import { findProvider } from '../providers/registry.ts';
import { demandAllowed } from './allowed-address.ts';
import { forHostProvider, hostProviderOf } from './host-template.ts';
import type { Run, RunContext } from './context.ts';
import type { GivenOptions } from './given.ts';
import { modelCallOf } from './model-call.ts';
import type { RunResult, RunStream } from './options.ts';
import { callEnvironmentOf } from './provider-context.ts';
import { openStream } from './stream.ts';
import { unpublishedTemplate } from './unpublished.ts';
import { runWhole } from './whole.ts';

async function fetchTemplate(
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
      return forHostProvider(template, hosts, given);
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
    return forHostProvider(template, hosts, given);
  } catch (error) {
    // There is nothing to run without it, so this throws whatever throwOnError says.
    if (!settled.throwOnError && isPromptTablesError(error))
      settled.logger.warn(describeError(error));
    throw error;
  }
}

/** Specification 4.4: fetch the template (or take the one that was given), ask the provider, log the request. */
export async function runPrompt(
  context: RunContext,
  given: GivenOptions,
  options: CallOptions,
): Promise<RunResult | RunStream> {
  const { settled, lifetime } = context;
  const { logger, throwOnError, clock } = settled;
  const template = await fetchTemplate(context, given, options);
  const { stream, modelParameterOverrides: overrides } = given;
  const call = modelCallOf(template, { stream, throwOnError, logger, overrides });
  const provider = await findProvider(call, settled.hostProviders);
  await demandAllowed(template, call, settled, options.signal);
  const joined = lifetime.join(options.signal);
  const run: Run = {
    context,
    facts: { template, given, call, functionName: provider.functionName, startedAt: clock.now() },
    provider,
    callEnvironment: callEnvironmentOf(context, call, joined.signal),
    release: joined.release,
  };
  return given.stream ? openStream(run) : runWhole(run);
}
