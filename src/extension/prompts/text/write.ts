import type { Mapping } from '../../../core/mapping.ts';
import { isMapping } from '../../../core/mapping.ts';
import { variablesOf } from '../../../core/templates/template-variables.ts';
import { escapeText, isPlain } from './blocks.ts';
import type { PromptDraft } from './draft.ts';
import { listOf, namesIn } from './draft.ts';
import type { Front } from './front-matter.ts';
import { writeFront } from './front-matter.ts';
import { jsonBody, jsonLine } from './json-body.ts';

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][\w-]*$/.test(value);
/** Words of headers that mean something of their own. */
const ownWords: readonly unknown[] = ['json', 'text', 'tool_calls'];

const head = (mark: '===' | '---', word: string, fields: Mapping): string =>
  Object.keys(fields).length === 0 ? `${mark} ${word}` : `${mark} ${word} ${jsonLine(fields)}`;

function partBlock(part: unknown): readonly string[] {
  if (isMapping(part)) {
    const { type, text, ...fields } = part;
    if (type === 'text' && typeof text === 'string' && isPlain(text)) {
      return [head('---', 'text', fields), ...(text === '' ? [] : [escapeText(text)])];
    }
    if (isWord(type) && !ownWords.includes(type)) {
      const { type: _, ...rest } = part;
      return [head('---', type, {}), jsonBody(rest)];
    }
  }
  return ['--- json', jsonBody(part)];
}

/** A text that may stand right below its header. */
function bareText(part: unknown): string | undefined {
  if (!isMapping(part) || Object.keys(part).length !== 2 || part['type'] !== 'text') {
    return undefined;
  }
  const { text } = part;
  return typeof text === 'string' && text !== '' && isPlain(text) ? text : undefined;
}

function contentBlocks(content: readonly unknown[]): readonly (readonly string[])[] {
  const bare = bareText(content[0]);
  const rest = bare === undefined ? content : content.slice(1);
  return [bare === undefined ? [] : [escapeText(bare)], ...rest.map(partBlock)];
}

/** A message or completion as blocks; the first is opened by `word`. */
function holderBlocks(
  word: string,
  { content, tool_calls: calls, ...fields }: Mapping,
): readonly (readonly string[])[] {
  const isParts = Array.isArray(content) && content.length > 0;
  const isCalls = Array.isArray(calls) && calls.length > 0;
  const all = {
    ...fields,
    ...(!isParts && content !== undefined && { content }),
    ...(!isCalls && calls !== undefined && { tool_calls: calls }),
  };
  const [first = [], ...rest] = isParts ? contentBlocks(content) : [];
  return [
    [head('===', word, all), ...first],
    ...rest,
    ...(isCalls ? [['--- tool_calls', jsonBody(calls)]] : []),
  ];
}

function messageBlocks(message: unknown, format: string): readonly (readonly string[])[] {
  if (!isMapping(message)) return [['=== json', jsonBody(message)]];
  const { role, template_format: own, input_variables: given, ...rest } = message;
  if (!isWord(role) || role === 'json') return [['=== json', jsonBody(message)]];
  const found = variablesOf(message);
  const isSame =
    namesIn(given).length === found.length && found.every((name) => namesIn(given).includes(name));
  return holderBlocks(role, {
    ...rest,
    ...(own !== format && { template_format: own }),
    ...(!isSame && { input_variables: given }),
  });
}

/** The format that most messages have. */
function usualFormat(messages: readonly unknown[]): string {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const format = isMapping(message) ? message['template_format'] : undefined;
    if (typeof format === 'string') counts.set(format, (counts.get(format) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? 'f-string';
}

const isChoice = (value: unknown): boolean => typeof value === 'string' || isMapping(value);

/** Fields of the template that have a key of their own, when their value fits there. */
const places = {
  tools: Array.isArray,
  tool_choice: isChoice,
  functions: Array.isArray,
  function_call: isChoice,
} as const;

function splitModel(metadata: Mapping): Pick<Front, 'model' | 'response_format' | 'metadata'> {
  const { model, ...rest } = metadata;
  const others = isMapping(model) || model === undefined ? rest : metadata;
  const parts = Object.keys(others).length > 0 ? { metadata: others } : {};
  if (!isMapping(model)) return parts;
  const { parameters } = model;
  const format = isMapping(parameters) ? parameters['response_format'] : undefined;
  if (!isMapping(parameters) || !isMapping(format)) return { model, ...parts };
  const { response_format: _, ...kept } = parameters;
  return { model: { ...model, parameters: kept }, response_format: format, ...parts };
}

/** A prompt as a document: front matter in YAML, then the messages. `readText` is its inverse. */
export function writeText(draft: PromptDraft): string {
  const { template } = draft;
  const isCompletion = template.type === 'completion';
  const {
    type,
    messages,
    content,
    input_variables: variables,
    template_format,
    ...rest
  } = template;
  const own = Object.entries(rest).filter(
    ([name, value]) => Object.hasOwn(places, name) && places[name as keyof typeof places](value),
  );
  const more = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !own.some(([placed]) => placed === name)),
  );
  const stray = isCompletion ? messages : content;
  const unplaced: Mapping = {
    ...more,
    ...(stray !== undefined && { [isCompletion ? 'messages' : 'content']: stray }),
    ...(!isCompletion && template_format !== undefined && { template_format }),
  };
  const format = isCompletion ? String(template_format) : usualFormat(listOf(messages));
  const front: Front = {
    prompt: draft.promptName,
    ...(draft.workspace !== undefined && { workspace: draft.workspace }),
    ...(draft.version !== undefined && { version: draft.version }),
    ...(type !== 'chat' && { type }),
    template_format: format,
    ...(draft.tags.length > 0 && { tags: [...draft.tags] }),
    ...splitModel(draft.metadata),
    input_variables: [...namesIn(variables)],
    ...Object.fromEntries(own),
    ...(Object.keys(unplaced).length > 0 && { more: unplaced }),
  };
  const blocks = isCompletion
    ? holderBlocks('completion', content === undefined ? {} : { content })
    : listOf(messages).flatMap((message) => messageBlocks(message, format));
  return textOfBlocks([['---', writeFront(inOrder(front)), '---'], ...blocks]);
}

const textOfBlocks = (blocks: readonly (readonly string[])[]): string =>
  blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');

/** Messages alone, as they stand in a document of that format. */
export const messagesText = (messages: readonly unknown[], format: string): string =>
  textOfBlocks(messages.flatMap((message) => messageBlocks(message, format)));

/** What a reader wants to know first. */
function inOrder(front: Front): Front {
  const { prompt, workspace, version, type, template_format, tags, input_variables, ...rest } =
    front;
  const first = { prompt, workspace, version, type, template_format, tags, input_variables };
  return Object.fromEntries(
    Object.entries({ ...first, ...rest }).filter(([, value]) => value !== undefined),
  ) as Front;
}
