import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface ConnectProxy {
  readonly url: string;
  readonly port: number;
  /** "CONNECT host:port" and "GET http://host/path", as they came. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * A real forward proxy on loopback: tunnels CONNECT and forwards plain requests, always to
 * `target`, so that a test may use any host name.
 */
export async function startConnectProxy({
  target,
  credentials,
  refuseWith,
}: {
  readonly target: { readonly port: number };
  /** "user:password"; without them it answers 407. */
  readonly credentials?: string;
  readonly refuseWith?: number;
}): Promise<ConnectProxy> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const wanted =
    credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const refusal = (authorization: string | undefined): number | undefined =>
    refuseWith ?? (wanted !== undefined && authorization !== wanted ? 407 : undefined);

  const server = http.createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    const status = refusal(request.headers['proxy-authorization']);
    if (status !== undefined) {
      response.writeHead(status).end();
      return;
    }
    const url = new URL(request.url ?? '');
    const { 'proxy-authorization': _secret, ...headers } = request.headers;
    const onward = http.request(
      {
        host: '127.0.0.1',
        port: target.port,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  server.on('connect', (request, client: Socket) => {
    requests.push(`CONNECT ${request.url ?? ''}`);
    client.on('error', () => undefined);
    const status = refusal(request.headers['proxy-authorization']);
    if (status !== undefined) {
      client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const upstream = net.connect(target.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client);
      client.pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => sockets.delete(upstream));
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
