import type { Mapping } from '../../mapping.ts';
import type { Reply } from '../reply.ts';
import { ReplyBuilder } from '../reply.ts';
import { argumentsText } from '../tool-arguments.ts';
import type { ConverseBlock } from './schema.ts';
import { readBlock, readCitation, readNamed, readResponse } from './schema.ts';

const joined = (pieces: readonly { readonly text: string | undefined }[] = []): string =>
  pieces.map(({ text = '' }) => text).join('');

function annotationOf(given: unknown, text: string): Mapping {
  const citation = readCitation(given);
  const title = citation?.title;
  const source = citation?.source;
  const cited_text = joined(citation?.sourceContent);
  const [entry] = Object.entries(citation?.location ?? {});
  const [kind = '', at] = entry ?? [];
  const { url, ...place } = readNamed(at) ?? {};
  if (kind === 'web' || source !== undefined) {
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
export function addConverseBlock(builder: ReplyBuilder, index: number, block: ConverseBlock): void {
  const { text, citationsContent, reasoningContent, toolUse, image } = block;
  if (text !== undefined) {
    if (text !== '') builder.part(index, textPart(text, []));
  } else if (citationsContent !== undefined) {
    const { content, citations } = citationsContent;
    builder.part(index, textPart(joined(content), citations ?? []));
  } else if (reasoningContent !== undefined) {
    const { reasoningText, redactedContent } = reasoningContent;
    if (redactedContent !== undefined) {
      builder.part(index, { type: 'redacted_thinking', data: redactedContent });
      return;
    }
    const signature = reasoningText?.signature;
    builder.part(index, {
      type: 'thinking',
      thinking: reasoningText?.text ?? '',
      ...(signature !== undefined && { signature }),
    });
  } else if (toolUse?.type === 'server_tool_use') {
    const { toolUseId: id, name, input = {} } = toolUse.raw;
    builder.part(index, { type: 'server_tool_use', id, name, input });
  } else if (toolUse !== undefined) {
    const { toolUseId: id = '', name = '', input } = toolUse;
    builder.toolCall(index, { id, name, arguments: argumentsText(input) ?? '{}' });
  } else if (image !== undefined) {
    builder.part(index, {
      type: 'output_media',
      url: image.source?.bytes ?? '',
      mime_type: `image/${image.format ?? ''}`,
      media_type: 'image',
    });
  } else {
    // Kinds that the blueprint has no word for keep Bedrock's own.
    const [kind = 'unknown'] = Object.keys(block.raw);
    builder.part(index, { type: kind, ...block.raw });
  }
}

/** The reply inside an answer of Converse. */
export function replyOfConverse(response: unknown): Reply {
  const builder = new ReplyBuilder();
  const content = readResponse(response)?.output?.message?.content ?? [];
  for (const [index, given] of content.entries()) {
    const block = readBlock(given);
    if (block !== undefined) addConverseBlock(builder, index, block);
  }
  return builder.reply();
}
