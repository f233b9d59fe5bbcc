import { ConfigurationError } from '../errors.ts';
import type { ModelCall, Provider } from './provider.ts';
import { ownValue } from '../../api/own-value.ts';
import type { HostProviders } from './host/host-provider.ts';

type Load = (call: ModelCall) => Promise<Provider>;

/** Asking for a module again costs a tenth of a call, though it is loaded. */
let openAiModule: Promise<{ readonly openAi: Load }> | undefined;

const openAi: Load = async (call) =>
  (await (openAiModule ??= import('./openai/openai.ts'))).openAi(call);

/** Each module is loaded when a template first wants it. */
const providers: Readonly<Record<string, Load>> = {
  openai: openAi,
  'openai.azure': async (call) => (await import('./azure/azure.ts')).azureOpenAi(call),
  mistral: async () => (await import('./mistral/mistral.ts')).mistralChat(),
  openrouter: async (call) => (await import('./openrouter/openrouter.ts')).openRouter(call),
  cohere: async () => (await import('./cohere/cohere.ts')).cohereChat(),
  xai: openAi,
  groq: openAi,
  deepseek: openAi,
  ollama: openAi,
  lmstudio: openAi,
  vllm: openAi,
  anthropic: async (call) => (await import('./anthropic/anthropic.ts')).anthropic(call),
  'anthropic.bedrock': async (call) =>
    (await import('./bedrock/anthropic-bedrock.ts')).anthropicBedrock(call),
  'amazon.bedrock': async () => (await import('./bedrock/converse.ts')).converse,
  google: async (call) => (await import('./google/gemini.ts')).gemini(call),
  vertexai: async (call) => (await import('./google/vertex.ts')).vertex(call),
};

export const providerNames: readonly string[] = Object.keys(providers);

/** The API that a call is for, or a ConfigurationError that lists the known providers. */
export async function findProvider(call: ModelCall, hosts: HostProviders = {}): Promise<Provider> {
  if (ownValue(hosts, call.provider) !== undefined) {
    return (await import('./host/host-provider.ts')).hostProvider();
  }
  const load = ownValue(providers, call.provider);
  if (load === undefined) {
    throw new ConfigurationError(
      { kind: 'unsupported-provider', provider: call.provider },
      { hint: { kind: 'use-known-provider', known: Object.keys(providers) } },
    );
  }
  return load(call);
}
