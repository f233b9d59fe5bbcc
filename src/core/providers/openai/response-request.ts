import type { Mapping } from '../../mapping.ts';
import { defined, isMapping, textOf, without } from '../../mapping.ts';
import type { KwargsInput, Media, Message } from '../template-parts.ts';
import {
  answerFormatOf,
  builtInToolsOf,
  functionToolsOf,
  joinedText,
  mediaOf,
  messagesOf,
  renamed,
  toolChoiceOf,
  urlOf,
} from '../template-parts.ts';

function filePart(media: Media): Mapping {
  if (media.mimeType.startsWith('image/')) {
    return { type: 'input_image', image_url: urlOf(media), detail: media.detail ?? 'auto' };
  }
  if (media.url !== undefined) return { type: 'input_file', file_url: media.url };
  return { type: 'input_file', filename: media.title, file_data: urlOf(media) };
}

const inputParts = (content: readonly Mapping[]): Mapping[] =>
  content.flatMap((part) => {
    if (part['type'] === 'text') return [{ type: 'input_text', text: textOf(part['text']) }];
    const media = mediaOf(part);
    return media === undefined ? [] : [filePart(media)];
  });

/** What the model thought can be given back only under the id that it had. */
const reasoningItems = (content: readonly Mapping[]): Mapping[] =>
  content.flatMap((part) =>
    part['type'] === 'thinking' && textOf(part['id']) !== ''
      ? [
          defined({
            type: 'reasoning',
            id: part['id'],
            summary: [{ type: 'summary_text', text: textOf(part['thinking']) }],
            encrypted_content: textOf(part['signature']) || undefined,
          }),
        ]
      : [],
  );

/** Calls that ran at the provider stand in the input as the items that they were. */
const serverItems = new Set([
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
]);

function itemsOf(message: Message): Mapping[] {
  const { role, content } = message;
  const items = content.filter((part) => serverItems.has(textOf(part['type'])));
  if (role === 'tool') {
    return [
      {
        type: 'function_call_output',
        call_id: message.toolCallId,
        output: joinedText(content),
      },
    ];
  }
  if (role !== 'assistant') {
    const known = role === 'system' || role === 'developer' ? role : 'user';
    return [...items, { role: known, content: inputParts(content) }];
  }
  const texts = content.filter((part) => part['type'] === 'text' && textOf(part['text']) !== '');
  return [
    ...reasoningItems(content),
    ...items,
    ...(texts.length === 0
      ? []
      : [
          {
            role,
            content: texts.map((part) => ({ type: 'output_text', text: textOf(part['text']) })),
          },
        ]),
    ...message.toolCalls.map((call) =>
      defined({
        type: 'function_call',
        id: call.itemId,
        call_id: call.id,
        name: call.name,
        arguments: call.arguments,
      }),
    ),
  ];
}

function toolsOf({ template }: KwargsInput): Mapping[] | undefined {
  const tools = [
    ...functionToolsOf(template).map(({ name, description, parameters, strict }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict,
    })),
    ...builtInToolsOf(template).map(({ type, config }) => ({ type, ...config })),
  ];
  return tools.length > 0 ? tools : undefined;
}

function choiceOf({ template }: KwargsInput): unknown {
  const choice = toolChoiceOf(template);
  if (choice === undefined) return undefined;
  if (choice.kind === 'function') return { type: 'function', name: choice.name };
  return choice.kind === 'any' ? 'required' : choice.kind;
}

function textSettings(input: KwargsInput): unknown {
  const given = input.parameters['text'];
  const format = answerFormatOf(input);
  if (format === undefined) return given;
  const { name, schema, strict } = format;
  return {
    ...(isMapping(given) && given),
    format:
      schema === undefined
        ? { type: 'json_object' }
        : { type: 'json_schema', name, schema, strict },
  };
}

/** OpenAI's Responses API. */
export function openAiResponses(input: KwargsInput): Mapping {
  const { template, model, parameters } = input;
  const { reasoning_effort: effort, reasoning } = parameters;
  const tools = toolsOf(input);
  const rest = without(
    parameters,
    'reasoning_effort',
    'reasoning',
    'response_format',
    'text',
    'stop',
  );
  return defined({
    model,
    input:
      template.type === 'completion'
        ? joinedText(template['content'])
        : messagesOf(template).flatMap(itemsOf),
    ...renamed(rest, { max_tokens: 'max_output_tokens' }),
    reasoning:
      effort === undefined ? reasoning : { ...(isMapping(reasoning) && reasoning), effort },
    text: textSettings(input),
    tools,
    tool_choice: tools === undefined ? undefined : choiceOf(input),
  });
}
