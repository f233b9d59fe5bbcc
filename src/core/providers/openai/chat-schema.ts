import type { ReadOf } from '../reader.ts';
import { anything, list, mapping, number, object, readerOf, text } from '../reader.ts';

/** A function's arguments are text, or an object from servers that send whole calls. */
const called = object({ name: text, arguments: anything, input: anything, parameters: anything });

/** `custom` is a tool without a schema. */
const toolCall = object({ index: number, id: text, function: called, custom: called });

/** A part of content that comes as a list: Mistral's, and that of whoever does as they do. */
const part = object({ type: text, text, thinking: anything, signature: anything });

/** Reasoning as OpenRouter hands it on. */
const detail = object({
  type: text,
  index: number,
  id: text,
  text,
  summary: text,
  signature: anything,
});

const audio = object({ data: text, transcript: text });

const image = object({ index: number, image_url: anything });

const functionCall = called;

/** A message, or what a chunk adds to one. */
const message = object({
  content: anything,
  refusal: text,
  reasoning: text,
  reasoning_content: text,
  reasoning_details: list(detail),
  annotations: list(mapping),
  tool_calls: list(toolCall),
  function_call: functionCall,
  audio,
  images: list(image),
});

const choice = object({
  index: number,
  delta: message,
  message,
  text,
  logprobs: mapping,
});

/** An answer of the Chat Completions API or of the old Completions API, or a chunk of one. */
const chat = object({
  choices: list(choice),
  /** Groq tells the tokens of a stream, and why it stops, inside a field of its own. */
  x_groq: object({ usage: mapping, error: text }),
});

export type ChatToolCall = ReadOf<typeof toolCall>;
export type ChatPart = ReadOf<typeof part>;
export type ReasoningDetail = ReadOf<typeof detail>;
export type ChatAudio = ReadOf<typeof audio>;
export type ChatImage = ReadOf<typeof image>;
export type ChatFunctionCall = ReadOf<typeof functionCall>;
export type ChatMessage = ReadOf<typeof message>;
export type ChatChoiceChunk = ReadOf<typeof choice>;
export type ChatChunk = ReadOf<typeof chat>;

export const readChat = readerOf(chat);
export const readMessage = readerOf(message);
export const readParts = readerOf(list(part));
export const readImageAddress = readerOf(object({ url: text }));
