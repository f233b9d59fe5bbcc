import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';

const mappingOf = (value: unknown): Mapping => (isMapping(value) ? value : {});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

const joined = (pieces: unknown): string =>
  listOf(pieces)
    .map((piece) => textOf(mappingOf(piece)['text']))
    .join('');

function annotationOf(citation: unknown, text: string): Mapping {
  const { title, sourceContent, location, source } = mappingOf(citation);
  const cited_text = joined(sourceContent);
  const [entry] = Object.entries(mappingOf(location));
  const [kind = '', at] = entry ?? [];
  const { url, ...place } = mappingOf(at);
  if (kind === 'web' || typeof source === 'string') {
    const range = { start_index: 0, end_index: text.length };
    return { type: 'url_citation', url: url ?? source, title, ...range, cited_text };
  }
  return { type: 'file_citation', index: place['documentIndex'], filename: title, cited_text };
}

function textPart(text: string, citations: readonly unknown[]): Mapping {
  const annotations = Object.freeze(citations.map((citation) => annotationOf(citation, text)));
  return { type: 'text', text, ...(annotations.length > 0 && { annotations }) };
}

/** Puts one block of a Converse answer into the reply, or what has come of it in its place. */
export function addConverseBlock(builder: ReplyBuilder, index: number, block: Mapping): void {
  const { text, citationsContent, reasoningContent, toolUse } = block;
  if (typeof text === 'string') {
    if (text !== '') builder.part(index, textPart(text, []));
  } else if (isMapping(citationsContent)) {
    const { content, citations } = citationsContent;
    builder.part(index, textPart(joined(content), listOf(citations)));
  } else if (isMapping(reasoningContent)) {
    const { reasoningText, redactedContent } = reasoningContent;
    if (redactedContent !== undefined) {
      builder.part(index, { type: 'redacted_thinking', data: redactedContent });
      return;
    }
    const { text: thinking, signature } = mappingOf(reasoningText);
    builder.part(index, {
      type: 'thinking',
      thinking: textOf(thinking),
      ...(typeof signature === 'string' && { signature }),
    });
  } else if (isMapping(toolUse) && toolUse['type'] === 'server_tool_use') {
    const { toolUseId: id, name, input = {} } = toolUse;
    builder.part(index, { type: 'server_tool_use', id, name, input });
  } else if (isMapping(toolUse)) {
    builder.toolCall(index, {
      id: textOf(toolUse['toolUseId']),
      name: textOf(toolUse['name']),
      arguments: JSON.stringify(toolUse['input'] ?? {}),
    });
  } else if (isMapping(block['image'])) {
    const { format, source } = block['image'];
    builder.part(index, {
      type: 'output_media',
      url: textOf(mappingOf(source)['bytes']),
      mime_type: `image/${textOf(format)}`,
      media_type: 'image',
    });
  } else {
    // Kinds that the blueprint has no word for keep Bedrock's own.
    const [kind = 'unknown'] = Object.keys(block);
    builder.part(index, { type: kind, ...block });
  }
}

/** The reply inside an answer of Converse. */
export function replyOfConverse(response: unknown): Reply {
  const builder = new ReplyBuilder();
  const { message } = mappingOf(mappingOf(response)['output']);
  for (const [index, block] of listOf(mappingOf(message)['content']).entries()) {
    if (isMapping(block)) addConverseBlock(builder, index, block);
  }
  return builder.reply();
}
