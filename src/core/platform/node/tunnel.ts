import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { ProxyRefusal } from '../../http/proxy-refusal.ts';
import type { Proxy } from './proxy.ts';

/** How TLS is checked, for the target and for an https proxy alike. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string[];
}

const authority = (host: string, port: number): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;

/** A socket through the proxy to `host:port`, before any TLS of the target. */
export function openTunnel(
  proxy: Proxy,
  {
    host,
    port,
    tls,
    timeoutMs,
  }: {
    readonly host: string;
    readonly port: number;
    readonly tls: TlsOptions;
    readonly timeoutMs: number;
  },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const target = authority(host, port);
    const isTls = proxy.url.protocol === 'https:';
    const request = (isTls ? https : http).request({
      method: 'CONNECT',
      host: proxy.url.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.url.port || (isTls ? 443 : 80),
      path: target,
      agent: false,
      timeout: timeoutMs,
      headers: {
        host: target,
        ...(proxy.authorization !== undefined && { 'proxy-authorization': proxy.authorization }),
      },
      ...(isTls && tls),
    });
    request.once('connect', (answer, socket: Socket, head) => {
      if (answer.statusCode === 200) {
        socket.setTimeout(0);
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.on('error', () => undefined).destroy();
      reject(new ProxyRefusal(answer.statusCode ?? 0));
    });
    // Some proxies answer a refusal as an ordinary response.
    request.once('response', (answer) => {
      answer.resume();
      request.destroy();
      reject(new ProxyRefusal(answer.statusCode ?? 0));
    });
    request.once('timeout', () =>
      request.destroy(
        Object.assign(new Error(`The proxy did not open a tunnel within ${timeoutMs} ms.`), {
          code: 'ETIMEDOUT',
        }),
      ),
    );
    request.once('error', reject);
    request.end();
  });
}
