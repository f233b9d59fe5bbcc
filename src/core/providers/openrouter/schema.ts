import type { ReadOf } from '../reader.ts';
import { any, list, object, readerOf, text } from '../reader.ts';

/** A video that is made, or will be. */
const job = object({
  id: text,
  status: text,
  error: any,
  unsigned_urls: list(any),
  generation_id: any,
});

export type VideoJob = ReadOf<typeof job>;

export const readJob = readerOf(job);
/** Sound, as it is logged. */
export const readSpeech = readerOf(
  object({ data: text, content_type: any, response_format: text }),
);
