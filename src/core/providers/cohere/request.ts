import type { Mapping } from '../../mapping.ts';
import { defined, textOf, without } from '../../mapping.ts';
import type { KwargsInput, Message } from '../template-parts.ts';
import {
  answerFormatOf,
  functionToolsOf,
  joinedText,
  mediaOf,
  messagesOf,
  renamed,
  toolChoiceOf,
  urlOf,
} from '../template-parts.ts';

function contentOf(content: readonly Mapping[]): unknown {
  const parts = content.flatMap((part): Mapping[] => {
    if (part['type'] === 'text') return [{ type: 'text', text: textOf(part['text']) }];
    const media = mediaOf(part);
    return media === undefined ? [] : [{ type: 'image_url', image_url: { url: urlOf(media) } }];
  });
  const [only] = parts;
  return parts.length === 1 && only?.['type'] === 'text' ? only['text'] : parts;
}

function messageOf({ role, content, toolCalls, toolCallId, name }: Message): Mapping {
  switch (role) {
    case 'assistant': {
      const calls = toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      }));
      const text = joinedText(content);
      return defined({
        role,
        content: text === '' && calls.length > 0 ? undefined : text,
        tool_calls: calls.length > 0 ? calls : undefined,
      });
    }
    case 'tool':
    case 'function':
      return {
        role: 'tool',
        tool_call_id: toolCallId || (name ?? ''),
        content: joinedText(content),
      };
    case 'system':
    case 'developer':
      return { role: 'system', content: contentOf(content) };
    default:
      return { role: 'user', content: contentOf(content) };
  }
}

/** Cohere's Chat API, version 2. */
export function cohereChat(input: KwargsInput): Mapping {
  const { template, model, parameters } = input;
  const format = answerFormatOf(input);
  const choice = toolChoiceOf(template);
  const tools = functionToolsOf(template).map(({ name, description, parameters: schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
  const { stop } = parameters;
  return defined({
    model,
    messages:
      template.type === 'completion'
        ? [{ role: 'user', content: joinedText(template['content']) }]
        : messagesOf(template).map(messageOf),
    ...renamed(without(parameters, 'response_format', 'stop', 'parallel_tool_calls'), {
      top_p: 'p',
      top_k: 'k',
    }),
    stop_sequences: typeof stop === 'string' ? [stop] : stop,
    response_format:
      format === undefined
        ? undefined
        : defined({ type: 'json_object', json_schema: format.schema }),
    tools: tools.length > 0 ? tools : undefined,
    // "auto" is the default and left out.
    tool_choice:
      tools.length === 0 || choice === undefined || choice.kind === 'auto'
        ? undefined
        : choice.kind === 'none'
          ? 'NONE'
          : 'REQUIRED',
  });
}
