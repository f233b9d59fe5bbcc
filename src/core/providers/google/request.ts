import type { Mapping } from '../../mapping.ts';
import { defined, isMapping, textOf, without } from '../../mapping.ts';
import type { KwargsInput, Message } from '../template-parts.ts';
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

function partsOf(content: readonly Mapping[]): Mapping[] {
  return content.flatMap((part) => {
    const signature = textOf(part['thought_signature']) || undefined;
    switch (part['type']) {
      case 'text':
        return textOf(part['text']) === ''
          ? []
          : [defined({ text: part['text'], thought_signature: signature })];
      case 'thinking':
        return [
          defined({
            text: textOf(part['thinking']),
            thought: true,
            thought_signature: textOf(part['signature']) || undefined,
          }),
        ];
      case 'code':
        return [
          {
            executable_code: {
              code: textOf(part['code']),
              language: textOf(part['language']).toUpperCase() || 'PYTHON',
            },
          },
        ];
      case 'code_execution_result':
        return [
          {
            code_execution_result: {
              outcome: textOf(part['outcome']) || 'OUTCOME_OK',
              output: textOf(part['output']),
            },
          },
        ];
      default: {
        const media = mediaOf(part);
        if (media === undefined) return [];
        const mime_type = media.mimeType;
        return [
          media.data === undefined
            ? { file_data: { file_uri: media.url, mime_type } }
            : { inline_data: { mime_type, data: media.data } },
        ];
      }
    }
  });
}

/** What a function answered: an object, whatever the text of the message is. */
function responseOf(text: string): Mapping {
  try {
    const parsed: unknown = JSON.parse(text);
    return isMapping(parsed) ? parsed : { result: parsed };
  } catch {
    // Any text is an answer.
    return { result: text };
  }
}

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';

function historyOf(messages: readonly Message[]): Mapping[] {
  const names = new Map(
    messages.flatMap(({ toolCalls }) => toolCalls.map(({ id, name }) => [id, name] as const)),
  );
  const result: { role: string; parts: Mapping[] }[] = [];
  let wasTool = false;
  for (const message of messages) {
    const isTool = message.role === 'tool' || message.role === 'function';
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = isTool
      ? [
          {
            function_response: {
              name: names.get(message.toolCallId) ?? message.name ?? message.toolCallId,
              response: responseOf(joinedText(message.content)),
            },
          },
        ]
      : [
          ...partsOf(message.content),
          ...message.toolCalls.map((call) =>
            defined({
              function_call: { name: call.name, args: argumentsOf(call) },
              thought_signature: textOf(call.metadata['thought_signature']) || undefined,
            }),
          ),
        ];
    const last = result.at(-1);
    if (isTool && wasTool && last !== undefined) last.parts.push(...parts);
    else if (parts.length > 0) result.push({ role, parts });
    wasTool = isTool;
  }
  return result;
}

const toolNames: Readonly<Record<string, string>> = {
  web_search: 'google_search',
  code_interpreter: 'code_execution',
  google_maps: 'google_maps',
  url_context: 'url_context',
  file_search: 'file_search',
};

function toolsOf({ template }: KwargsInput): Mapping[] | undefined {
  const functions = functionToolsOf(template).map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  const tools = [
    ...(functions.length > 0 ? [{ function_declarations: functions }] : []),
    ...builtInToolsOf(template).map(({ type, config }) => ({
      [ownValue(toolNames, type) ?? type]: config,
    })),
  ];
  return tools.length > 0 ? tools : undefined;
}

function toolConfig({ template }: KwargsInput): unknown {
  const choice = toolChoiceOf(template);
  if (choice === undefined) return undefined;
  return {
    function_calling_config:
      choice.kind === 'function'
        ? { mode: 'ANY', allowed_function_names: [choice.name] }
        : { mode: choice.kind.toUpperCase() },
  };
}

const asList = (value: unknown): unknown => (typeof value === 'string' ? [value] : value);

function configOf(input: KwargsInput): Record<string, unknown> {
  const { parameters } = input;
  const format = answerFormatOf(input);
  const { stop, tool_config: given } = parameters;
  const rest = without(parameters, 'response_format', 'stop', 'tool_config');
  const tools = toolsOf(input);
  return defined({
    ...renamed(rest, { max_tokens: 'max_output_tokens', n: 'candidate_count' }),
    stop_sequences: asList(stop),
    response_mime_type: format === undefined ? rest['response_mime_type'] : 'application/json',
    response_json_schema: format?.schema ?? rest['response_json_schema'],
    tools,
    tool_config: tools === undefined ? given : (toolConfig(input) ?? given),
  });
}

/** Gemini, at Google or Vertex. Names are in snake_case; clients turn them into their own. */
export function google(input: KwargsInput): Mapping {
  const { template, model } = input;
  if (template.type === 'completion') {
    const contents = [{ role: 'user', parts: [{ text: joinedText(template['content']) }] }];
    return { model, contents, generation_config: configOf(input) };
  }
  const messages = messagesOf(template);
  const system = messages.filter(isSystem).flatMap(({ content }) => partsOf(content));
  return {
    model,
    history: historyOf(messages.filter((message) => !isSystem(message))),
    generation_config: {
      ...(system.length > 0 && { system_instruction: { parts: system } }),
      ...configOf(input),
    },
  };
}
