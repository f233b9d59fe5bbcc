import type { Mapping } from '../mapping.ts';

/** The model of a template, as its metadata name it. */
export interface ChosenModel {
  readonly provider: string;
  readonly name: string;
  readonly apiType: string | undefined;
  readonly parameters: Mapping;
}

export type Family =
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
