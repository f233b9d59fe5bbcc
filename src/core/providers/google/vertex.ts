import { ConfigurationError } from '../../errors.ts';
import type { ModelCall, Provider } from '../provider.ts';

/** Vertex AI speaks the language of whoever made the model. */
export async function vertex(call: ModelCall): Promise<Provider> {
  if (/claude/i.test(call.model)) {
    if (call.templateType !== 'chat') {
      throw new ConfigurationError(
        { kind: 'vertex-only-chat', model: call.model },
        { hint: { kind: 'use-chat' } },
      );
    }
    return (await import('./vertex-claude.ts')).vertexClaude;
  }
  if (/gemini|gemma|^projects\/|^endpoints\/|publishers\/google\//i.test(call.model)) {
    return (await import('./gemini.ts')).gemini(call);
  }
  throw new ConfigurationError(
    { kind: 'vertex-model', model: call.model },
    { hint: { kind: 'use-vertex-model' } },
  );
}
