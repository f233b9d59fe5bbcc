/** `#platform` on Node. */
import { isAscii } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import { parseJsonBytes } from '../http/json.ts';
import type { Connections, ConnectionSettings, Platform } from './connections.ts';
import { bufferOf, decodeText as decode } from './node/decode.ts';

export const runtime: Platform['runtime'] = `node ${process.versions.node}`;

export const makeConnections: Platform['makeConnections'] = (
  settings: ConnectionSettings,
): Connections => {
  let opened: Promise<Connections> | undefined;
  const load = async (): Promise<Connections> => {
    const { openConnections } = await import('./node/connections.ts');
    return openConnections(settings);
  };
  const connections = () => (opened ??= load());
  return {
    exchange: async (request, signal, maxBytes) =>
      (await connections()).exchange(request, signal, maxBytes),
    open: async (request, signal) => (await connections()).open(request, signal),
    openChannel: async (url, signal) => (await connections()).openChannel(url, signal),
    destroy: async () => (await opened)?.destroy(),
  };
};

export const decodeText: Platform['decodeText'] = decode;

export const parseBytes: Platform['parseBytes'] = (bytes) =>
  parseJsonBytes(bufferOf(bytes), (all, asLatin1) =>
    asLatin1 !== undefined && isAscii(all) ? asLatin1 : decode(all),
  );

export const toBase64: Platform['toBase64'] = (bytes) => bufferOf(bytes).toString('base64');

export const allowManyListeners: Platform['allowManyListeners'] = (signals) =>
  setMaxListeners(0, ...signals);

export const writeLog: Platform['writeLog'] = (_level, line) => {
  process.stderr.write(`${line}\n`);
};
