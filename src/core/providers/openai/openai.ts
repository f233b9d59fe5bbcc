import { ConfigurationError } from '../../errors.ts';
import type { ModelCall, Provider } from '../provider.ts';
import type { OpenAiHost } from './address.ts';
import { bearerAddress } from './address.ts';
import { openAiApi } from './apis.ts';

/** Whose APIs are OpenAI's own or speak its language, by the template's name of the provider. */
export const openAiHosts: Readonly<Record<string, OpenAiHost>> = {
  openai: {
    baseURL: 'https://api.openai.com/v1',
    baseVariables: ['OPENAI_BASE_URL'],
    keyVariables: ['OPENAI_API_KEY'],
    headerVariables: {
      'openai-organization': 'OPENAI_ORG_ID',
      'openai-project': 'OPENAI_PROJECT_ID',
    },
  },
  xai: {
    baseURL: 'https://api.x.ai/v1',
    baseVariables: ['XAI_BASE_URL'],
    keyVariables: ['XAI_API_KEY'],
    basePath: 'v1',
  },
  groq: {
    baseURL: 'https://api.groq.com/openai/v1',
    baseVariables: ['GROQ_BASE_URL'],
    keyVariables: ['GROQ_API_KEY'],
    basePath: 'openai/v1',
  },
  deepseek: {
    baseURL: 'https://api.deepseek.com',
    baseVariables: ['DEEPSEEK_BASE_URL'],
    keyVariables: ['DEEPSEEK_API_KEY'],
  },
  ollama: {
    baseURL: 'http://127.0.0.1:11434/v1',
    baseVariables: ['OLLAMA_BASE_URL'],
    keyVariables: ['OLLAMA_API_KEY'],
    basePath: 'v1',
    needsNoKey: true,
  },
  lmstudio: {
    baseURL: 'http://127.0.0.1:1234/v1',
    baseVariables: ['LMSTUDIO_BASE_URL'],
    keyVariables: ['LMSTUDIO_API_KEY'],
    basePath: 'v1',
    needsNoKey: true,
  },
  vllm: {
    baseURL: 'http://127.0.0.1:8000/v1',
    baseVariables: ['VLLM_BASE_URL'],
    keyVariables: ['VLLM_API_KEY'],
    basePath: 'v1',
    needsNoKey: true,
  },
};

/** OpenAI, or one of those who speak its language. */
export async function openAi(call: ModelCall): Promise<Provider> {
  const host = openAiHosts[call.provider];
  if (host === undefined) {
    throw new ConfigurationError(
      { kind: 'unknown-provider', provider: call.provider },
      { hint: { kind: 'make-custom-provider' } },
    );
  }
  return openAiApi(call, bearerAddress(host));
}
