import { toBase64 } from '#platform';
import { stringifyJson } from './json.ts';

/** Bytes that are read while they are sent, as often as it is tried. */
export interface StreamedBytes {
  readonly byteLength: number;
  pieces(): AsyncIterable<Uint8Array>;
}

/** The bytes of a file: held, or read while they are sent. */
export type FileContent = Uint8Array | StreamedBytes;

async function* piecesOf(content: FileContent): AsyncGenerator<Uint8Array, void, undefined> {
  if (!(content instanceof Uint8Array)) yield* content.pieces();
  else yield content;
}

/** Base64 is made of threes: so many bytes at once, whatever they come in. */
const AT_ONCE = 3 * 64 * 1024;

async function* inThrees(content: FileContent): AsyncGenerator<Uint8Array, void, undefined> {
  let rest = new Uint8Array();
  for await (const piece of piecesOf(content)) {
    let at = 0;
    if (rest.byteLength > 0) {
      at = Math.min(AT_ONCE - rest.byteLength, piece.byteLength);
      const joined = new Uint8Array(rest.byteLength + at);
      joined.set(rest);
      joined.set(piece.subarray(0, at), rest.byteLength);
      rest = joined;
      if (rest.byteLength < AT_ONCE) continue;
      yield rest;
    }
    for (; piece.byteLength - at >= AT_ONCE; at += AT_ONCE) yield piece.subarray(at, at + AT_ONCE);
    rest = piece.slice(at);
  }
  if (rest.byteLength > 0) yield rest;
}

/**
 * A JSON body that holds a file in Base64, which is made while it is sent: neither it nor the body is
 * ever there as a whole. `bodyOf` puts the text that it is given where the file is to be.
 */
export function bodyWithFile(
  content: FileContent,
  bodyOf: (base64: string) => unknown,
): StreamedBytes {
  const mark = crypto.randomUUID();
  const [before = '', after = ''] = stringifyJson(bodyOf(mark)).split(mark);
  const encoder = new TextEncoder();
  const [head, tail] = [encoder.encode(before), encoder.encode(after)];
  return {
    byteLength: head.byteLength + 4 * Math.ceil(content.byteLength / 3) + tail.byteLength,
    async *pieces() {
      yield head;
      for await (const bytes of inThrees(content)) yield encoder.encode(toBase64(bytes));
      yield tail;
    },
  };
}
