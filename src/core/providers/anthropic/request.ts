import type { Mapping } from '../../mapping.ts';
import { defined, isMapping, textOf, without } from '../../mapping.ts';
import type { KwargsInput, Media, Message } from '../template-parts.ts';
import {
  answerFormatOf,
  argumentsOf,
  builtInToolsOf,
  functionToolsOf,
  joinedText,
  mediaOf,
  messagesOf,
  renamed,
  toolChoiceOf,
} from '../template-parts.ts';
import { ownValue } from '../../../api/own-value.ts';
import { textOfBase64 } from '../base64.ts';

function fileBlock(media: Media): Mapping {
  const source =
    media.data === undefined
      ? { type: 'url', url: media.url }
      : { type: 'base64', media_type: media.mimeType, data: media.data };
  if (media.mimeType.startsWith('image/')) return { type: 'image', source };
  if (media.mimeType.startsWith('text/') && media.data !== undefined) {
    const data = textOfBase64(media.data);
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data } };
  }
  return { type: 'document', source, title: media.title };
}

/** Parts that Anthropic itself made go back as they came. */
const ownParts = new Set([
  'server_tool_use',
  'web_search_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
]);

function blocksOf(content: readonly Mapping[]): Mapping[] {
  return content.flatMap((part) => {
    const type = textOf(part['type']);
    // An empty text is refused.
    if (type === 'text') {
      return textOf(part['text']) === '' ? [] : [{ type: 'text', text: part['text'] }];
    }
    if (type === 'thinking') {
      // Without its signature a thought is refused.
      const signature = textOf(part['signature']);
      return signature === ''
        ? []
        : [{ type: 'thinking', thinking: textOf(part['thinking']), signature }];
    }
    if (ownParts.has(type)) return [part];
    const media = mediaOf(part);
    return media === undefined ? [] : [fileBlock(media)];
  });
}

function assistantBlocks({ content, toolCalls }: Message): Mapping[] {
  return [
    ...blocksOf(content),
    ...toolCalls.map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: call.name,
      input: argumentsOf(call),
    })),
  ];
}

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';

/** The answers to parallel calls must stand in one message. */
function conversation(messages: readonly Message[]): Mapping[] {
  const result: { role: string; content: Mapping[] }[] = [];
  let wasTool = false;
  for (const message of messages) {
    const isTool = message.role === 'tool' || message.role === 'function';
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = isTool
      ? [
          {
            type: 'tool_result',
            tool_use_id: message.toolCallId || (message.name ?? ''),
            content: blocksOf(message.content),
          },
        ]
      : role === 'assistant'
        ? assistantBlocks(message)
        : blocksOf(message.content);
    const last = result.at(-1);
    if (isTool && wasTool && last !== undefined) last.content.push(...content);
    else if (content.length > 0) result.push({ role, content });
    wasTool = isTool;
  }
  return result;
}

/** The versioned names under which Anthropic knows its own tools. */
const toolTypes: Readonly<Record<string, readonly [type: string, name: string]>> = {
  web_search: ['web_search_20250305', 'web_search'],
  code_interpreter: ['code_execution_20250825', 'code_execution'],
  bash: ['bash_20250124', 'bash'],
  text_editor: ['text_editor_20250728', 'str_replace_based_edit_tool'],
};

function toolsOf({ template }: KwargsInput): Mapping[] | undefined {
  const tools = [
    ...functionToolsOf(template).map(({ name, description, parameters, strict }) =>
      defined({ name, description, input_schema: parameters, strict: strict || undefined }),
    ),
    ...builtInToolsOf(template).map(({ type, name, config }) => {
      const [knownType, knownName] = ownValue(toolTypes, type) ?? [type, name];
      return { type: knownType, name: knownName, ...config };
    }),
  ];
  return tools.length > 0 ? tools : undefined;
}

function choiceOf({ template, parameters }: KwargsInput): unknown {
  const choice = toolChoiceOf(template);
  const single = parameters['parallel_tool_calls'] === false;
  if (choice === undefined && !single) return undefined;
  const chosen =
    choice?.kind === 'function'
      ? { type: 'tool', name: choice.name }
      : { type: choice?.kind ?? 'auto' };
  return { ...chosen, ...(single && { disable_parallel_tool_use: true }) };
}

/** Reasoning is asked for in tokens here. */
function thinkingOf({ thinking }: Mapping): unknown {
  return isMapping(thinking) ? thinking : undefined;
}

const asList = (value: unknown): unknown => (typeof value === 'string' ? [value] : value);

/** Anthropic's Messages API, at Anthropic, Bedrock or Vertex. */
function messagesRequest(input: KwargsInput): Mapping {
  const { template, model, parameters } = input;
  const messages = messagesOf(template);
  const system = messages.filter(isSystem).flatMap(({ content }) => blocksOf(content));
  const [only] = system;
  const tools = toolsOf(input);
  const format = answerFormatOf(input);
  const { stop, output_config: output } = parameters;
  const rest = without(
    parameters,
    'response_format',
    'parallel_tool_calls',
    'stop',
    'thinking',
    'output_config',
  );
  return defined({
    model,
    ...renamed(rest, {}),
    stop_sequences: asList(stop),
    thinking: thinkingOf(parameters),
    output_config:
      format?.schema === undefined
        ? output
        : {
            ...(isMapping(output) && output),
            format: { type: 'json_schema', schema: format.schema },
          },
    system: system.length === 0 ? undefined : system.length === 1 ? only?.['text'] : system,
    messages: conversation(messages.filter((message) => !isSystem(message))),
    tools,
    tool_choice: tools === undefined ? undefined : choiceOf(input),
  });
}

/** The older completions of Anthropic. */
function completionRequest({ template, model, parameters }: KwargsInput): Mapping {
  const { stop } = parameters;
  return defined({
    model,
    prompt: joinedText(template['content']),
    ...renamed(without(parameters, 'stop', 'response_format'), {
      max_tokens: 'max_tokens_to_sample',
    }),
    stop_sequences: asList(stop),
  });
}

/** The arguments of a call of Claude, at Anthropic, Bedrock or Vertex. */
export const anthropic = (input: KwargsInput): Mapping =>
  input.template.type === 'completion' ? completionRequest(input) : messagesRequest(input);
