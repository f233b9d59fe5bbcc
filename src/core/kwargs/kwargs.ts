import type { PromptTemplate } from '../../api/template.ts';
import { withoutSteering } from '../destination/steering.ts';
import type { Mapping } from '../mapping.ts';
import { anthropicCompletion, anthropicMessages } from './anthropic.ts';
import { bedrockConverse } from './bedrock.ts';
import { cohereChat } from './cohere.ts';
import { google } from './google.ts';
import {
  compatibleDialect,
  fromText,
  mistralDialect,
  openAiChat,
  openAiCompletion,
  openAiDialect,
} from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';
import { defaultParameters, settleParameters } from './parameters.ts';
import type { KwargsInput } from './parts.ts';

/** The model of a template, as its metadata name it. */
export interface ChosenModel {
  readonly provider: string;
  readonly name: string;
  readonly apiType: string | undefined;
  readonly parameters: Mapping;
}

type Family =
  | 'openai'
  | 'compatible'
  | 'anthropic'
  | 'google'
  | 'bedrock'
  | 'mistral'
  | 'cohere'
  | 'openrouter';

/** Which language a model is spoken to in. */
export function familyOf({ provider, name }: Pick<ChosenModel, 'provider' | 'name'>): Family {
  switch (provider) {
    case 'openai':
    case 'openai.azure':
      return 'openai';
    case 'anthropic':
    case 'anthropic.bedrock':
      return 'anthropic';
    case 'google':
      return 'google';
    case 'vertexai':
      return /^claude/i.test(name) ? 'anthropic' : 'google';
    case 'amazon.bedrock':
      return 'bedrock';
    case 'mistral':
    case 'cohere':
    case 'openrouter':
      return provider;
    default:
      return 'compatible';
  }
}

function openAi(input: KwargsInput): Mapping {
  switch (input.apiType) {
    case 'responses':
      return openAiResponses(input);
    case 'images':
      return fromText(input);
    default:
      return input.template.type === 'completion'
        ? openAiCompletion(input)
        : openAiChat(input, openAiDialect);
  }
}

function openRouter(input: KwargsInput): Mapping {
  switch (input.apiType) {
    case 'images':
    case 'video':
      return fromText(input);
    case 'speech':
      return fromText(input, 'input');
    default:
      return openAiChat(asChat(input), compatibleDialect);
  }
}

/** APIs that know conversations only are asked with one message. */
function asChat(input: KwargsInput): KwargsInput {
  const { template } = input;
  if (template.type !== 'completion') return input;
  return {
    ...input,
    template: { type: 'chat', messages: [{ role: 'user', content: template['content'] }] },
  };
}

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
      return template.type === 'completion' ? anthropicCompletion(input) : anthropicMessages(input);
    case 'google':
      return google(input);
    case 'bedrock':
      return bedrockConverse(input);
    case 'mistral':
      return openAiChat(asChat(input), mistralDialect);
    case 'cohere':
      return cohereChat(input);
    case 'openrouter':
      return openRouter(input);
    case 'compatible':
      return template.type === 'completion'
        ? openAiCompletion(input)
        : openAiChat(input, compatibleDialect);
  }
}
