import type { ReadOf } from '../reader.ts';
import { anything, list, object, readerOf, text } from '../reader.ts';

/** A video that is made, or will be. */
const job = object({
  id: text,
  status: text,
  error: anything,
  unsigned_urls: list(anything),
  generation_id: anything,
});

export type VideoJob = ReadOf<typeof job>;

export const readJob = readerOf(job);
/** Sound, as it is logged. */
export const readSpeech = readerOf(
  object({ data: text, content_type: anything, response_format: text }),
);
