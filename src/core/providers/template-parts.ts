import type { PromptTemplate } from '../../api/template.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping, mappings, textOf } from '../mapping.ts';
import { ownValue } from '../../api/own-value.ts';
import { givenTo } from './tool-arguments.ts';

/** What the arguments of a call are made of: a template, rendered or not, and its model. */
export interface KwargsInput {
  readonly template: PromptTemplate;
  readonly model: string;
  readonly apiType: string | undefined;
  /** By the names that `settleParameters` gives them. */
  readonly parameters: Mapping;
}

/** All texts of a content, joined. */
export const joinedText = (content: unknown): string =>
  mappings(content)
    .map((part) => (part['type'] === 'text' ? textOf(part['text']) : ''))
    .join('');

export interface Message {
  readonly role: string;
  readonly content: readonly Mapping[];
  readonly name: string | undefined;
  readonly toolCallId: string;
  readonly toolCalls: readonly ToolCall[];
  readonly functionCall: Mapping | undefined;
}

export interface ToolCall {
  readonly id: string;
  readonly itemId: string | undefined;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  readonly metadata: Mapping;
}

function toolCallOf(call: Mapping): ToolCall {
  const made = isMapping(call['function']) ? call['function'] : {};
  return {
    id: textOf(call['id']),
    itemId: textOf(call['tool_id']) || undefined,
    name: textOf(made['name']),
    arguments: givenTo(made) ?? '',
    metadata: isMapping(call['provider_metadata']) ? call['provider_metadata'] : {},
  };
}

/** Placeholders that nothing has filled are left out. */
export function messagesOf(template: PromptTemplate): Message[] {
  return mappings((template as Mapping)['messages'])
    .filter(({ role }) => role !== 'placeholder')
    .map((message) => ({
      role: textOf(message['role']),
      content: mappings(message['content']),
      name: textOf(message['name']) || undefined,
      toolCallId: textOf(message['tool_call_id']),
      toolCalls: mappings(message['tool_calls']).map(toolCallOf),
      functionCall: isMapping(message['function_call']) ? message['function_call'] : undefined,
    }));
}

/** APIs that know conversations only are asked with one message. */
export function asChat(input: KwargsInput): KwargsInput {
  const { template } = input;
  if (template.type !== 'completion') return input;
  return {
    ...input,
    template: { type: 'chat', messages: [{ role: 'user', content: template['content'] }] },
  };
}

/** The arguments of a tool call as an object; text that is no JSON object is kept in one. */
export function argumentsOf({ arguments: text }: Pick<ToolCall, 'arguments'>): Mapping {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isMapping(parsed) ? parsed : { value: parsed };
  } catch {
    // A model may have written half an object; the provider must still get what it wrote.
    return { value: text };
  }
}

/** A file: where it is, or what is in it. */
export interface Media {
  readonly mimeType: string;
  /** Undefined when the data is here. */
  readonly url: string | undefined;
  /** Base64. */
  readonly data: string | undefined;
  readonly title: string;
  readonly detail: unknown;
}

function mediaAt(url: string, mimeType: string, title: string, detail?: unknown): Media {
  const [, type, data] = /^data:([^;,]*)(?:;[^,]*)?,(.*)$/s.exec(url) ?? [];
  if (data === undefined) return { mimeType, url, data: undefined, title, detail };
  return { mimeType: type || mimeType, url: undefined, data, title, detail };
}

/** The file of a part of type image_url, media or output_media. */
export function mediaOf(part: Mapping): Media | undefined {
  if (part['type'] === 'image_url' && isMapping(part['image_url'])) {
    const { url, detail } = part['image_url'];
    return mediaAt(textOf(url), 'image/jpeg', 'image', detail);
  }
  if (part['type'] === 'media' && isMapping(part['media'])) {
    const { url, type, title, format } = part['media'];
    const mimeType = textOf(type) || 'image/jpeg';
    const name = textOf(title) || 'media';
    const text = textOf(url);
    if (text === '') return undefined;
    if (format === 'base64' && !text.startsWith('data:')) {
      return { mimeType, url: undefined, data: text, title: name, detail: undefined };
    }
    return mediaAt(text, mimeType, name);
  }
  if (part['type'] === 'output_media') {
    const mimeType = textOf(part['mime_type']) || 'image/png';
    const text = textOf(part['url']);
    const isUrl = /^(?:https?|gs|data):/.test(text);
    if (!isUrl) return { mimeType, url: undefined, data: text, title: 'media', detail: undefined };
    return mediaAt(text, mimeType, 'media');
  }
  return undefined;
}

export const urlOf = ({ url, data, mimeType }: Media): string =>
  url ?? `data:${mimeType};base64,${data ?? ''}`;

export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly strict: boolean;
}

function functionTool(made: Mapping): FunctionTool {
  return {
    name: textOf(made['name']),
    description: textOf(made['description']),
    parameters: made['parameters'] ?? { type: 'object', properties: {} },
    strict: made['strict'] === true,
  };
}

/** Functions that the model may call: tools of type function, and the older `functions`. */
export function functionToolsOf(template: PromptTemplate): FunctionTool[] {
  const tools = mappings(template['tools']).flatMap((tool) =>
    isMapping(tool['function']) ? [functionTool(tool['function'])] : [],
  );
  return [...tools, ...mappings(template['functions']).map(functionTool)];
}

export interface BuiltInTool {
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly config: Mapping;
}

const notBuiltIn = new Set(['function', 'variable', 'registry']);

/** Tools that run at the provider. */
export const builtInToolsOf = (template: PromptTemplate): BuiltInTool[] =>
  mappings(template['tools'])
    .filter((tool) => !isMapping(tool['function']) && !notBuiltIn.has(textOf(tool['type'])))
    .map((tool) => ({
      type: textOf(tool['type']),
      name: textOf(tool['name']),
      provider: textOf(tool['provider']),
      config: isMapping(tool['config']) ? tool['config'] : {},
    }));

export type ToolChoice =
  { readonly kind: 'auto' | 'none' | 'any' } | { readonly kind: 'function'; readonly name: string };

export function toolChoiceOf(template: PromptTemplate): ToolChoice | undefined {
  const choice = template['tool_choice'] ?? template['function_call'];
  if (choice === undefined || choice === null) return undefined;
  if (isMapping(choice)) {
    const made = isMapping(choice['function']) ? choice['function'] : choice;
    const name = textOf(made['name']);
    return name === '' ? undefined : { kind: 'function', name };
  }
  if (choice === 'auto' || choice === 'none') return { kind: choice };
  if (choice === 'required' || choice === 'any') return { kind: 'any' };
  return typeof choice === 'string' && choice !== ''
    ? { kind: 'function', name: choice }
    : undefined;
}

/** The JSON schema that an answer must fit. */
export interface AnswerFormat {
  readonly name: string;
  /** Undefined: any JSON object. */
  readonly schema: unknown;
  readonly strict: boolean;
}

export function answerFormatOf({
  parameters,
}: Pick<KwargsInput, 'parameters'>): AnswerFormat | undefined {
  const format = parameters['response_format'];
  if (!isMapping(format)) return undefined;
  if (format['type'] === 'json_object') {
    return { name: 'answer', schema: format['schema'], strict: false };
  }
  if (format['type'] !== 'json_schema') return undefined;
  const inner = isMapping(format['json_schema']) ? format['json_schema'] : format;
  return {
    name: textOf(inner['name']) || 'answer',
    schema: inner['schema'],
    strict: inner['strict'] === true,
  };
}

/** The parameters that have another name in an API, and all others as they are. */
export function renamed(
  parameters: Mapping,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) result[ownValue(names, name) ?? name] = value;
  }
  return result;
}
