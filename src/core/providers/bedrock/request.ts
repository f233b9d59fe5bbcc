import type { Mapping } from '../../mapping.ts';
import { defined, isMapping, textOf, without } from '../../mapping.ts';
import type { KwargsInput, Media, Message } from '../template-parts.ts';
import {
  answerFormatOf,
  argumentsOf,
  functionToolsOf,
  joinedText,
  mediaOf,
  messagesOf,
  toolChoiceOf,
} from '../template-parts.ts';
import { ownValue } from '../../../api/own-value.ts';

const formats: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/plain': 'txt',
  'text/markdown': 'md',
};

const formatOf = ({ mimeType }: Media): string =>
  ownValue(formats, mimeType) ?? mimeType.slice(mimeType.indexOf('/') + 1);

/** Names of documents hold letters, digits, blanks, hyphens and brackets only. */
const documentName = (title: string): string =>
  title.replaceAll(/[^A-Za-z0-9\s\-()[\]]+/g, ' ').trim() || 'document';

function fileBlock(media: Media): Mapping {
  const source =
    media.data === undefined ? { s3Location: { uri: media.url } } : { bytes: media.data };
  const format = formatOf(media);
  const [kind] = media.mimeType.split('/');
  if (kind === 'image') return { image: { format, source } };
  if (kind === 'video') return { video: { format, source } };
  return { document: { format, name: documentName(media.title), source } };
}

function blocksOf(content: readonly Mapping[]): Mapping[] {
  return content.flatMap((part) => {
    if (part['type'] === 'text') {
      return textOf(part['text']) === '' ? [] : [{ text: part['text'] }];
    }
    if (part['type'] === 'thinking') {
      const signature = textOf(part['signature']);
      return signature === ''
        ? []
        : [
            {
              reasoningContent: {
                reasoningText: { text: textOf(part['thinking']), signature },
              },
            },
          ];
    }
    const media = mediaOf(part);
    return media === undefined ? [] : [fileBlock(media)];
  });
}

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';

/** The roles must take turns, so neighbours of one role become one message. */
function conversation(messages: readonly Message[]): Mapping[] {
  const result: { role: string; content: Mapping[] }[] = [];
  for (const message of messages) {
    const isTool = message.role === 'tool' || message.role === 'function';
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = isTool
      ? [
          {
            toolResult: {
              toolUseId: message.toolCallId || (message.name ?? ''),
              content: blocksOf(message.content),
            },
          },
        ]
      : [
          ...blocksOf(message.content),
          ...message.toolCalls.map((call) => ({
            toolUse: { toolUseId: call.id, name: call.name, input: argumentsOf(call) },
          })),
        ];
    const last = result.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) result.push({ role, content });
  }
  return result;
}

function toolConfig({ template }: KwargsInput): unknown {
  const tools = functionToolsOf(template).map(({ name, description, parameters }) => ({
    toolSpec: defined({
      name,
      description: description || undefined,
      inputSchema: { json: parameters },
    }),
  }));
  if (tools.length === 0) return undefined;
  const choice = toolChoiceOf(template);
  // There is no word for "none" here.
  const toolChoice =
    choice === undefined || choice.kind === 'none'
      ? undefined
      : choice.kind === 'function'
        ? { tool: { name: choice.name } }
        : { [choice.kind]: {} };
  return defined({ tools, toolChoice });
}

const inferenceNames: Readonly<Record<string, string>> = {
  max_tokens: 'maxTokens',
  temperature: 'temperature',
  top_p: 'topP',
};

/** Fields that the call itself has; what is left belongs to the model. */
const ownFields = [
  'guardrailConfig',
  'performanceConfig',
  'additionalModelResponseFieldPaths',
  'promptVariables',
  'requestMetadata',
];

const asList = (value: unknown): unknown => (typeof value === 'string' ? [value] : value);

function modelFields(parameters: Mapping): unknown {
  const {
    stop: _,
    response_format: _format,
    inferenceConfig: _inference,
    additionalModelRequestFields: given,
    ...rest
  } = parameters;
  const others = without(rest, ...Object.keys(inferenceNames), ...ownFields);
  const fields = { ...(isMapping(given) && given), ...others };
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** Amazon's Converse API. */
export function bedrockConverse(input: KwargsInput): Mapping {
  const { template, model, parameters } = input;
  const messages: readonly Message[] = template.type === 'completion' ? [] : messagesOf(template);
  const system = messages.filter(isSystem).flatMap(({ content }) => blocksOf(content));
  const { inferenceConfig: given, stop } = parameters;
  const inference = defined({
    ...(isMapping(given) && given),
    ...Object.fromEntries(
      Object.entries(inferenceNames).map(([name, theirs]) => [theirs, parameters[name]]),
    ),
    stopSequences: asList(stop),
  });
  const format = answerFormatOf(input);
  return defined({
    modelId: model,
    messages:
      template.type === 'completion'
        ? [{ role: 'user', content: [{ text: joinedText(template['content']) }] }]
        : conversation(messages.filter((message) => !isSystem(message))),
    system: system.length > 0 ? system : undefined,
    inferenceConfig: Object.keys(inference).length > 0 ? inference : undefined,
    toolConfig: toolConfig(input),
    outputConfig:
      format?.schema === undefined
        ? undefined
        : {
            textFormat: {
              type: 'json_schema',
              structure: {
                jsonSchema: { name: format.name, schema: JSON.stringify(format.schema) },
              },
            },
          },
    ...Object.fromEntries(ownFields.map((name) => [name, parameters[name]])),
    additionalModelRequestFields: modelFields(parameters),
  });
}
