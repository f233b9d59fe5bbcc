import type { Mapping } from '../../mapping.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { argumentsText } from '../tool-arguments.ts';
import type { MessageBlock } from './schema.ts';
import { readBlock, readCitation, readMessage } from './schema.ts';

function annotationOf(given: unknown, text: string): Mapping[] {
  const citation = readCitation(given);
  if (citation === undefined) return [];
  const { type: _type, title, cited_text, ...rest } = citation.raw;
  const { type, url, source } = citation;
  // A citation belongs to its whole block of text.
  const place = { start_index: 0, end_index: text.length };
  if (type === 'web_search_result_location') {
    const { encrypted_index } = rest;
    return [{ type: 'url_citation', url, title, ...place, cited_text, encrypted_index }];
  }
  if (type === 'search_result_location') {
    return [{ type: 'url_citation', url: source, title, ...place, cited_text }];
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
export function addBlock(builder: ReplyBuilder, index: number, block: MessageBlock): void {
  if (block.type === 'text') {
    const { text = '', citations = [] } = block;
    if (text === '') return;
    builder.part(index, {
      type: 'text',
      text,
      ...(citations.length > 0 && { annotations: annotationsOf(citations, text) }),
    });
  } else if (block.type === 'thinking') {
    const { thinking = '', signature = '' } = block;
    builder.part(index, {
      type: 'thinking',
      thinking,
      ...(signature !== '' && { signature }),
    });
  } else if (block.type === 'tool_use') {
    const { id = '', name = '', input } = block;
    builder.toolCall(index, { id, name, arguments: argumentsText(input) ?? '{}' });
  } else {
    builder.part(index, block.raw);
  }
}

/** The reply inside an answer of the Messages API. */
export function replyOfMessage(response: unknown): Reply {
  const builder = new ReplyBuilder();
  const message = readMessage(response);
  const text = message?.raw['content'];
  const content = typeof text === 'string' ? [{ type: 'text', text }] : (message?.content ?? []);
  for (const [index, given] of content.entries()) {
    const block = readBlock(given);
    if (block !== undefined) addBlock(builder, index, block);
  }
  return builder.reply();
}
