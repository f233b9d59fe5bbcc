/** `#platform` on Node. */
import { setMaxListeners } from 'node:events';
import { parseJsonBytes } from '../http/json.ts';
import type { Connections, ConnectionSettings, Platform } from './connections.ts';
import { bufferOf, decodeText as decode } from './node/decode.ts';
import { exchange } from './node/exchange.ts';
import { open } from './node/open.ts';
import { Pools } from './node/pools.ts';

export const runtime: Platform['runtime'] = `node ${process.versions.node}`;

export const makeConnections: Platform['makeConnections'] = (
  settings: ConnectionSettings,
): Connections => {
  const pools = new Pools(settings);
  return {
    exchange: (request, signal, maxBytes) => exchange(pools, request, signal, maxBytes),
    open: (request, signal) => open(pools, request, signal),
    openChannel: async (url, signal) => {
      const { openChannel } = await import('./node/channel.ts');
      return openChannel(pools, url, signal);
    },
    destroy: () => pools.destroy(),
  };
};

export const decodeText: Platform['decodeText'] = decode;

export const parseBytes: Platform['parseBytes'] = (bytes) =>
  parseJsonBytes(bufferOf(bytes), decode);

export const toBase64: Platform['toBase64'] = (bytes) => bufferOf(bytes).toString('base64');

export const allowManyListeners: Platform['allowManyListeners'] = (signals) =>
  setMaxListeners(0, ...signals);

export const writeLog: Platform['writeLog'] = (_level, line) => {
  process.stderr.write(`${line}\n`);
};
