import tls from 'node:tls';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { ConnectionSettings, RequestDispatcher } from '../connections.ts';
import type { Proxy } from './proxy.ts';
import { chooseProxy } from './proxy.ts';
import type { TlsOptions } from './tunnel.ts';
import { openTunnel } from './tunnel.ts';

const connectTimeoutMs = 10_000;
/** Sockets per origin: enough for a fast scroll, few enough for a small service. */
const usualSockets = 32;

/** How one request travels. */
export interface Route {
  readonly dispatcher: RequestDispatcher;
  readonly origin: string;
  /** Turns a path into what stands in the request line. */
  readonly pathPrefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Bundled, system and extra certificates; undefined keeps Node's own default. */
function trustedCertificates(extra: readonly string[], system: boolean): string[] | undefined {
  // Added in Node 22.15; on Node 20 the system's store can't be read.
  if (typeof tls.getCACertificates === 'function') {
    const known = [
      ...tls.getCACertificates('default'),
      ...(system ? tls.getCACertificates('system') : []),
    ];
    return [...new Set([...known, ...extra])];
  }
  return extra.length === 0 ? undefined : [...tls.rootCertificates, ...extra];
}

const poolOptions = {
  // The deadline of a request is kept in http/send.ts, on the injected clock.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

/** Keep-alive pools, made when first needed: direct, through the proxy, or over a unix socket. */
export class Pools {
  readonly #settings: ConnectionSettings;
  readonly #pools = new Map<string, Agent>();
  #tls: TlsOptions | undefined;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  route(target: URL): Route {
    const { dispatcher, socketPath, proxy: settings } = this.#settings;
    const direct = { origin: target.origin, pathPrefix: '', headers: {} };
    if (dispatcher !== undefined) return { ...direct, dispatcher };
    if (socketPath !== undefined) {
      const pool = this.#pool('socket', () =>
        buildConnector({ socketPath, timeout: connectTimeoutMs }),
      );
      return { ...direct, dispatcher: pool };
    }
    const proxy = chooseProxy(target, settings);
    if (proxy === undefined) {
      return { ...direct, dispatcher: this.#pool('direct', (isTls) => this.#connector(isTls)) };
    }
    const isTls = target.protocol === 'https:';
    if (isTls) {
      return { ...direct, dispatcher: this.#pool('tunnel', () => this.#tunnelConnector(proxy)) };
    }
    // Plain http goes to the proxy itself with the whole URL: few proxies tunnel to port 80.
    return {
      dispatcher: this.#pool('proxy', (tlsToProxy) => this.#connector(tlsToProxy)),
      origin: proxy.url.origin,
      pathPrefix: target.origin,
      headers: {
        host: target.host,
        ...(proxy.authorization !== undefined && { 'proxy-authorization': proxy.authorization }),
      },
    };
  }

  /** A socket to the target outside the pools, for another protocol than HTTP. */
  connect(target: URL, callback: buildConnector.Callback): void {
    const { dispatcher, socketPath, proxy: settings } = this.#settings;
    if (dispatcher !== undefined) {
      callback(new Error('A dispatcher opens no sockets for other protocols than HTTP.'), null);
      return;
    }
    const isTls = target.protocol === 'https:' || target.protocol === 'wss:';
    const options = {
      hostname: target.hostname,
      host: target.host,
      protocol: isTls ? 'https:' : 'http:',
      port: target.port,
    };
    const proxy = socketPath === undefined ? chooseProxy(target, settings) : undefined;
    const open =
      socketPath !== undefined
        ? buildConnector({ socketPath, timeout: connectTimeoutMs })
        : proxy === undefined
          ? this.#connector(isTls)
          : this.#tunnelConnector(proxy, isTls);
    open(options, callback);
  }

  /** Breaks what is under way and closes every socket. */
  async destroy(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #pool(name: string, connector: (isTls: boolean) => buildConnector.connector): Agent {
    const existing = this.#pools.get(name);
    if (existing !== undefined) return existing;
    let plain: buildConnector.connector | undefined;
    let secure: buildConnector.connector | undefined;
    const connect: buildConnector.connector = (options, callback) => {
      const open =
        options.protocol === 'https:' ? (secure ??= connector(true)) : (plain ??= connector(false));
      open(options, callback);
    };
    const connections = Math.max(usualSockets, this.#settings.maxSockets ?? 0);
    const pool = new Agent({ ...poolOptions, connections, connect });
    this.#pools.set(name, pool);
    return pool;
  }

  /** Reading the system's certificates takes time, so only when the first TLS socket is opened. */
  #tlsOptions(): TlsOptions {
    if (this.#tls !== undefined) return this.#tls;
    const { ca: extra, strictSSL, systemCertificates } = this.#settings;
    const ca = strictSSL ? trustedCertificates(extra, systemCertificates) : undefined;
    this.#tls = {
      rejectUnauthorized: strictSSL,
      ...(ca !== undefined && { ca }),
    };
    return this.#tls;
  }

  #connector(isTls: boolean): buildConnector.connector {
    return buildConnector({ timeout: connectTimeoutMs, ...(isTls ? this.#tlsOptions() : {}) });
  }

  #tunnelConnector(proxy: Proxy, isTls = true): buildConnector.connector {
    const secure = this.#connector(true);
    return (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      const tunnel = openTunnel(proxy, {
        host,
        port: Number(options.port) || (isTls ? 443 : 80),
        tls: this.#tlsOptions(),
        timeoutMs: connectTimeoutMs,
      });
      tunnel.then(
        (httpSocket) => {
          if (isTls) secure({ ...options, httpSocket }, callback);
          else callback(null, httpSocket);
        },
        (error: unknown) =>
          callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    };
  }
}
