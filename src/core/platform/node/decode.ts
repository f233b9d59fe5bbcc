import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { BodyError, tooLarge } from '../../http/body.ts';

const decoders: Readonly<
  Record<string, (bytes: Uint8Array, limit: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  'x-gzip': promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  br: promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
  // Servers send "deflate" with and without the zlib header; its low nibble is always 8.
  deflate: (bytes, limit) =>
    ((bytes[0] ?? 0) & 0x0f) === 8
      ? promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate)(bytes, limit)
      : promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw)(bytes, limit),
};

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
      throw new BodyError('unreadable', `has the unknown content encoding "${name}"`);
    }
    try {
      body = await decoder(body, { maxOutputLength: maxBytes });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
      if (code === 'Z_BUF_ERROR') {
        throw new BodyError('cut-off', `ends in the middle of its ${name} data`, error);
      }
      throw new BodyError('unreadable', `is not valid ${name} data`, error);
    }
  }
  return body;
}

/** The same memory, with the methods of Node. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function decodeText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new BodyError('unreadable', 'is not UTF-8 text');
  const text = bufferOf(bytes).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
