import { BlockList, isIP } from 'node:net';
import { ConfigurationError } from '../../errors.ts';
import { bareHost, isLoopback } from '../../http/loopback.ts';
import type { ProxySettings } from '../connections.ts';

export interface Proxy {
  readonly url: URL;
  /** Value of the `Proxy-Authorization` header. */
  readonly authorization: string | undefined;
}

/** Splits `host`, `host:port`, `[v6]:port`; a bare IPv6 address has no port. */
function splitPort(entry: string): { host: string; port: string | undefined } {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(entry);
  if (bracketed !== null) return { host: bracketed[1] ?? '', port: bracketed[2] };
  if (isIP(entry) === 6) return { host: entry, port: undefined };
  const plain = /^(.*?)(?::(\d+))?$/.exec(entry);
  return { host: plain?.[1] ?? entry, port: plain?.[2] };
}

function isInSubnet(host: string, subnet: string): boolean {
  const [network, bits] = subnet.split('/');
  const family = isIP(host);
  if (network === undefined || bits === undefined || family === 0 || isIP(network) !== family) {
    return false;
  }
  const prefix = Number(bits);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const name = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(network, prefix, name);
  return list.check(host, name);
}

/** Whether an entry of a no-proxy list covers the target: `*`, host, suffix, port, subnet. */
function covers(entry: string, host: string, port: string): boolean {
  const wanted = entry.trim().toLowerCase();
  if (wanted === '') return false;
  if (wanted === '*') return true;
  if (wanted.includes('/')) return isInSubnet(host, wanted);
  const { host: name, port: onlyPort } = splitPort(wanted);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const suffix = name.replace(/^\*?\./, '');
  if (suffix === host) return true;
  return isIP(host) === 0 && host.endsWith(`.${suffix}`);
}

export function isProxyExempt(url: URL, noProxy: readonly string[]): boolean {
  const host = bareHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy.some((entry) => covers(entry, host, port));
}

function parseProxy(text: string): Proxy {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const hint = { kind: 'write-proxy' } as const;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch {
    // The text may hold a password, so neither it nor the parser's error is repeated.
    throw new ConfigurationError({ kind: 'proxy-unreadable' }, { hint });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ConfigurationError(
      { kind: 'proxy-protocol', protocol: url.protocol.slice(0, -1) },
      { hint },
    );
  }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization =
    credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  url.username = '';
  url.password = '';
  return { url, authorization };
}

/** The proxy for a target, or undefined for a direct connection. */
export function chooseProxy(target: URL, settings: ProxySettings): Proxy | undefined {
  const fromEnvironment = target.protocol === 'https:' ? settings.httpsProxy : settings.httpProxy;
  const text = (settings.url ?? fromEnvironment)?.trim();
  if (text === undefined || text === '') return undefined;
  if (isLoopback(target.hostname) && !settings.loopback) return undefined;
  if (isProxyExempt(target, settings.noProxy)) return undefined;
  return parseProxy(text);
}
