import type { PromptTemplate } from '../../api/template.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping, mappings, textOf } from '../../core/mapping.ts';

type Part = Mapping;

const text = (value: string): Part => ({ type: 'text', text: value });

const dataUrl = (type: unknown, data: unknown): string =>
  `data:${textOf(type) || 'image/jpeg'};base64,${textOf(data)}`;

const image = (url: string): Part => ({ type: 'image_url', image_url: { url } });

const call = (id: unknown, name: unknown, args: unknown): Mapping => ({
  id: textOf(id),
  type: 'function',
  function: {
    name: textOf(name),
    arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
  },
});

interface Pieces {
  readonly parts: Part[];
  readonly calls: Mapping[];
  /** Answers to calls: messages of their own in a blueprint. */
  readonly results: { readonly id: string; readonly content: Part[] }[];
}

/** One part of any provider's message, in the words of the blueprint. */
function takePart(part: Mapping, pieces: Pieces): void {
  const { parts, calls, results } = pieces;
  const inline = part['inline_data'] ?? part['inlineData'];
  const called = part['function_call'] ?? part['functionCall'];
  const answered = part['function_response'] ?? part['functionResponse'];
  const type = part['type'];
  if (typeof part['text'] === 'string' && type !== 'thinking') {
    parts.push(
      part['thought'] === true ? { type: 'thinking', thinking: part['text'] } : text(part['text']),
    );
  } else if (type === 'thinking') {
    parts.push({ type, thinking: textOf(part['thinking']), signature: part['signature'] ?? null });
  } else if (type === 'image_url' && isMapping(part['image_url'])) {
    parts.push({ type, image_url: part['image_url'] });
  } else if (type === 'input_image') {
    parts.push(image(textOf(part['image_url'])));
  } else if (type === 'image' && isMapping(part['source'])) {
    const { source } = part;
    parts.push(image(textOf(source['url']) || dataUrl(source['media_type'], source['data'])));
  } else if (type === 'tool_use') calls.push(call(part['id'], part['name'], part['input']));
  else if (type === 'tool_result') {
    results.push({ id: textOf(part['tool_use_id']), content: piecesOf(part['content']).parts });
  } else if (isMapping(inline)) {
    parts.push(image(dataUrl(inline['mime_type'] ?? inline['mimeType'], inline['data'])));
  } else if (isMapping(called)) calls.push(call(called['id'], called['name'], called['args']));
  else if (isMapping(answered)) {
    results.push({
      id: textOf(answered['id']) || textOf(answered['name']),
      content: [text(JSON.stringify(answered['response'] ?? {}))],
    });
  } else if (isMapping(part['toolUse'])) {
    const { toolUse: use } = part;
    calls.push(call(use['toolUseId'], use['name'], use['input']));
  } else if (isMapping(part['toolResult'])) {
    const { toolResult: result } = part;
    results.push({ id: textOf(result['toolUseId']), content: piecesOf(result['content']).parts });
  } else if (isMapping(part['image'])) {
    const { format, source } = part['image'];
    const data = isMapping(source) ? source['bytes'] : '';
    parts.push(image(dataUrl(`image/${textOf(format)}`, data)));
  } else if (typeof type === 'string') parts.push(part);
  // Of tomorrow; marks that say nothing are no part.
  else if (!isMapping(part['cachePoint'])) parts.push(text(JSON.stringify(part)));
}

/** What stands where a text is expected, as it was written. */
const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function piecesOf(content: unknown): Pieces {
  const pieces: Pieces = { parts: [], calls: [], results: [] };
  for (const part of Array.isArray(content) ? (content as readonly unknown[]) : [content]) {
    if (isMapping(part)) takePart(part, pieces);
    else if (part !== undefined && part !== null) pieces.parts.push(text(wordsOf(part)));
  }
  return pieces;
}

const message = (role: string, content: readonly Part[], rest: Mapping = {}): Mapping => ({
  role,
  content,
  input_variables: [],
  template_format: 'f-string',
  ...rest,
});

function messagesOfItem(sent: unknown): Mapping[] {
  if (sent === undefined || sent === null) return [];
  const item: Mapping = isMapping(sent) ? sent : { role: 'user', content: sent };
  if (item['type'] === 'function_call') {
    const made = call(item['call_id'], item['name'], item['arguments']);
    return [message('assistant', [], { tool_calls: [made] })];
  }
  if (item['type'] === 'function_call_output') {
    const output = piecesOf(item['output']).parts;
    return [message('tool', output, { tool_call_id: textOf(item['call_id']) })];
  }
  const content = item['content'] ?? item['parts'];
  // Gemini takes what has no role for the user's.
  const given = textOf(item['role']) || (content === undefined || content === null ? '' : 'user');
  const role = given === 'model' ? 'assistant' : given;
  if (role === '') return [];
  const { parts, calls, results } = piecesOf(content);
  if (role === 'tool') {
    return [message(role, parts, { tool_call_id: textOf(item['tool_call_id']) })];
  }
  const all = [...calls, ...mappings(item['tool_calls'])];
  const answers = results.map(({ id, content }) => message('tool', content, { tool_call_id: id }));
  if (parts.length === 0 && all.length === 0 && answers.length > 0) return answers;
  const name = textOf(item['name']);
  return [
    message(role, parts, {
      ...(all.length > 0 && { tool_calls: all }),
      ...(name !== '' && { name }),
    }),
    ...answers,
  ];
}

/** What a model was asked, read out of the arguments of the provider's own call. */
export function inputOfKwargs(kwargs: Mapping): PromptTemplate {
  const list =
    kwargs['messages'] ?? kwargs['input'] ?? kwargs['contents'] ?? kwargs['history'] ?? [];
  const prompt = kwargs['prompt'] ?? (typeof list === 'string' ? list : undefined);
  if (typeof prompt === 'string' || Array.isArray(prompt)) {
    return { type: 'completion', content: piecesOf(prompt).parts, input_variables: [] };
  }
  const config = kwargs['generation_config'] ?? kwargs['generationConfig'];
  const system =
    kwargs['system'] ??
    kwargs['instructions'] ??
    kwargs['system_instruction'] ??
    (isMapping(config) ? (config['system_instruction'] ?? config['systemInstruction']) : undefined);
  const { parts } = piecesOf(isMapping(system) ? system['parts'] : system);
  return {
    type: 'chat',
    messages: [
      ...(parts.length > 0 ? [message('system', parts)] : []),
      ...(Array.isArray(list) ? (list as readonly unknown[]) : [list]).flatMap(messagesOfItem),
    ],
    input_variables: [],
  };
}
