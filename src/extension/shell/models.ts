import type { Client } from '../../core/index.ts';

/** Providers that a prompt can be run with by their name alone. */
export const providers = [
  ...['openai', 'anthropic', 'google', 'mistral', 'cohere', 'xai', 'groq', 'deepseek'],
  ...['openrouter', 'openai.azure', 'anthropic.bedrock', 'amazon.bedrock', 'vertexai', 'ollama'],
];

/** Models of a provider that the workspace has asked. */
export async function modelsOf(
  client: Client,
  provider: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const filters = [{ field: 'provider_type', operator: 'is', value: provider }];
  const found = await client.requests.suggestions(
    { field: 'engine', filterGroup: { logic: 'AND', filters } },
    { signal },
  );
  return found.filter((model) => typeof model === 'string').map(String);
}
