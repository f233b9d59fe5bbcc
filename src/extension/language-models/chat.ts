import type { Mapping } from '../../core/mapping.ts';
import { isMapping, listOf, textOf } from '../../core/mapping.ts';

/** A part of a message, in the words of VS Code's language model API. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mime: string; readonly bytes: Uint8Array }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly kind: 'result'; readonly id: string; readonly text: string };

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly Part[];
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object;
}

export interface Chat {
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly isToolRequired: boolean;
  /** Parameters of the model; whether they count is up to it. */
  readonly options: Mapping;
}

/** What can't be sent to a model of VS Code. */
export class UnsentPart extends Error {
  readonly kind: 'image-address' | 'content' | 'arguments' | 'tool';
  /** What it is called in the request. */
  readonly what: string;
  constructor(kind: UnsentPart['kind'], what: string, cause?: unknown) {
    super(`${kind}: ${what}`, { cause });
    this.kind = kind;
    this.what = what;
  }
}

function imageOf(url: string): Part {
  const [, mime, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  // Fetching what a prompt names would send a request that nobody has asked for.
  if (mime === undefined || data === undefined) throw new UnsentPart('image-address', url);
  return { kind: 'image', mime, bytes: Buffer.from(data, 'base64') };
}

function partOf(part: unknown): Part {
  if (!isMapping(part)) return { kind: 'text', text: textOf(part) };
  const { type, text, refusal, image_url: image } = part;
  if (typeof text === 'string') return { kind: 'text', text };
  if (typeof refusal === 'string') return { kind: 'text', text: refusal };
  if (type === 'image_url') return imageOf(textOf(isMapping(image) ? image['url'] : image));
  throw new UnsentPart('content', textOf(type));
}

const partsOf = (content: unknown): readonly Part[] =>
  typeof content === 'string'
    ? [{ kind: 'text', text: content }]
    : listOf(content).map((part) => partOf(part));

function callOf(call: unknown): Part {
  const { id, function: called } = isMapping(call) ? call : {};
  const { name, arguments: given } = isMapping(called) ? called : {};
  return { kind: 'call', id: textOf(id), name: textOf(name), input: inputOf(name, given) };
}

function inputOf(name: unknown, given: unknown): object {
  if (isMapping(given)) return given;
  if (textOf(given).trim() === '') return {};
  let parsed: unknown;
  let cause: unknown;
  try {
    parsed = JSON.parse(textOf(given));
  } catch (error) {
    cause = error;
  }
  if (isMapping(parsed)) return parsed;
  throw new UnsentPart('arguments', textOf(name), cause);
}

const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map((part) => (isMapping(part) ? textOf(part['text']) : textOf(part)))
        .join('');

/** There is no role for what the system says: it comes as what the user says, in its place. */
function turnOf(message: unknown): Turn {
  const { role, content, tool_calls: calls, tool_call_id: id } = isMapping(message) ? message : {};
  if (role === 'tool' || role === 'function') {
    return {
      role: 'user',
      parts: [{ kind: 'result', id: textOf(id), text: contentText(content) }],
    };
  }
  const parts = [...partsOf(content), ...listOf(calls).map(callOf)];
  return { role: role === 'assistant' ? 'assistant' : 'user', parts };
}

function toolOf(tool: unknown): Tool {
  const { type, function: declared } = isMapping(tool) ? tool : {};
  // Tools that a provider runs itself: a model of VS Code has none.
  if (!isMapping(declared) || textOf(declared['name']) === '') {
    throw new UnsentPart('tool', textOf(type));
  }
  const { name, description, parameters } = declared;
  return {
    name: textOf(name),
    description: textOf(description),
    ...(isMapping(parameters) && { inputSchema: parameters }),
  };
}

/** The tools that the model may use, and whether it must. */
function toolsOf(body: Mapping): Pick<Chat, 'tools' | 'isToolRequired'> {
  const { tools: given, tool_choice: choice } = body;
  if (choice === 'none') return { tools: [], isToolRequired: false };
  const tools = listOf(given).map(toolOf);
  const named = isMapping(choice) && isMapping(choice['function']) ? choice['function'] : undefined;
  return named === undefined
    ? { tools, isToolRequired: choice === 'required' }
    : { tools: tools.filter(({ name }) => name === named['name']), isToolRequired: true };
}

/** The body of OpenAI's chat API in the words of VS Code. Errors: UnsentPart. */
export function chatOf(body: Mapping): Chat {
  const { model: _model, messages, tools: _tools, tool_choice: _choice, ...rest } = body;
  const { stream: _stream, stream_options: _streamOptions, ...options } = rest;
  return {
    turns: listOf(messages)
      .map(turnOf)
      .filter(({ parts }) => parts.length > 0),
    ...toolsOf(body),
    options,
  };
}
