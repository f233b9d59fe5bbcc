import { ownValue } from '../../../api/own-value.ts';

const types: Readonly<Record<string, string>> = {
  pcm16: 'audio/pcm',
  pcm: 'audio/pcm',
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  flac: 'audio/flac',
  aac: 'audio/aac',
  wav: 'audio/wav',
};

/** The MIME type of a format of sound. */
export const audioTypeOf = (format: unknown): string =>
  (typeof format === 'string' ? ownValue(types, format) : undefined) ?? 'audio/wav';
