import type { ReadOf } from '../reader.ts';
import { anything, list, number, object, readerOf, text } from '../reader.ts';

const image = object({ b64_json: text, url: text, media_type: text, revised_prompt: anything });

/** An answer of the Images API, or an event of its stream. */
const images = object({
  type: text,
  data: list(image),
  b64_json: anything,
  media_type: anything,
  created: number,
  created_at: number,
  usage: anything,
  output_format: text,
});

export type MadeImage = ReadOf<typeof image>;
export type MadeImages = ReadOf<typeof images>;

export const readImage = readerOf(image);
export const readImages = readerOf(images);
