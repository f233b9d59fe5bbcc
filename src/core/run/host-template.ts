import { ownValue } from '../../api/own-value.ts';
import type { Template } from '../../api/template.ts';
import { argumentsFor } from '../kwargs/arguments-for.ts';
import { chooseModel } from '../kwargs/choose-model.ts';
import { isMapping } from '../mapping.ts';
import type { HostProvider, HostProviders } from '../providers/host/host-provider.ts';
import type { GivenOptions } from './given.ts';

/** The provider among those of the program itself; undefined: it is one of the others. */
export const hostProviderOf = (
  hosts: HostProviders | undefined,
  provider: string | undefined,
): HostProvider | undefined =>
  hosts === undefined || provider === undefined ? undefined : ownValue(hosts, provider);

/**
 * A prompt for a provider that the service doesn't know: its arguments are made here, and what the
 * workspace has set for other providers is not for this one. A completion becomes a message.
 */
export function forHostProvider(
  template: Template,
  hosts: HostProviders | undefined,
  { provider, model, inputVariables, modelParameterOverrides }: GivenOptions,
): Template {
  const own = isMapping(template.metadata?.['model']) ? template.metadata['model'] : {};
  const named = provider ?? own['provider'];
  if (typeof named !== 'string' || hostProviderOf(hosts, named) === undefined) return template;
  const { custom_provider: _custom, provider_base_url: _base, ...rest } = template;
  const given = template.prompt_template;
  const prompt: Template['prompt_template'] =
    given.type === 'completion'
      ? { ...given, type: 'chat', messages: [{ role: 'user', content: given['content'] }] }
      : given;
  const chosen = chooseModel(template.metadata ?? null, {
    ...{ provider, model, model_parameter_overrides: modelParameterOverrides },
  });
  return {
    ...rest,
    prompt_template: prompt,
    metadata: chosen.metadata,
    llm_kwargs: argumentsFor(prompt, chosen.model, inputVariables),
  };
}
