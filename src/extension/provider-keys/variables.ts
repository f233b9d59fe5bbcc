/** Variables that providers are asked for, by the provider whose they are. No VS Code in here. */
export const knownVariables: readonly (readonly [provider: string, ...variables: string[]])[] = [
  ['OpenAI', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  ['Anthropic', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  ['Google Gemini', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  ['Mistral', 'MISTRAL_API_KEY'],
  ['Azure OpenAI', 'AZURE_OPENAI_API_KEY', 'AZURE_OPENAI_ENDPOINT', 'OPENAI_API_VERSION'],
  [
    'Amazon Bedrock',
    'AWS_BEARER_TOKEN_BEDROCK',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_REGION',
  ],
  ['Google Vertex AI', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
  ['OpenRouter', 'OPENROUTER_API_KEY'],
  ['Cohere', 'COHERE_API_KEY'],
  ['xAI', 'XAI_API_KEY'],
  ['Groq', 'GROQ_API_KEY'],
  ['DeepSeek', 'DEEPSEEK_API_KEY'],
  ['Ollama', 'OLLAMA_BASE_URL'],
  ['LM Studio', 'LMSTUDIO_BASE_URL'],
  ['vLLM', 'VLLM_BASE_URL', 'VLLM_API_KEY'],
];

export type NameProblem = 'shape' | 'own';

/** Keys of the prompt service belong to a connection, and never go to a provider. */
export function nameProblem(name: string): NameProblem | undefined {
  if (!/^[A-Z][A-Z0-9_]{2,80}$/.test(name)) return 'shape';
  return name.startsWith('PROMPTLAYER_') ? 'own' : undefined;
}

/** What comes along with a pasted value: blanks, quotes, the name of the variable. */
export const cleanValue = (name: string, pasted: string): string =>
  pasted
    .trim()
    .replace(new RegExp(`^(?:export\\s+)?${name}\\s*=\\s*`), '')
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .trim();
