import type { Duplex } from 'node:stream';
import WebSocket from 'ws';
import type { Channel } from '../connections.ts';
import { Inbox } from '../inbox.ts';
import type { Pools } from './pools.ts';

const handshakeTimeoutMs = 10_000;
/** Larger results are sent by name only, and fetched. */
const maxMessageBytes = 16 * 1024 * 1024;

/** Through the same proxies, certificates and sockets as every other request. */
export function openChannel(pools: Pools, url: URL, signal: AbortSignal): Promise<Channel> {
  signal.throwIfAborted();
  // Node's own createConnection has this callback; its types leave it out.
  const createConnection = ((
    _options: unknown,
    callback: (error: Error | null, socket?: Duplex) => void,
  ): undefined => {
    pools.connect(url, (error, socket) => {
      if (signal.aborted) socket?.destroy();
      if (error === null) callback(null, socket);
      else callback(error);
    });
  }) as unknown as NonNullable<WebSocket.ClientOptions['createConnection']>;
  const socket = new WebSocket(url, {
    createConnection,
    handshakeTimeout: handshakeTimeoutMs,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  const inbox = new Inbox();
  const close = (): void => socket.terminate();
  signal.addEventListener('abort', close, { once: true });
  return new Promise((resolve, reject) => {
    socket.on('error', (error) => {
      inbox.end(error);
      reject(error);
    });
    socket.on('close', () => {
      signal.removeEventListener('abort', close);
      inbox.end();
      reject(new Error('The WebSocket was closed before it was open.'));
    });
    socket.on('message', (data, isBinary) => {
      if (!isBinary) inbox.push((data as Buffer).toString('utf8'));
    });
    socket.once('open', () =>
      resolve({ messages: inbox, send: (text) => socket.send(text), close }),
    );
  });
}
