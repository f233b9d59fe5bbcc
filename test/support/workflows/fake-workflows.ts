/** As much of the service as a workflow run needs, on loopback: start, results, realtime channel. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: http.IncomingHttpHeaders;
  readonly json: unknown;
}

export interface CallAnswer {
  readonly status?: number;
  readonly body?: unknown;
  /** JSON text in the place of `body`. */
  readonly text?: string;
}

/** What one subscriber of a realtime channel can be told. */
export interface Subscriber {
  readonly channel: string;
  readonly token: string;
  publish(data: unknown): void;
  complete(ending: { result_code?: string | null; final_output?: unknown }): void;
  send(text: string): void;
  /** Breaks the connection. */
  drop(): void;
  /** Commands that came, parsed. */
  readonly received: readonly unknown[];
  readonly closed: Promise<void>;
}

export interface FakeWorkflowsScript {
  /** Default: 201 with execution 41. */
  readonly start?: (call: SeenCall, count: number) => CallAnswer | 'reset';
  readonly results?: (call: SeenCall, count: number) => CallAnswer | 'hang' | 'reset';
  /** Default: 200 with a token. */
  readonly token?: (call: SeenCall) => CallAnswer;
  /** Every other path. Default: 404. */
  readonly other?: (call: SeenCall) => CallAnswer;
  /** Undefined: no WebSocket; the upgrade is answered with 404. */
  readonly subscribed?: (subscriber: Subscriber) => void;
  /** Instead of the answer to `connect` or `subscribe`. */
  readonly refuse?: 'connect' | 'subscribe' | 'garbage';
}

export interface FakeWorkflows {
  readonly url: string;
  readonly calls: readonly SeenCall[];
  callsTo(path: string): readonly SeenCall[];
  /** Connections that are open now, WebSockets included. */
  readonly openSockets: number;
  /** WebSockets that were opened. */
  readonly channels: number;
  close(): Promise<void>;
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, x-api-key, content-type, authorization',
  'access-control-allow-methods': '*, PATCH, DELETE',
};

function serveChannel(socket: WebSocket, { subscribed, refuse }: FakeWorkflowsScript): void {
  let token = '';
  const received: unknown[] = [];
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const send = (frame: object): void => socket.send(JSON.stringify(frame));
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    for (const line of (data as Buffer).toString('utf8').split('\n')) {
      const command = JSON.parse(line) as {
        readonly id?: number;
        readonly connect?: { readonly token: string };
        readonly subscribe?: { readonly channel: string };
      };
      received.push(command);
      if (command.connect !== undefined) {
        if (refuse === 'garbage') socket.send('<html>');
        else if (refuse === 'connect')
          send({ id: command.id, error: { code: 109, message: 'token expired' } });
        else
          send({ id: command.id, connect: { client: 'c1', version: '1', ping: 25, pong: true } });
        token = command.connect.token;
      } else if (command.subscribe !== undefined) {
        const { channel } = command.subscribe;
        if (refuse === 'subscribe') {
          send({ id: command.id, error: { code: 103, message: 'permission denied' } });
          continue;
        }
        send({ id: command.id, subscribe: {} });
        const publish = (message: unknown): void =>
          send({ push: { channel, pub: { data: message } } });
        subscribed?.({
          channel,
          token,
          publish,
          complete: (ending) =>
            publish({ message_name: 'SET_WORKFLOW_COMPLETE', data: JSON.stringify(ending) }),
          send: (text) => socket.send(text),
          drop: () => socket.terminate(),
          received,
          closed,
        });
      }
    }
  });
}

/** `at`: the path of a Unix socket instead of a port; `makeServer`: another kind of server. */
export async function startFakeWorkflows(
  script: FakeWorkflowsScript,
  {
    at,
    makeServer = (handler) => http.createServer(handler),
  }: {
    readonly at?: string;
    readonly makeServer?: (handler: http.RequestListener) => http.Server;
  } = {},
): Promise<FakeWorkflows> {
  const calls: SeenCall[] = [];
  const sockets = new Set<Socket>();
  let channels = 0;
  const callsTo = (path: string): SeenCall[] => calls.filter((call) => call.path.startsWith(path));

  const answerTo = (call: SeenCall): CallAnswer | 'hang' | 'reset' => {
    if (call.path.endsWith('/run')) {
      return (
        script.start?.(call, callsTo('/workflows/').length) ?? {
          status: 201,
          body: { success: true, message: 'Started', workflow_version_execution_id: 41 },
        }
      );
    }
    if (call.path === '/workflow-version-execution-results') {
      return script.results?.(call, callsTo(call.path).length) ?? { status: 202, body: {} };
    }
    if (call.path === '/ws-token-request-library') {
      return (
        script.token?.(call) ?? {
          body: {
            success: true,
            messaging_backend: 'centrifugo',
            token_details: { token: 'realtime-token-1' },
          },
        }
      );
    }
    return (
      script.other?.(call) ?? { status: 404, body: { success: false, message: 'Unknown path.' } }
    );
  };

  const server = makeServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'OPTIONS') {
        response.writeHead(204, corsHeaders).end();
        return;
      }
      const url = new URL(request.url ?? '', 'http://service.invalid');
      const text = Buffer.concat(chunks).toString('utf8');
      const call: SeenCall = {
        method: request.method ?? '',
        path: decodeURIComponent(url.pathname),
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        json: text === '' ? undefined : JSON.parse(text),
      };
      calls.push(call);
      const given = answerTo(call);
      if (given === 'hang') return;
      if (given === 'reset') {
        request.socket.resetAndDestroy();
        return;
      }
      response.writeHead(given.status ?? 200, {
        'content-type': 'application/json',
        ...corsHeaders,
      });
      response.end(given.text ?? JSON.stringify(given.body));
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  const realtime = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (script.subscribed === undefined && script.refuse === undefined) {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    realtime.handleUpgrade(request, socket, head, (channel) => {
      channels += 1;
      serveChannel(channel, script);
    });
  });
  if (at === undefined) server.listen(0, '127.0.0.1');
  else server.listen(at);
  await once(server, 'listening');
  return {
    url: at ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    callsTo,
    get openSockets() {
      return sockets.size;
    },
    get channels() {
      return channels;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      realtime.close();
      server.close();
      await once(server, 'close');
    },
  };
}
