import type { ReadOf } from '../reader.ts';
import { anything, flag, list, mapping, number, object, readerOf, text } from '../reader.ts';

const blob = object({ data: text, mimeType: text });

/** A piece of the arguments of a call, with the path of its place. */
const partialArg = object({
  jsonPath: text,
  stringValue: anything,
  numberValue: anything,
  boolValue: anything,
  willContinue: flag,
});

const functionCall = object({
  id: text,
  name: text,
  args: anything,
  partialArgs: list(partialArg),
  willContinue: flag,
});

const part = object({
  text,
  thought: flag,
  thoughtSignature: text,
  functionCall,
  executableCode: mapping,
  codeExecutionResult: mapping,
  inlineData: blob,
  fileData: mapping,
});

/** Where something was found. */
const groundingChunk = object({
  web: object({ uri: anything, title: anything }),
  maps: object({ uri: anything, title: anything, placeId: anything }),
  retrievedContext: object({ uri: anything, documentName: anything, title: anything }),
});

const groundingSupport = object({
  segment: object({ startIndex: anything, endIndex: anything, text: anything, partIndex: number }),
  groundingChunkIndices: list(anything),
});

const citation = object({
  uri: anything,
  title: anything,
  startIndex: anything,
  endIndex: anything,
});

/** What a candidate says about its sources. */
const sources = object({
  groundingMetadata: object({
    groundingChunks: list(groundingChunk),
    groundingSupports: list(groundingSupport),
  }),
  citationMetadata: object({ citations: list(citation), citationSources: list(citation) }),
});

const candidate = object({
  index: number,
  content: object({ parts: list(part) }),
});

/** An answer of `generateContent`, or a piece of one. */
const response = object({
  error: mapping,
  candidates: list(candidate),
  promptFeedback: object({ blockReason: anything }),
});

export type GeminiPart = ReadOf<typeof part>;
export type GeminiCall = ReadOf<typeof functionCall>;
export type GeminiCandidate = ReadOf<typeof candidate>;
export type GroundingChunk = ReadOf<typeof groundingChunk>;
export type PartialArg = ReadOf<typeof partialArg>;

export const readPart = readerOf(part);
export const readSources = readerOf(sources);
export const readResponse = readerOf(response);
/** Fields of a kind that has no name here. */
export const readNamed = readerOf(mapping);
