import type { Entries } from '../texts.ts';

/** About providers, prompts and workflows. */
export const providerAdvice = {
  'check-provider-key': { text: "Check the provider's key." },
  'raise-account-limit': { text: 'Wait a little, or raise the limit of your account.' },
  'check-plan': { text: "Check the plan and the balance of the provider's account." },
  'check-provider-url': { sdk: 'Check the base URL of the provider.' },
  'raise-provider-timeout': { sdk: 'The model may be busy; providerTimeoutMs sets the limit.' },
  'start-ollama': { text: 'Start Ollama (ollama serve), then run this again.' },
  'start-lmstudio': {
    text: 'Start the server of LM Studio (lms server start), then run this again.',
  },
  'start-vllm': { text: 'Start vLLM (vllm serve), then run this again.' },
  'start-server': { text: 'Start the server there or correct its address, then run this again.' },
  'check-address': { text: 'Check the address and the network connection.' },
  'allow-address': { text: 'Run the prompt again to be asked again, or select another model.' },
  'run-again': { text: 'Run it again.' },
  'use-partial': { sdk: 'Run it again; partial output is in the field "partial" of this error.' },
  'use-result': { sdk: 'The answer is in the field "result" of this error.' },
  'use-outputs': { sdk: 'What every node has done is in the field "outputs" of this error.' },
  'wait-longer': {
    sdk: 'It is still running; timeoutMs sets how long the result is waited for.',
  },

  'set-variable': { text: 'Set {names}.' },
  'set-custom-key': {
    text: 'The custom provider has none; give it one in the workspace. Keys of the environment are not sent to it.',
  },
  'set-azure-endpoint': {
    text: 'Set AZURE_OPENAI_ENDPOINT, such as https://my-resource.openai.azure.com.',
  },
  'set-aws-key': {
    text: 'Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  },
  'set-aws-region': { text: 'Set AWS_REGION to a name such as us-east-1.' },
  'set-google-project': { text: 'Set one of {known}, and {variable}.' },
  'set-google-project-or-key': {
    text: 'Set VERTEX_AI_PROJECT_ID (or GOOGLE_PROJECT_ID, GOOGLE_CLOUD_PROJECT) and GOOGLE_APPLICATION_CREDENTIALS, or GOOGLE_API_KEY.',
  },
  'set-google-location': { text: 'Set {variable} to a name such as us-central1.' },
  'set-google-token': {
    text: 'Set CLOUDSDK_AUTH_ACCESS_TOKEN to an access token, or use the Gemini API with GOOGLE_API_KEY.',
  },
  'set-key-file': {
    text: 'Set GOOGLE_APPLICATION_CREDENTIALS to the path of a key file, or to its content.',
  },
  'set-key-file-or-sign-in': {
    text: 'Set GOOGLE_APPLICATION_CREDENTIALS to the path of a key file, or sign in with gcloud.',
  },
  'use-chat': { text: 'Make the template a chat, or use the provider anthropic.' },
  'use-vertex-model': {
    text: 'Its Gemini and Claude models work. Others do as a custom provider with the client "openai".',
  },
  'use-known-provider': {
    text: 'Known providers: {known}. Any server that speaks OpenAI\'s API works as a custom provider with the client "openai".',
  },
  'make-custom-provider': {
    text: 'Make it a custom provider with the client "openai" and a base URL.',
  },
  'write-address': { text: 'It looks like https://host/v1.' },
  'use-known-api': { text: 'Known: {known}.' },
  'name-model': { text: 'Name a model that the provider has.' },
  'look-for-video': { text: 'It may still come: the job is called {job}.' },
  'select-model': { sdk: 'Select a model for it in the registry, or give provider and model.' },
  'correct-reference': { text: 'Correct the reference to it.' },
  'publish-tool': {
    text: 'Publish it so that the service adds the tool, or define the tool in the prompt.',
  },
} as const satisfies Entries;
