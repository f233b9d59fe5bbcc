/** An MCP server of the official SDK on loopback, in the transport of today or in the older one. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';

export interface TestMcpServer {
  readonly url: string;
  /** Of every request that has come in. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Calls that `hang`: each resolves when the server hears that it is cancelled. */
  readonly hanging: readonly Promise<void>[];
  sessionCount(): number;
  /** Forgets all sessions, as a server that is started anew. */
  forget(): void;
  close(): Promise<void>;
}

export function makeServer(hanging: Promise<void>[]): McpServer {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers',
      inputSchema: { left: z.number(), right: z.number() },
      outputSchema: { sum: z.number() },
    },
    ({ left, right }) => ({
      content: [{ type: 'text', text: String(left + right) }],
      structuredContent: { sum: left + right },
    }),
  );
  server.registerTool('shout', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text: `${text.toUpperCase()}!` }],
  }));
  server.registerTool('fail', { inputSchema: { text: z.string() } }, ({ text }) => ({
    isError: true,
    content: [{ type: 'text', text: `no ${text}` }],
  }));
  server.registerTool('picture', {}, () => ({
    content: [
      { type: 'text', text: 'here' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
  }));
  server.registerTool('hang', {}, ({ signal }) => {
    hanging.push(
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    );
    return new Promise(() => undefined);
  });
  return server;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

const refuse = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  const error = { code: -32000, message: 'Session not found' };
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
};

export async function startMcpServer(
  transportKind: 'streamable' | 'sse' = 'streamable',
): Promise<TestMcpServer> {
  const hanging: Promise<void>[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const streams = new Map<string, StreamableHTTPServerTransport>();
  // oxlint-disable-next-line typescript/no-deprecated -- what older servers are made of
  const events = new Map<string, SSEServerTransport>();
  const sockets = new Set<Socket>();

  const streamable = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? streams.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      refuse(response, 404);
      return;
    }
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void streams.set(session, transport),
      });
    if (known === undefined) await makeServer(hanging).connect(transport);
    await transport.handleRequest(request, response, await readBody(request));
  };

  const older = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://mcp.invalid');
    if (request.method === 'GET' && pathname === '/mcp') {
      // oxlint-disable-next-line typescript/no-deprecated -- what older servers are made of
      const transport = new SSEServerTransport('/messages', response);
      events.set(transport.sessionId, transport);
      await makeServer(hanging).connect(transport);
      return;
    }
    const known = events.get(searchParams.get('sessionId') ?? '');
    if (pathname !== '/messages' || known === undefined) refuse(response, 405);
    else await known.handlePostMessage(request, response);
  };

  const server = http.createServer((request, response) => {
    headers.push(request.headers);
    const handle = transportKind === 'sse' ? older : streamable;
    handle(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`,
    headers,
    hanging,
    sessionCount: () => streams.size + events.size,
    forget: () => streams.clear(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
