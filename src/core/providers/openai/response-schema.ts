import type { ReadOf } from '../reader.ts';
import { anything, list, mapping, number, object, readerOf, text } from '../reader.ts';

/** A part of a message or of reasoning. */
const part = object({
  type: anything,
  text,
  refusal: text,
  data: text,
  transcript: anything,
  annotations: list(mapping),
});

/** What a piece of code said. */
const output = object({ type: text, url: text, logs: text });

/** An item of the output; kinds that have no name here are kept as they are. */
const item = object({
  type: anything,
  id: anything,
  container_id: anything,
  call_id: text,
  name: text,
  status: anything,
  content: list(part),
  summary: list(part),
  arguments: anything,
  input: anything,
  parameters: anything,
  code: text,
  outputs: list(output),
  result: text,
  output_format: text,
  queries: anything,
  action: mapping,
});

const response = object({ object: anything, status: text, output: list(anything) });

/** An event of the stream: about the response, or about an item. */
const event = object({
  type: text,
  object: anything,
  status: text,
  response,
  output_index: number,
  item_id: anything,
  item: mapping,
  part: mapping,
  content_index: anything,
  summary_index: anything,
  command_index: anything,
  annotation_index: anything,
  annotation: anything,
  delta: anything,
  command: text,
  output: list(anything),
  partial_image_b64: text,
});

export type ResponseItem = ReadOf<typeof item>;
export type ResponsePart = ReadOf<typeof part>;
export type ResponseEvent = ReadOf<typeof event>;

export const readItem = readerOf(item);
/** A whole answer. */
export const readResponse = readerOf(response);
export const readEvent = readerOf(event);
/** Fields of an item that change by their name. */
export const readNamed = readerOf(mapping);
export const readShellOutput = readerOf(object({ stdout: text, stderr: text }));
