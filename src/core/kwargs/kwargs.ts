import type { PromptTemplate } from '../../api/template.ts';
import { withoutSteering } from '../destination/steering.ts';
import type { Mapping } from '../mapping.ts';
import { anthropic } from '../providers/anthropic/request.ts';
import { bedrockConverse } from '../providers/bedrock/request.ts';
import { cohereChat } from '../providers/cohere/request.ts';
import { google } from '../providers/google/request.ts';
import { mistral } from '../providers/mistral/request.ts';
import { compatible, openAi } from '../providers/openai/request.ts';
import { openRouter } from '../providers/openrouter/request.ts';
import type { ChosenModel, Family } from './family.ts';
import { familyOf } from './family.ts';
import { defaultParameters, settleParameters } from './parameters.ts';
import type { KwargsInput } from '../providers/template-parts.ts';

/**
 * The arguments of the provider's own call (`llm_kwargs`) for a template and its model. Nothing in
 * them says where it goes.
 */
export function kwargsOf(template: PromptTemplate, model: ChosenModel): Mapping {
  // Both: the arguments hold more than the parameters, and place them elsewhere.
  const { kept: parameters } = withoutSteering(model.parameters);
  return withoutSteering(argumentsIn(familyOf(model), template, { ...model, parameters })).kept;
}

function argumentsIn(family: Family, template: PromptTemplate, model: ChosenModel): Mapping {
  const input: KwargsInput = {
    template,
    model: model.name,
    apiType: model.apiType?.replaceAll('.', '-'),
    parameters: { ...defaultParameters(family), ...settleParameters(model.parameters) },
  };
  switch (family) {
    case 'openai':
      return openAi(input);
    case 'anthropic':
      return anthropic(input);
    case 'google':
      return google(input);
    case 'bedrock':
      return bedrockConverse(input);
    case 'mistral':
      return mistral(input);
    case 'cohere':
      return cohereChat(input);
    case 'openrouter':
      return openRouter(input);
    case 'compatible':
      return compatible(input);
  }
}
