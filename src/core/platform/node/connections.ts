/** What sends requests, with undici: a third of what the core has, so it is loaded with the first one. */
import type { Connections, ConnectionSettings } from '../connections.ts';
import { exchange } from './exchange.ts';
import { open } from './open.ts';
import { Pools } from './pools.ts';

export function openConnections(settings: ConnectionSettings): Connections {
  const pools = new Pools(settings);
  return {
    exchange: (request, signal, maxBytes) => exchange(pools, request, signal, maxBytes),
    open: (request, signal) => open(pools, request, signal),
    openChannel: async (url, signal) => {
      const { openChannel } = await import('./channel.ts');
      return openChannel(pools, url, signal);
    },
    destroy: () => pools.destroy(),
  };
}
