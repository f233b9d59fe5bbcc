import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { Readable, pipeline } from 'node:stream';
import type { JsonText } from './json-text.ts';

/** Characters that are encoded at once. */
const SLICE = 256 * 1024;

const isHighHalf = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
};

/** A long text as bytes, others served in between. No character is cut in two. */
export async function* slicesOf({ parts }: JsonText): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const part of parts) {
    if (typeof part !== 'string') {
      yield part;
      await nextTurn();
      continue;
    }
    for (let at = 0; at < part.length;) {
      let end = Math.min(part.length, at + SLICE);
      if (end < part.length && isHighHalf(part, end - 1)) end -= 1;
      yield encoder.encode(part.slice(at, end));
      at = end;
      await nextTurn();
    }
  }
}

/** A long answer as the reader takes it. */
export function streamOf(body: JsonText, isCompressed: boolean): ReadableStream<Uint8Array> {
  const source = Readable.from(slicesOf(body), { objectMode: false });
  if (!isCompressed) return Readable.toWeb(source) as ReadableStream<Uint8Array>;
  const packed = createGzip({ level: 1 });
  // Errors of either side reach the reader, whose connection breaks.
  pipeline(source, packed, () => undefined);
  return Readable.toWeb(packed) as ReadableStream<Uint8Array>;
}
