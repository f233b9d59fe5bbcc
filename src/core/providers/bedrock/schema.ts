import type { ReadOf } from '../reader.ts';
import { anything, list, mapping, number, object, readerOf, text } from '../reader.ts';

const toolUse = object({ type: text, toolUseId: text, name: text, input: anything });

/** What a block begins with. */
const start = object({ toolUse, toolResult: mapping });

/** What a block thought, or more of it. */
const reasoning = object({
  text,
  signature: text,
  redactedContent: anything,
  reasoningText: object({ text, signature: text }),
});

const piece = object({ text });

const citation = object({
  title: anything,
  source: text,
  sourceContent: list(piece),
  location: mapping,
});

/** A block of a message; one of another kind is kept as it is. */
const block = object({
  text,
  image: object({ format: text, source: object({ bytes: text }) }),
  citationsContent: object({ content: list(piece), citations: list(anything) }),
  reasoningContent: reasoning,
  toolUse,
});

/** The fields of an event, whatever it is called. */
const fields = object({
  role: anything,
  contentBlockIndex: number,
  start,
  delta: mapping,
  /** Of a stream in a maker's own words: its event, in base64. */
  bytes: text,
});

const response = object({ output: object({ message: object({ content: list(anything) }) }) });

export type BlockStart = ReadOf<typeof start>;
export type BlockReasoning = ReadOf<typeof reasoning>;
export type ConverseBlock = ReadOf<typeof block>;
export type ConverseFields = ReadOf<typeof fields>;

export const readBlock = readerOf(block);
export const readCitation = readerOf(citation);
export const readReasoning = readerOf(reasoning);
/** An answer of the Converse API. */
export const readResponse = readerOf(response);

export const readToolUse = readerOf(toolUse);
/** Fields of a kind that has no name here. */
export const readNamed = readerOf(mapping);

const readFields = readerOf(fields);

/** A message of an AWS stream: its kind, and what it says. Undefined when there is nothing in it. */
export function readEvent(
  data: unknown,
): { readonly type: string; readonly fields: ConverseFields } | undefined {
  const [entry] = Object.entries(readNamed(data) ?? {});
  const read = entry === undefined ? undefined : (readFields(entry[1]) ?? readFields({}));
  return entry === undefined || read === undefined ? undefined : { type: entry[0], fields: read };
}
