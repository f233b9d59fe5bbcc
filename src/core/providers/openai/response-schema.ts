import type { ReadOf } from '../reader.ts';
import { any, list, mapping, number, object, readerOf, text } from '../reader.ts';

/** A part of a message or of reasoning. */
const part = object({
  type: any,
  text,
  refusal: text,
  data: text,
  transcript: any,
  annotations: list(mapping),
});

/** What a piece of code said. */
const output = object({ type: text, url: text, logs: text });

/** An item of the output; kinds that have no name here are kept as they are. */
const item = object({
  type: any,
  id: any,
  container_id: any,
  call_id: text,
  name: text,
  status: any,
  content: list(part),
  summary: list(part),
  arguments: text,
  input: text,
  code: text,
  outputs: list(output),
  result: text,
  output_format: text,
  queries: any,
  action: mapping,
});

const response = object({ object: any, status: text, output: list(any) });

/** An event of the stream: about the response, or about an item. */
const event = object({
  type: text,
  object: any,
  status: text,
  response,
  output_index: number,
  item_id: any,
  item: mapping,
  part: mapping,
  content_index: any,
  summary_index: any,
  command_index: any,
  annotation_index: any,
  annotation: any,
  delta: any,
  command: text,
  output: list(any),
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
