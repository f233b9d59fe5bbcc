import { PassThrough, pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';
import request from 'undici/lib/api/api-request.js';
import type { OpenAnswer, OpenRequest } from '../connections.ts';
import type { Pools } from './pools.ts';

export function flatHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** A stream is read by undici itself; for an attempt of its own, from its start. */
export const sendable = (body: OpenRequest['body']): string | Uint8Array | Readable | null =>
  typeof body === 'object' && 'pieces' in body ? Readable.from(body.pieces()) : (body ?? null);

function decoderFor(encoding: string) {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH });
    case 'deflate':
      return zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH });
    case 'br':
      return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

/** Any server may compress though it was asked not to. */
function decoded(body: Readable, encoding: string | undefined): Readable {
  const decoder = encoding === undefined ? undefined : decoderFor(encoding);
  if (decoder === undefined) return body;
  // Errors of either side come out of the last stream.
  return pipeline(body, decoder, new PassThrough(), () => undefined);
}

export async function open(
  pools: Pools,
  { method, url, path, headers, body }: OpenRequest,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  const route = pools.route(url);
  const answer = await request.call(route.dispatcher, {
    origin: route.origin,
    path: `${route.pathPrefix}${path}`,
    method: method as 'GET',
    headers: { 'accept-encoding': 'identity', ...headers, ...route.headers },
    body: sendable(body),
    signal,
  });
  const flat = flatHeaders(answer.headers);
  return {
    status: answer.statusCode,
    headers: flat,
    body: decoded(answer.body, flat['content-encoding']) as AsyncIterable<Uint8Array>,
  };
}
