/** How each provider is reached and opened in tests: on loopback, with a key from a variable. */
export interface Door {
  /** As a template names it. */
  readonly provider: string;
  readonly keyVariable: string;
  /** Variables that point at a fake of it. */
  readonly at: (url: string) => Readonly<Record<string, string>>;
  /** The header that carries the key. */
  readonly keyHeader: string;
}

const bearer = (provider: string, name: string, path = ''): Door => ({
  provider,
  keyVariable: `${name}_API_KEY`,
  at: (url) => ({ [`${name}_BASE_URL`]: url + path }),
  keyHeader: 'authorization',
});

export const doors: readonly Door[] = [
  bearer('openai', 'OPENAI', '/v1'),
  {
    provider: 'openai.azure',
    keyVariable: 'AZURE_OPENAI_API_KEY',
    at: (url) => ({ AZURE_OPENAI_ENDPOINT: `${url}/`, OPENAI_API_VERSION: '2025-04-01-preview' }),
    keyHeader: 'api-key',
  },
  bearer('mistral', 'MISTRAL'),
  bearer('openrouter', 'OPENROUTER'),
  bearer('xai', 'XAI'),
  bearer('groq', 'GROQ'),
  bearer('deepseek', 'DEEPSEEK'),
  bearer('ollama', 'OLLAMA'),
  bearer('lmstudio', 'LMSTUDIO'),
  bearer('vllm', 'VLLM'),
  {
    provider: 'cohere',
    keyVariable: 'CO_API_KEY',
    at: (url) => ({ CO_API_URL: url }),
    keyHeader: 'authorization',
  },
];

export function doorOf(provider: string): Door {
  const door = doors.find((known) => known.provider === provider);
  if (door === undefined) throw new Error(`There is no door to ${provider}.`);
  return door;
}
