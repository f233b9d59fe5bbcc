import { ConfigurationError } from '../../errors.ts';
import type { ModelCall, Provider } from '../provider.ts';

/** Vertex AI speaks the language of whoever made the model. */
export async function vertex(call: ModelCall): Promise<Provider> {
  if (/claude/i.test(call.model)) {
    if (call.templateType !== 'chat') {
      throw new ConfigurationError(`${call.model} on vertexai takes chat templates only.`, {
        hint: 'Make the template a chat, or use the provider anthropic.',
      });
    }
    return (await import('./vertex-claude.ts')).vertexClaude;
  }
  if (/gemini|gemma|^projects\/|^endpoints\/|publishers\/google\//i.test(call.model)) {
    return (await import('./gemini.ts')).gemini(call);
  }
  throw new ConfigurationError(`The model "${call.model}" isn't supported on vertexai.`, {
    hint: 'Its Gemini and Claude models work. Others do as a custom provider with the client "openai".',
  });
}
