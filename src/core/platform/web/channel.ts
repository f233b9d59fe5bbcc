import type { Channel } from '../connections.ts';
import { Inbox } from '../inbox.ts';

/** The browser's own WebSocket. It tells nobody why it failed. */
export function openChannel(url: URL, signal: AbortSignal): Promise<Channel> {
  signal.throwIfAborted();
  const socket = new WebSocket(url);
  const inbox = new Inbox();
  const close = (): void => socket.close();
  signal.addEventListener('abort', close, { once: true });
  return new Promise((resolve, reject) => {
    const failure = new Error('The WebSocket failed.');
    socket.addEventListener('error', () => {
      inbox.end(failure);
      reject(failure);
    });
    socket.addEventListener('close', () => {
      signal.removeEventListener('abort', close);
      inbox.end();
      reject(failure);
    });
    socket.addEventListener('message', ({ data }: MessageEvent) => {
      if (typeof data === 'string') inbox.push(data);
    });
    socket.addEventListener('open', () =>
      resolve({ messages: inbox, send: (text) => socket.send(text), close }),
    );
  });
}
