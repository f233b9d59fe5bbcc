import type { Readable } from 'node:stream';
import request from 'undici/lib/api/api-request.js';
import { BodyError, collect, tooLarge } from '../../http/body.ts';
import type { HttpAnswer, OpenRequest } from '../connections.ts';
import { acceptEncoding, decode } from './decode.ts';
import { flatHeaders, sendable } from './open.ts';
import type { Pools } from './pools.ts';

const maxErrorBodyBytes = 1024 * 1024;

async function readBody(
  body: Readable,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<Uint8Array> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    body.on('error', () => undefined).destroy();
    throw tooLarge(maxBytes);
  }
  const bytes = await collect(body as AsyncIterable<Uint8Array>, maxBytes);
  return decode(bytes, headers['content-encoding'] ?? '', maxBytes);
}

export async function exchange(
  pools: Pools,
  { method, url, path, headers, body }: OpenRequest,
  signal: AbortSignal,
  maxBytes: number,
): Promise<HttpAnswer> {
  const route = pools.route(url);
  const answer = await request.call(route.dispatcher, {
    origin: route.origin,
    path: `${route.pathPrefix}${path}`,
    method: method as 'GET',
    headers: { 'accept-encoding': acceptEncoding, ...headers, ...route.headers },
    body: sendable(body),
    signal,
  });
  const { statusCode: status } = answer;
  const flat = flatHeaders(answer.headers);
  if (status === 204) {
    // By definition it has no body, whatever length its headers tell. It is done.
    answer.body.on('error', () => undefined).resume();
    return { status, headers: flat, body: new Uint8Array() };
  }
  if (status >= 200 && status < 300) {
    return { status, headers: flat, body: await readBody(answer.body, flat, maxBytes) };
  }
  try {
    return { status, headers: flat, body: await readBody(answer.body, flat, maxErrorBodyBytes) };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    // What counts is the status; the words that go with it can be done without.
    return { status, headers: flat, body: new Uint8Array() };
  }
}
