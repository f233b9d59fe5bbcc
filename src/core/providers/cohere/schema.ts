import type { ReadOf } from '../reader.ts';
import { anything, list, mapping, number, object, readerOf, text } from '../reader.ts';

const part = object({ text, thinking: text });

const toolCall = object({
  id: text,
  function: object({ name: text, arguments: anything, parameters: anything }),
});

const source = object({ id: text, document: object({ title: text, url: text }) });

const citation = object({
  type: anything,
  content_index: number,
  start: anything,
  end: anything,
  text: anything,
  sources: list(source),
});

const message = object({
  tool_plan: text,
  content: list(part),
  tool_calls: list(toolCall),
  citations: list(citation),
});

const response = object({ message });

/** What an event adds: lists of a message come as one item with each, its end as the rest. */
const delta = object({
  message: object({
    content: mapping,
    tool_plan: text,
    tool_calls: mapping,
    citations: citation,
  }),
  error: anything,
  finish_reason: anything,
});

const event = object({
  type: text,
  id: anything,
  index: number,
  message,
  logprobs: mapping,
  delta: mapping,
});

export type CohereCitation = ReadOf<typeof citation>;
export type CohereSource = ReadOf<typeof source>;
export type CohereMessage = ReadOf<typeof message>;
export type CoherePart = ReadOf<typeof part>;
export type CohereToolCall = ReadOf<typeof toolCall>;
export type CohereDelta = ReadOf<typeof delta>;
export type CohereEvent = ReadOf<typeof event>;

export const readPart = readerOf(part);
export const readToolCall = readerOf(toolCall);
/** An answer of the chat. */
export const readResponse = readerOf(response);
export const readStart = readerOf(object({ message: object({ role: anything }) }));
export const readDelta = readerOf(delta);
/** An event of its stream. */
export const readEvent = readerOf(event);
