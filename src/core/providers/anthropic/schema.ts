import type { ReadOf } from '../reader.ts';
import { any, list, mapping, number, object, readerOf, text } from '../reader.ts';

const citation = object({ type: text, title: any, cited_text: any, url: any, source: any });

/** A block of a message; the blocks of its own tools have more, which is kept as it is. */
const block = object({
  type: text,
  text,
  citations: list(any),
  thinking: text,
  signature: text,
  id: text,
  name: text,
  input: any,
});

const message = object({ content: list(any), usage: mapping });

const event = object({
  type: text,
  index: number,
  message,
  content_block: block,
  delta: object({ type: text }),
  usage: mapping,
});

const completion = object({ type: text, completion: text, stop_reason: text });

export type MessageBlock = ReadOf<typeof block>;
export type Message = ReadOf<typeof message>;
export type MessageEvent = ReadOf<typeof event>;
export type Completion = ReadOf<typeof completion>;

export const readCitation = readerOf(citation);
export const readBlock = readerOf(block);
/** An answer of the Messages API. */
export const readMessage = readerOf(message);
/** An event of its stream. */
export const readEvent = readerOf(event);
/** An answer of the old Text Completions API, or a piece of one. */
export const readCompletion = readerOf(completion);
