import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

function annotationOf(citation: unknown, text: string): Mapping[] {
  if (!isMapping(citation)) return [];
  const { type, title, cited_text, ...rest } = citation;
  // A citation belongs to its whole block of text.
  const place = { start_index: 0, end_index: text.length };
  if (type === 'web_search_result_location') {
    const { url, encrypted_index } = rest;
    return [{ type: 'url_citation', url, title, ...place, cited_text, encrypted_index }];
  }
  if (type === 'search_result_location') {
    return [{ type: 'url_citation', url: rest['source'], title, ...place, cited_text }];
  }
  const { document_index: index, document_title: filename, file_id, ...other } = rest;
  return [{ type: 'file_citation', index, file_id, filename, cited_text, ...other }];
}

/** Citations of a block of text -> annotations of the blueprint. */
export const annotationsOf = (citations: readonly unknown[], text: string): readonly Mapping[] =>
  Object.freeze(citations.flatMap((citation) => annotationOf(citation, text)));

/**
 * Puts one whole block of a message into the reply. Blocks of other kinds (server tools, their
 * results) are parts as they are.
 */
export function addBlock(builder: ReplyBuilder, index: number, block: Mapping): void {
  if (block['type'] === 'text') {
    const text = textOf(block['text']);
    if (text === '') return;
    const citations = listOf(block['citations']);
    builder.part(index, {
      type: 'text',
      text,
      ...(citations.length > 0 && { annotations: annotationsOf(citations, text) }),
    });
  } else if (block['type'] === 'thinking') {
    const { thinking, signature } = block;
    builder.part(index, {
      type: 'thinking',
      thinking: textOf(thinking),
      ...(typeof signature === 'string' && signature !== '' && { signature }),
    });
  } else if (block['type'] === 'tool_use') {
    builder.toolCall(index, {
      id: textOf(block['id']),
      name: textOf(block['name']),
      arguments: JSON.stringify(block['input'] ?? {}),
    });
  } else {
    builder.part(index, block);
  }
}

/** The reply inside an answer of the Messages API. */
export function replyOfMessage(response: unknown): Reply {
  const builder = new ReplyBuilder();
  const given = isMapping(response) ? response['content'] : undefined;
  const content = typeof given === 'string' ? [{ type: 'text', text: given }] : listOf(given);
  for (const [index, block] of content.entries()) {
    if (isMapping(block)) addBlock(builder, index, block);
  }
  return builder.reply();
}
