import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { BodyError, tooLarge } from '../../http/body.ts';

type Limit = zlib.ZlibOptions & { readonly maxOutputLength: number };

interface Decoder {
  readonly inTurns: (bytes: Uint8Array, limit: Limit) => Promise<Buffer>;
  readonly atOnce: (bytes: Uint8Array, limit: Limit) => Buffer;
}

const gzip: Decoder = {
  inTurns: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  atOnce: zlib.gunzipSync,
};
const inflate: Decoder = {
  inTurns: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate),
  atOnce: zlib.inflateSync,
};
const inflateRaw: Decoder = {
  inTurns: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw),
  atOnce: zlib.inflateRawSync,
};

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Decoder>> = {
  gzip: () => gzip,
  'x-gzip': () => gzip,
  br: () => ({
    inTurns: promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
    atOnce: zlib.brotliDecompressSync,
  }),
  // Servers send "deflate" with and without the zlib header; its low nibble is always 8.
  deflate: (bytes) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw),
};

/** What is packed into less, and holds less, is unpacked within a millisecond or so. */
const smallPacked = 64 * 1024;
const smallUnpacked = 512 * 1024;

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * A small body is unpacked at once: what works in turns holds all of its pieces until all garbage is
 * collected, which is a hundred megabytes for a thousand pages.
 */
async function unpack(
  { atOnce, inTurns }: Decoder,
  body: Uint8Array,
  maxOutputLength: number,
): Promise<Uint8Array> {
  if (body.length < smallPacked) {
    const most = Math.min(smallUnpacked, maxOutputLength);
    try {
      return atOnce(body, { maxOutputLength: most });
    } catch (error) {
      if (!isCode(error, 'ERR_BUFFER_TOO_LARGE') || most === maxOutputLength) throw error;
    }
  }
  return inTurns(body, { maxOutputLength });
}

export const acceptEncoding = 'gzip, deflate, br';

/** Undoes `Content-Encoding`; the output is bounded too, so a small bomb stays small. */
export async function decode(
  bytes: Uint8Array,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array> {
  let body = bytes;
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  for (const name of names.reverse()) {
    if (name === '' || name === 'identity' || body.length === 0) continue;
    const decoder = decoders[name];
    if (decoder === undefined) {
      throw new BodyError({ kind: 'unknown-encoding', encoding: name });
    }
    try {
      body = await unpack(decoder(body), body, maxBytes);
    } catch (error) {
      if (isCode(error, 'ERR_BUFFER_TOO_LARGE')) throw tooLarge(maxBytes);
      if (isCode(error, 'Z_BUF_ERROR')) {
        throw new BodyError({ kind: 'cut-encoding', encoding: name }, error);
      }
      throw new BodyError({ kind: 'broken-encoding', encoding: name }, error);
    }
  }
  return body;
}

/** The same memory, with the methods of Node. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function decodeText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new BodyError({ kind: 'not-utf8' });
  const text = bufferOf(bytes).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
