/** A provider of models on loopback: it says what a script tells it to, on the real wire. */
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ProviderRequestSeen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent, and parsed when it is JSON. */
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** Resolves when the client's end of the connection is closed. */
  readonly closed: Promise<void>;
}

export interface ProviderAnswerScript {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects as JSON; texts and bytes as they are; a list piece by piece. */
  readonly body?: unknown;
  /** Each is written on its own, after the turn of the event loop. */
  readonly pieces?: readonly (string | Uint8Array)[];
  /** What follows the last piece. Default: the proper end. */
  readonly then?: 'end' | 'reset' | 'hang';
}

export type ProviderScript = (
  request: ProviderRequestSeen,
  count: number,
) => ProviderAnswerScript | Promise<ProviderAnswerScript>;

export interface FakeProvider {
  readonly url: string;
  readonly requests: readonly ProviderRequestSeen[];
  close(): Promise<void>;
}

/** Browsers ask first, and need leave to read. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': '*',
};

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

async function answer(
  { status = 200, headers = {}, body, pieces, then = 'end' }: ProviderAnswerScript,
  response: http.ServerResponse,
): Promise<void> {
  if (pieces === undefined) {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    response.writeHead(status, { 'content-type': 'application/json', ...corsHeaders, ...headers });
    response.end(isRaw ? body : JSON.stringify(body ?? {}));
    return;
  }
  response.writeHead(status, { 'content-type': 'text/event-stream', ...corsHeaders, ...headers });
  for (const piece of pieces) {
    if (response.destroyed) return;
    response.write(piece);
    await pause();
  }
  if (then === 'end') response.end();
  else if (then === 'reset') response.socket?.resetAndDestroy();
}

export async function startFakeProvider(script: ProviderScript): Promise<FakeProvider> {
  const requests: ProviderRequestSeen[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer((request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, corsHeaders).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://provider.invalid');
      const text = Buffer.concat(chunks).toString('utf8');
      const seen: ProviderRequestSeen = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        text,
        json: parsed(text),
        closed: new Promise((resolve) => request.socket.once('close', () => resolve())),
      };
      requests.push(seen);
      void Promise.resolve(script(seen, requests.length)).then(
        (given) => answer(given, response),
        (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
      );
    });
  });
  server.on('connection', (socket) => {
    // One listener for each request of a kept connection.
    socket.setMaxListeners(0);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Server-sent events with JSON data, as most providers write them. */
export const sse = (
  events: readonly unknown[],
  { done = false, named = false }: { readonly done?: boolean; readonly named?: boolean } = {},
): string =>
  events
    .map((event) => {
      const type = named ? (event as { readonly type?: string }).type : undefined;
      return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`;
    })
    .join('') + (done ? 'data: [DONE]\n\n' : '');

/** Cuts a text into pieces of `size` bytes. */
export function cut(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}
