import type { Mapping } from '../../mapping.ts';
import { defined, mappings, textOf } from '../../mapping.ts';
import type { KwargsInput, Media, Message } from '../template-parts.ts';
import {
  builtInToolsOf,
  functionToolsOf,
  joinedText,
  mediaOf,
  messagesOf,
  renamed,
  toolChoiceOf,
  urlOf,
} from '../template-parts.ts';
import { ownValue } from '../../../api/own-value.ts';

/** What the servers that speak this language differ in. */
export interface ChatDialect {
  /** `developer` is a role of OpenAI only. */
  readonly hasDeveloper: boolean;
  /** The word for "some tool, whichever". */
  readonly anyTool: 'required' | 'any';
  readonly names: (model: string) => Readonly<Record<string, string>>;
}

/** Models that reason refuse `max_tokens`. */
const isReasoning = (model: string): boolean => /^(?:o\d|gpt-(?:[5-9]|\d\d))/.test(model);

export const openAiDialect: ChatDialect = {
  hasDeveloper: true,
  anyTool: 'required',
  names: (model) => (isReasoning(model) ? { max_tokens: 'max_completion_tokens' } : {}),
};
export const compatibleDialect: ChatDialect = {
  hasDeveloper: false,
  anyTool: 'required',
  names: () => ({}),
};

const audioFormats: Readonly<Record<string, string>> = { 'audio/mpeg': 'mp3', 'audio/mp3': 'mp3' };

function filePart(media: Media): Mapping {
  if (media.mimeType.startsWith('audio/') && media.data !== undefined) {
    const format = ownValue(audioFormats, media.mimeType) ?? media.mimeType.slice('audio/'.length);
    return { type: 'input_audio', input_audio: { data: media.data, format } };
  }
  if (media.mimeType.startsWith('image/')) {
    const { detail } = media;
    return {
      type: 'image_url',
      image_url: defined({ url: urlOf(media), detail: detail ?? undefined }),
    };
  }
  return { type: 'file', file: { filename: media.title, file_data: urlOf(media) } };
}

function contentParts(content: readonly Mapping[]): Mapping[] {
  return content.flatMap((part) => {
    if (part['type'] === 'text') return [{ type: 'text', text: textOf(part['text']) }];
    const media = mediaOf(part);
    return media === undefined ? [] : [filePart(media)];
  });
}

/** One text stands there as it is: every server takes that, not every one takes a list. */
function contentOf(content: readonly Mapping[]): unknown {
  const parts = contentParts(content);
  const [only] = parts;
  return parts.length === 1 && only?.['type'] === 'text' ? only['text'] : parts;
}

function messageOf(message: Message, dialect: ChatDialect): Mapping {
  const { role, name, toolCalls, functionCall } = message;
  switch (role) {
    case 'assistant': {
      const calls = toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      }));
      const hasContent = contentParts(message.content).length > 0;
      return defined({
        role,
        content: hasContent ? contentOf(message.content) : calls.length > 0 ? null : '',
        name,
        tool_calls: calls.length > 0 ? calls : undefined,
        function_call: functionCall,
      });
    }
    case 'tool':
      return { role, tool_call_id: message.toolCallId, content: contentOf(message.content) };
    case 'function':
      return { role, name, content: joinedText(message.content) };
    case 'developer':
      return defined({
        role: dialect.hasDeveloper ? role : 'system',
        content: contentOf(message.content),
        name,
      });
    default:
      return defined({ role, content: contentOf(message.content), name });
  }
}

function toolsOf({ template }: KwargsInput): Mapping[] | undefined {
  const functions = mappings(template['tools']).length > 0 ? functionToolsOf(template) : [];
  const tools = functions.map(({ name, description, parameters, strict }) => ({
    type: 'function',
    function: defined({ name, description, parameters, strict: strict || undefined }),
  }));
  return tools.length > 0 ? tools : undefined;
}

function choiceOf({ template }: KwargsInput, { anyTool }: ChatDialect): unknown {
  const choice = toolChoiceOf(template);
  if (choice === undefined) return undefined;
  if (choice.kind === 'function') return { type: 'function', function: { name: choice.name } };
  return choice.kind === 'any' ? anyTool : choice.kind;
}

/** Chat Completions: OpenAI, Azure, and the many that speak their language. */
export function openAiChat(input: KwargsInput, dialect: ChatDialect): Mapping {
  const { template, model, parameters } = input;
  const tools = toolsOf(input);
  const isOld = tools === undefined && mappings(template['functions']).length > 0;
  return defined({
    model,
    messages: messagesOf(template).map((message) => messageOf(message, dialect)),
    ...renamed(parameters, dialect.names(model)),
    tools,
    tool_choice: tools === undefined ? undefined : choiceOf(input, dialect),
    functions: isOld ? template['functions'] : undefined,
    function_call: isOld ? (template['function_call'] ?? undefined) : undefined,
  });
}

/** The older completions: one text in, one text out. */
export const openAiCompletion = ({ template, model, parameters }: KwargsInput): Mapping => ({
  model,
  prompt: joinedText(template['content']),
  ...renamed(parameters, {}),
});

/** Images, and whatever else is made from one text. */
export const fromText = (
  { template, model, parameters }: KwargsInput,
  field: 'prompt' | 'input' = 'prompt',
): Mapping => {
  const text =
    template.type === 'completion'
      ? joinedText(template['content'])
      : messagesOf(template)
          .map(({ content }) => joinedText(content))
          .filter((one) => one !== '')
          .join('\n\n');
  const [tool] = builtInToolsOf(template);
  return { model, [field]: text, ...tool?.config, ...renamed(parameters, {}) };
};
