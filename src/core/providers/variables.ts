/**
 * Every variable that a module of a provider reads, by the provider whose it is: its keys and what
 * else says how it is reached. The types of `ProviderContext` let no module read another one, so
 * whoever hands keys on (the extension to its service, an assistant's server) hands on all of them
 * and nothing else.
 */
export const providerVariables = {
  OpenAI: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID'],
  Anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  'Google Gemini': [
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_OPENAI_BASE_URL',
  ],
  Mistral: ['MISTRAL_API_KEY', 'MISTRAL_BASE_URL'],
  'Azure OpenAI': [
    'AZURE_OPENAI_API_KEY',
    'AZURE_OPENAI_ENDPOINT',
    'AZURE_OPENAI_AD_TOKEN',
    'OPENAI_API_VERSION',
  ],
  'Amazon Bedrock': [
    'AWS_BEARER_TOKEN_BEDROCK',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
    'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    'AWS_ENDPOINT_URL',
  ],
  'Google Vertex AI': [
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'CLOUDSDK_AUTH_ACCESS_TOKEN',
    'VERTEX_AI_PROJECT_ID',
    'VERTEX_AI_PROJECT_LOCATION',
    'GOOGLE_PROJECT_ID',
    'GOOGLE_PROJECT_LOCATION',
    'GOOGLE_CLOUD_PROJECT_LOCATION',
    'GOOGLE_VERTEX_BASE_URL',
    'ANTHROPIC_VERTEX_PROJECT_ID',
    'CLOUD_ML_REGION',
    'ANTHROPIC_VERTEX_BASE_URL',
  ],
  OpenRouter: ['OPENROUTER_API_KEY', 'OPENROUTER_BASE_URL'],
  Cohere: ['CO_API_KEY', 'COHERE_API_KEY', 'CO_API_URL', 'COHERE_BASE_URL'],
  xAI: ['XAI_API_KEY', 'XAI_BASE_URL'],
  Groq: ['GROQ_API_KEY', 'GROQ_BASE_URL'],
  DeepSeek: ['DEEPSEEK_API_KEY', 'DEEPSEEK_BASE_URL'],
  Ollama: ['OLLAMA_BASE_URL', 'OLLAMA_API_KEY'],
  'LM Studio': ['LMSTUDIO_BASE_URL', 'LMSTUDIO_API_KEY'],
  vLLM: ['VLLM_BASE_URL', 'VLLM_API_KEY'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ProviderVariable = (typeof providerVariables)[keyof typeof providerVariables][number];

/** All of them. */
export const providerVariableNames: readonly ProviderVariable[] =
  Object.values(providerVariables).flat();
