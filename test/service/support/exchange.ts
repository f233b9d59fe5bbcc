import net from 'node:net';
import { timeLimit } from '../../support/time-limit.ts';

/** Bytes sent as they are, and all that came back. */
export function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.setTimeout(timeLimit(5000), () => socket.destroy());
  });
}
