import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, texts and bytes as they are. */
  readonly body?: unknown;
}

/** What a badly behaved server does instead of answering. */
export type Fault =
  /** Closes the connection without a word. */
  | 'drop'
  /** Sends a TCP reset. */
  | 'reset'
  /** Announces a body, sends half of it and closes. */
  | 'half-body'
  /** Starts a chunked body and resets in the middle. */
  | 'reset-in-body'
  /** Sends something that is not HTTP. */
  | 'garbage'
  /** Never answers. */
  | 'hang'
  /** Sends headers and half of the body, then nothing. */
  | 'hang-in-body';

export type Step = Reply | Fault | ((request: SeenRequest) => Reply | Fault);

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Connections opened so far, and those open now. */
  readonly connections: { readonly opened: number; readonly open: number };
  /** Resolves when this many requests have come in whole. */
  reached(count: number): Promise<void>;
  /** Resolves when no connection is open. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

function fail(fault: Fault, response: ServerResponse, socket: Socket): void {
  switch (fault) {
    case 'drop':
      socket.destroy();
      break;
    case 'reset':
      socket.resetAndDestroy();
      break;
    case 'half-body':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"data":[');
      setImmediate(() => socket.end());
      break;
    case 'reset-in-body':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":[');
      setImmediate(() => socket.resetAndDestroy());
      break;
    case 'garbage':
      socket.end('SSH-2.0-OpenSSH_9.9\r\n');
      break;
    case 'hang-in-body':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"data":[');
      break;
    case 'hang':
      break;
  }
}

function answer({ status = 200, headers = {}, body }: Reply, response: ServerResponse): void {
  const bytes =
    body === undefined
      ? Buffer.alloc(0)
      : Buffer.isBuffer(body)
        ? body
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(headers['transfer-encoding'] === undefined && { 'content-length': String(bytes.length) }),
    ...headers,
  });
  response.end(bytes);
}

/** A real server that follows a script, one step a request; the last step is repeated. */
export async function startScriptedServer(
  steps: readonly Step[],
  listenOn?: string,
  makeServer: (handler: http.RequestListener) => http.Server = (handler) =>
    http.createServer(handler),
): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watcher of watchers) watcher();
  };
  const changedUntil = (isDone: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const watcher = (): void => {
        if (!isDone()) return;
        watchers.delete(watcher);
        resolve();
      };
      watchers.add(watcher);
      watcher();
    });

  const server = makeServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const url = request.url ?? '';
      const parsed = new URL(url, 'http://server.invalid');
      const seen: SeenRequest = {
        method: request.method ?? '',
        url,
        path: parsed.pathname,
        query: parsed.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      const step = steps[Math.min(requests.length, steps.length - 1)] ?? 'drop';
      requests.push(seen);
      const reaction = typeof step === 'function' ? step(seen) : step;
      if (typeof reaction === 'string') fail(reaction, response, request.socket);
      else answer(reaction, response);
      changed();
    });
  });
  server.on('connection', (socket: Socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      changed();
    });
  });
  if (listenOn === undefined) server.listen(0, '127.0.0.1');
  else server.listen(listenOn);
  await once(server, 'listening');
  const address = server.address();
  const port =
    address !== null && typeof address === 'object' ? (address satisfies AddressInfo).port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return { opened, open: sockets.size };
    },
    reached: (count) => changedUntil(() => requests.length >= count),
    idle: () => changedUntil(() => sockets.size === 0),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
