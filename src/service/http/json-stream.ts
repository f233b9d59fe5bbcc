import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { Readable, pipeline } from 'node:stream';
import type { JsonText } from './json-text.ts';
import { piecesOf } from './long-text.ts';

/** A long text as bytes, others served in between. */
export async function* slicesOf({ parts }: JsonText): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const part of parts) {
    if (typeof part !== 'string') {
      yield part;
      await nextTurn();
      continue;
    }
    for (const piece of piecesOf(part)) {
      yield encoder.encode(piece);
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
