import type { ReadOf } from '../reader.ts';
import { anything, list, mapping, number, object, readerOf, text } from '../reader.ts';

const citation = object({
  type: text,
  title: anything,
  cited_text: anything,
  url: anything,
  source: anything,
});

/** A block of a message; the blocks of its own tools have more, which is kept as it is. */
const block = object({
  type: text,
  text,
  citations: list(anything),
  thinking: text,
  signature: text,
  id: text,
  name: text,
  input: anything,
});

const message = object({ content: list(anything), usage: mapping });

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
