import type { PromptTemplate } from '../../api/template.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping, mappings, textOf } from '../../core/mapping.ts';
import { inputOfKwargs } from '../requests/input-of-kwargs.ts';
import type { NewSpan } from './span.ts';

interface Said {
  readonly input: PromptTemplate;
  readonly output: PromptTemplate;
}

/** Instrumentations write structures as JSON text, for want of attributes that hold them. */
function structureIn(sent: unknown): unknown {
  if (typeof sent !== 'string' || !/^\s*[[{]/.test(sent)) return sent;
  try {
    return JSON.parse(sent);
  } catch {
    // A text that begins like a structure.
    return sent;
  }
}

/** A part by the semantic conventions, as one that providers know. */
function partOf(part: Mapping): Mapping {
  const { content, type } = part;
  const mediaType = textOf(part['mime_type']);
  const isImage = part['modality'] === 'image' || mediaType.startsWith('image/');
  switch (type) {
    case 'text':
      return { type, text: textOf(part['text']) || textOf(content) };
    case 'reasoning':
      return { type: 'thinking', thinking: textOf(content) };
    case 'tool_call':
      return { type: 'tool_use', id: part['id'], name: part['name'], input: part['arguments'] };
    case 'tool_call_response': {
      const answer = part['response'] ?? part['result'];
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? null);
      return { type: 'tool_result', tool_use_id: part['id'], content: text };
    }
    case 'blob':
      if (!isImage) return { type: 'text', text: `[${mediaType || 'data'}]` };
      return { type: 'image', source: { media_type: mediaType, data: content } };
    case 'uri':
      if (!isImage) return { type: 'text', text: textOf(part['uri']) };
      return { type: 'image_url', image_url: { url: textOf(part['uri']) } };
    default:
      return part;
  }
}

/** A message of any convention, as an argument of a provider's call. */
function messageOf(sent: Mapping, role: string): Mapping {
  const said = isMapping(sent['message']) ? { ...sent, ...sent['message'] } : sent;
  const parts = structureIn(said['parts'] ?? said['content']);
  return {
    role: textOf(said['role']) || role,
    content: Array.isArray(parts) ? mappings(parts).map(partOf) : parts,
    tool_calls: structureIn(said['tool_calls']),
    tool_call_id: said['tool_call_id'] ?? said['id'],
  };
}

const messagesIn = (sent: unknown, role: string): Mapping[] => {
  const list = structureIn(sent);
  if (typeof list === 'string') return [{ role, content: list }];
  return mappings(Array.isArray(list) ? list : [list]).map((message) => messageOf(message, role));
};

/** `gen_ai.prompt.0.content` and its like: lists that are spread over attributes. */
function spreadMessages(attributes: Mapping, prefix: string, role: string): Mapping[] {
  const messages: Record<string, unknown>[] = [];
  for (const [name, value] of Object.entries(attributes)) {
    const found = name.startsWith(prefix)
      ? /^(\d{1,4})\.(role|content|tool_call_id|tool_calls\.(\d{1,3})\.(id|name|arguments))$/.exec(
          name.slice(prefix.length),
        )
      : null;
    if (found === null) continue;
    const [, at, field = '', callAt, callField = ''] = found;
    const message = (messages[Number(at)] ??= {});
    if (callAt === undefined) message[field] = value;
    else {
      const calls = (message['tool_calls'] ??= []) as Record<string, unknown>[];
      const call = (calls[Number(callAt)] ??= { type: 'function', function: {} });
      if (callField === 'id') call['id'] = value;
      else (call['function'] as Record<string, unknown>)[callField] = value;
    }
  }
  return messages.filter(isMapping).map((message) => {
    const calls = message['tool_calls'];
    return messageOf(
      Array.isArray(calls) ? { ...message, tool_calls: mappings(calls) } : message,
      role,
    );
  });
}

/** Messages as events of the span, as the conventions were before 1.37. */
function eventMessages(events: readonly Mapping[], names: RegExp): Mapping[] {
  return events.flatMap(({ name, attributes }) => {
    const role = names.exec(textOf(name))?.[1];
    if (role === undefined || !isMapping(attributes)) return [];
    const body = Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, structureIn(value)]),
    );
    return [messageOf(body, role === 'choice' ? 'assistant' : role)];
  });
}

const firstOf = (...found: readonly (readonly Mapping[])[]): readonly Mapping[] =>
  found.find(({ length }) => length > 0) ?? [];

/** What a model was asked and what it answered, where the instrumentation has recorded it. */
export function messagesOfSpan({ attributes: own, events }: Omit<NewSpan, 'call'>): Said {
  const details = events.find(({ name }) => name === 'gen_ai.client.inference.operation.details');
  const attributes: Mapping = {
    ...own,
    ...(isMapping(details?.['attributes']) ? details['attributes'] : {}),
  };
  const system = structureIn(attributes['gen_ai.system_instructions']);
  const asked = firstOf(
    messagesIn(attributes['gen_ai.input.messages'], 'user'),
    spreadMessages(attributes, 'gen_ai.prompt.', 'user'),
    eventMessages(events, /^gen_ai\.(system|user|assistant|tool)\.message$/),
    messagesIn(attributes['gen_ai.prompt'], 'user'),
  );
  const answered = firstOf(
    messagesIn(attributes['gen_ai.output.messages'], 'assistant'),
    spreadMessages(attributes, 'gen_ai.completion.', 'assistant'),
    eventMessages(events, /^gen_ai\.(choice)$/),
    messagesIn(attributes['gen_ai.completion'], 'assistant'),
  );
  return {
    input: inputOfKwargs({
      system: Array.isArray(system) ? mappings(system).map(partOf) : system,
      messages: asked,
    }),
    output: inputOfKwargs({ messages: answered }),
  };
}
