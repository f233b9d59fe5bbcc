import { ConfigurationError } from '../../errors.ts';
import { BodyError, collect } from '../../http/body.ts';
import type {
  Connections,
  ConnectionSettings,
  HttpAnswer,
  OpenAnswer,
  OpenRequest,
} from '../connections.ts';
import type { StreamedBytes } from '../../http/streamed-body.ts';
import { openChannel } from './channel.ts';

const maxErrorBodyBytes = 1024 * 1024;

/** Headers that the browser sets itself; in a request to another origin they would need leave. */
const ownHeaders = new Set(['user-agent', 'accept-encoding', 'cache-control', 'content-length']);

/** `fetch` says little on purpose: no name, no port, and the same for CORS as for no network. */
class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly code = 'FETCH_FAILED';
}

function whatFailed(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !(error instanceof TypeError)) return error;
  return new FetchError(error.message, { cause: error });
}

async function* piecesOf(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  const reader = body.getReader();
  let isWhole = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        isWhole = true;
        return;
      }
      yield value;
    }
  } catch (error) {
    isWhole = true;
    throw whatFailed(error, signal);
  } finally {
    // Nobody wants the rest: the browser closes the connection.
    if (!isWhole) await reader.cancel();
  }
}

/** Not every browser and server can stream a request: a Blob may be on the disk. */
async function blobOf(body: StreamedBytes): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of body.pieces()) parts.push(Uint8Array.from(piece));
  return new Blob(parts);
}

async function open(
  { method, url, path, headers, body }: OpenRequest,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  // `cache` is missing in Node's types of fetch.
  const options: RequestInit & { readonly cache: 'no-store' } = {
    method,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name))),
    body: typeof body === 'object' && 'pieces' in body ? await blobOf(body) : (body ?? null),
    signal,
    // A redirect would take the key elsewhere; cookies and cached responses are not wanted.
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
  };
  let answer: Response;
  try {
    answer = await fetch(`${url.origin}${path}`, options);
  } catch (error) {
    throw whatFailed(error, signal);
  }
  return {
    // A browser hides everything about a redirect, its status too.
    status: answer.type === 'opaqueredirect' ? 302 : answer.status,
    headers: Object.fromEntries(answer.headers),
    body: piecesOf(answer.body, signal),
  };
}

async function exchange(
  request: OpenRequest,
  signal: AbortSignal,
  maxBytes: number,
): Promise<HttpAnswer> {
  const { status, headers, body } = await open(request, signal);
  if (status >= 200 && status < 300) {
    return { status, headers, body: await collect(body, maxBytes) };
  }
  try {
    return { status, headers, body: await collect(body, maxErrorBodyBytes) };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    // What counts is the status; the words that go with it can be done without.
    return { status, headers, body: new Uint8Array() };
  }
}

/** The browser's own connections: sockets, proxies and certificates are its business. */
export function makeWebConnections(settings: ConnectionSettings): Connections {
  const { dispatcher, socketPath, proxy } = settings;
  if (dispatcher !== undefined || socketPath !== undefined || proxy.url !== undefined) {
    const name =
      dispatcher !== undefined ? 'dispatcher' : socketPath === undefined ? 'proxy' : 'socketPath';
    throw new ConfigurationError({ kind: 'only-node', name }, { hint: { kind: 'use-base-url' } });
  }
  const closing = new AbortController();
  const either = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, closing.signal]);
  return {
    exchange: (request, signal, maxBytes) => exchange(request, either(signal), maxBytes),
    open: (request, signal) => open(request, either(signal)),
    openChannel: (url, signal) => openChannel(url, either(signal)),
    destroy: async () => closing.abort(),
  };
}
