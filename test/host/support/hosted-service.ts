/** A stand-in for a hosted service: answers the list of tables, remembers the keys it was sent. */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SelfSigned } from '../../support/http/self-signed.ts';

export interface HostedService {
  readonly baseURL: string;
  readonly port: number;
  readonly keysSeen: readonly string[];
  accept(key: string): void;
  refuse(key: string): void;
  /** From now on every request is answered with this. */
  answerWith(status: number, body: unknown): void;
  stop(): Promise<void>;
}

/** With a certificate it speaks TLS. */
export async function startHostedService(certificate?: SelfSigned): Promise<HostedService> {
  const keysSeen: string[] = [];
  const accepted = new Set<string>();
  let fixed: { status: number; body: unknown } | undefined;
  const listener: http.RequestListener = (request, response) => {
    const key = String(request.headers['x-api-key'] ?? '');
    keysSeen.push(key);
    const table = {
      id: '0b7e4c2a-52cf-4f4e-9a59-1f1f7f6d2a11',
      workspace_id: 1,
      title: 'Hosted table',
      sheet_count: 0,
    };
    const answer =
      fixed ??
      (accepted.has(key)
        ? {
            status: 200,
            body: { success: true, data: [table], has_more: false, next_cursor: null },
          }
        : { status: 401, body: { success: false, message: 'Invalid API key' } });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  };
  const server =
    certificate === undefined
      ? http.createServer(listener)
      : https.createServer(certificate, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    keysSeen,
    accept: (key) => void accepted.add(key),
    refuse: (key) => void accepted.delete(key),
    answerWith(status, body) {
      fixed = { status, body };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
