import type { RequestDetail } from '../../core/index.ts';
import type { Blueprint } from '../shell/choice-schema.ts';
import { isMapping } from '../../core/mapping.ts';

/**
 * What a request has asked, to be asked once more with its model; undefined: the log does not tell.
 * Of a chat the last message is the answer. Of a completion only the answer is kept.
 */
export function replayable({
  prompt_blueprint: blueprint,
  provider,
  model: name,
}: RequestDetail): Blueprint | undefined {
  const prompt = blueprint?.['prompt_template'];
  if (!isMapping(prompt) || !Array.isArray(prompt['messages'])) return undefined;
  const messages: readonly unknown[] = prompt['messages'];
  const last = messages.at(-1);
  const isAnswered = isMapping(last) && last['role'] === 'assistant';
  const asked = isAnswered ? messages.slice(0, -1) : messages;
  const metadata = isMapping(blueprint?.['metadata']) ? blueprint['metadata'] : {};
  const reported = isMapping(metadata['model']) ? metadata['model'] : {};
  const model = {
    ...reported,
    provider: reported['provider'] ?? provider,
    name: reported['name'] ?? name,
  };
  if (asked.length === 0 || typeof model.provider !== 'string' || typeof model.name !== 'string') {
    return undefined;
  }
  return {
    prompt_template: { ...prompt, type: 'chat', messages: asked },
    metadata: { ...metadata, model },
    isRendered: true,
  };
}
