import type { PromptTemplate } from '../../api/template.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping, mappings, textOf } from '../../core/mapping.ts';
import { givenTo } from '../../core/providers/tool-arguments.ts';
import { inputOfKwargs } from '../requests/input-of-kwargs.ts';
import type { NewSpan } from './span.ts';

interface Said {
  readonly input: PromptTemplate;
  readonly output: PromptTemplate;
}

/**
 * Instrumentations write structures as JSON text, for want of attributes that hold them. What a model
 * is asked and answers may be JSON as well: it is a text where it is not of the form that is expected.
 */
function structureIn(sent: unknown, isExpected: (item: unknown) => boolean): unknown {
  if (typeof sent !== 'string' || !/^\s*[[{]/.test(sent)) return sent;
  try {
    const parsed: unknown = JSON.parse(sent);
    const items: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    return items.length > 0 && items.every(isExpected) ? parsed : sent;
  } catch {
    // A text that begins like a structure.
    return sent;
  }
}

const partTypes =
  /^(?:(?:in|out)put_)?(?:text|image|image_url|audio|file)$|^(?:redacted_)?(?:thinking|reasoning)$|^tool_(?:use|result|call|call_response)$|^(?:blob|uri|document|media|refusal)$/;
const isPart = (item: unknown): boolean => isMapping(item) && partTypes.test(textOf(item['type']));

const isPartOrText = (item: unknown): boolean => typeof item === 'string' || isPart(item);

const isMessage = (item: unknown): boolean =>
  isMapping(item) &&
  (typeof item['role'] === 'string' || Array.isArray(item['parts']) || isMapping(item['message']));

/** A list of messages may hold texts, where the attribute holds nothing else by its convention. */
const isMessageOrText = (item: unknown): boolean => typeof item === 'string' || isMessage(item);

const listOf = (sent: unknown): readonly unknown[] => (Array.isArray(sent) ? sent : [sent]);
const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? '');

/** A part by the semantic conventions, as one that providers know. */
function partOf(part: unknown): unknown {
  if (!isMapping(part)) return part;
  const { content, type } = part;
  const mediaType = textOf(part['mime_type']);
  const isImage = part['modality'] === 'image' || mediaType.startsWith('image/');
  switch (type) {
    case 'text':
      return { type, text: textOf(part['text']) || wordsOf(content) };
    case 'reasoning':
      return { type: 'thinking', thinking: wordsOf(content) };
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

/** Arguments are text, whoever has written them as what they are. */
function callOf(call: Mapping): Mapping {
  const { function: called } = call;
  if (!isMapping(called)) return call;
  return { ...call, function: { ...called, arguments: givenTo(called) ?? '' } };
}

/** A message of any convention, as an argument of a provider's call. */
function messageOf(sent: Mapping, role: string): Mapping {
  const inner = structureIn(sent['message'], isMapping);
  const said: Mapping = isMapping(inner) ? { ...sent, ...inner } : { content: inner, ...sent };
  const parts = structureIn(said['parts'] ?? said['content'], isPart);
  return {
    role: textOf(said['role']) || role,
    content: Array.isArray(parts) ? parts.map(partOf) : parts,
    tool_calls: mappings(structureIn(said['tool_calls'], isMapping)).map(callOf),
    tool_call_id: said['tool_call_id'] ?? said['id'],
  };
}

const messagesIn = (
  sent: unknown,
  role: string,
  isExpected: (item: unknown) => boolean,
): Mapping[] =>
  listOf(structureIn(sent, isExpected) ?? []).map((message) =>
    isMapping(message) ? messageOf(message, role) : { role, content: message },
  );

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
    return [messageOf(attributes, role === 'choice' ? 'assistant' : role)];
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
  const system = structureIn(attributes['gen_ai.system_instructions'], isPartOrText);
  const asked = firstOf(
    messagesIn(attributes['gen_ai.input.messages'], 'user', isMessageOrText),
    spreadMessages(attributes, 'gen_ai.prompt.', 'user'),
    eventMessages(events, /^gen_ai\.(system|user|assistant|tool)\.message$/),
    messagesIn(attributes['gen_ai.prompt'], 'user', isMessage),
  );
  const answered = firstOf(
    messagesIn(attributes['gen_ai.output.messages'], 'assistant', isMessageOrText),
    spreadMessages(attributes, 'gen_ai.completion.', 'assistant'),
    eventMessages(events, /^gen_ai\.(choice)$/),
    messagesIn(attributes['gen_ai.completion'], 'assistant', isMessage),
  );
  return {
    input: inputOfKwargs({
      system: Array.isArray(system) ? system.map(partOf) : system,
      messages: asked,
    }),
    output: inputOfKwargs({ messages: answered }),
  };
}
