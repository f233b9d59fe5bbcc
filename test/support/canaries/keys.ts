/** Variables that hold keys of model providers: all of them are set to a canary at once. */
export const keyVariables: readonly string[] = [
  'OPENAI_API_KEY',
  'OPENAI_ORG_ID',
  'OPENAI_PROJECT_ID',
  'AZURE_OPENAI_API_KEY',
  'AZURE_OPENAI_AD_TOKEN',
  'ANTHROPIC_API_KEY',
  'GOOGLE_API_KEY',
  'GEMINI_API_KEY',
  'CLOUDSDK_AUTH_ACCESS_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'MISTRAL_API_KEY',
  'OPENROUTER_API_KEY',
  'CO_API_KEY',
  'COHERE_API_KEY',
  'XAI_API_KEY',
  'GROQ_API_KEY',
  'DEEPSEEK_API_KEY',
  'OLLAMA_API_KEY',
  'LMSTUDIO_API_KEY',
  'VLLM_API_KEY',
];

export const canaryOf = (variable: string): string => `canary-${variable.toLowerCase()}-4f9d2c71`;
/** In every canary, and in nothing else. */
export const canaryMark = '4f9d2c71';

export const canaryKeys: Readonly<Record<string, string>> = Object.fromEntries(
  keyVariables.map((name) => [name, canaryOf(name)]),
);

/** Where each provider is in tests: at the one address that the user has chosen. */
export const addressesAt = (url: string): Readonly<Record<string, string>> => ({
  OPENAI_BASE_URL: `${url}/v1`,
  AZURE_OPENAI_ENDPOINT: url,
  OPENAI_API_VERSION: '2025-04-01-preview',
  ANTHROPIC_BASE_URL: url,
  GOOGLE_GEMINI_BASE_URL: url,
  GOOGLE_OPENAI_BASE_URL: url,
  GOOGLE_VERTEX_BASE_URL: url,
  ANTHROPIC_VERTEX_BASE_URL: url,
  VERTEX_AI_PROJECT_ID: 'project-1',
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
  MISTRAL_BASE_URL: url,
  OPENROUTER_BASE_URL: url,
  CO_API_URL: url,
  XAI_BASE_URL: url,
  GROQ_BASE_URL: url,
  DEEPSEEK_BASE_URL: url,
  OLLAMA_BASE_URL: url,
  LMSTUDIO_BASE_URL: url,
  VLLM_BASE_URL: url,
});
