/** A server on loopback that fails in the way that the path of a request names, and counts. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The words and codes of stores in trouble, which others use as well. */
export const storeWords = [
  'No space left on device',
  'Connection terminated unexpectedly',
  'database or disk is full',
  'connect ECONNREFUSED 127.0.0.1:5432',
] as const;

export const faults = [
  /** The connection is broken off when the request is there. */
  'reset',
  /** Closed instead of answered. */
  'drop',
  /** Broken off in the middle of the answer. */
  'half',
  /** 500, with the words of a disk that is full. */
  'full',
  /** 503, with the words of a database that is away. */
  'away',
  /** Not HTTP. */
  'garbage',
  /** To a port where nobody listens; the request goes along. */
  'moved',
  /** The same after it was done: the answer is said to be there. */
  'see-other',
] as const;

/** A port of 127.0.0.1 where nobody listens. */
export async function closedPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export class FaultyServer {
  /** By method and path, and by method, path and the first `word-…` of the request. */
  readonly counts = new Map<string, number>();
  /** Answers what is no fault. */
  good: (request: { path: string; text: string }) => object = () => ({ ok: true });
  /** How long an answer may take, at most. */
  lateMs = 0;
  readonly #server: http.Server;
  readonly #sockets = new Set<Socket>();
  readonly #closedPort: number;

  private constructor(port: number) {
    this.#closedPort = port;
    this.#server = http.createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      request.on('end', () => void this.#answer(request, text, response));
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.setMaxListeners(0);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<FaultyServer> {
    const server = new FaultyServer(await closedPort());
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  get closedUrl(): string {
    return `http://127.0.0.1:${String(this.#closedPort)}`;
  }

  count(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(
    request: http.IncomingMessage,
    text: string,
    response: http.ServerResponse,
  ): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const name = `${request.method ?? ''} ${path}`;
    const word = /word-[\w-]+/.exec(`${request.url ?? ''} ${text}`)?.[0];
    for (const one of [name, ...(word === undefined ? [] : [`${name} ${word}`])]) {
      this.counts.set(one, this.count(one) + 1);
    }
    if (this.lateMs > 0) await pause(Math.random() * this.lateMs);
    const fault = faults.find((one) => path.split('/').includes(one));
    const fail = (status: number, message: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message, code: 'ECONNREFUSED' } }));
    };
    switch (fault) {
      case 'reset':
        response.socket?.resetAndDestroy();
        break;
      case 'drop':
        response.socket?.destroy();
        break;
      case 'half':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"half": ', () => response.socket?.resetAndDestroy());
        break;
      case 'full':
        fail(500, storeWords[0]);
        break;
      case 'away':
        fail(503, storeWords[1]);
        break;
      case 'garbage':
        response.socket?.end('Connection terminated: no space left on device\r\n\r\n');
        break;
      case 'moved':
        response.writeHead(307, { location: `${this.closedUrl}/` }).end();
        break;
      case 'see-other':
        response.writeHead(303, { location: `${this.closedUrl}/` }).end();
        break;
      case undefined:
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(this.good({ path, text })));
        break;
    }
  }
}
