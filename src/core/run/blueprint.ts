import type { Template } from '../../api/template.ts';
import type { Mapping } from '../mapping.ts';
import type { Reply } from '../providers/reply.ts';

/** Reply so far -> prompt blueprint: the messages that were sent, then the reply. */
export type MakeBlueprint = (reply: Reply) => Mapping;

const none = Object.freeze([]);

export function blueprintMaker({ prompt_template: prompt, metadata }: Template): MakeBlueprint {
  if (prompt.type === 'completion') {
    return ({ content }) =>
      Object.freeze({
        prompt_template: Object.freeze({ type: 'completion', content, input_variables: none }),
        metadata,
      });
  }
  const sent: readonly unknown[] = Array.isArray(prompt['messages']) ? prompt['messages'] : [];
  return ({ content, tool_calls }) =>
    Object.freeze({
      prompt_template: Object.freeze({
        ...prompt,
        messages: Object.freeze([
          ...sent,
          Object.freeze({
            role: 'assistant',
            input_variables: none,
            template_format: 'f-string',
            content,
            tool_calls,
          }),
        ]),
      }),
      metadata,
    });
}
