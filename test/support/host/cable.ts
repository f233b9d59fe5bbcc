/** A loopback relay to a service that a test can pull out and plug in again: the service goes on. */
import net from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Cable {
  /** In the place of the service's own address. */
  readonly url: string;
  pull(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

export async function startCable(to: string): Promise<Cable> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const listen = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  const pull = async (): Promise<void> => {
    const isClosed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await isClosed;
  };
  return {
    url: `http://127.0.0.1:${own}`,
    pull,
    plugIn: () => listen(own),
    close: async () => {
      if (server.listening) await pull();
    },
  };
}
