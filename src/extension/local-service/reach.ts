import http from 'node:http';
import * as z from 'zod';
import type { Ready } from './folder.ts';

const healthLimitMs = 3_000;
const Health = z.object({ ok: z.boolean(), version: z.string(), pid: z.number() });
export type Health = z.output<typeof Health>;

/** `refused`: somebody answers, but not to our key. `absent`: nobody answers. */
export type Reached = Health | 'refused' | 'absent';

function open(path: string, { socketPath }: Ready, key: string): http.ClientRequest {
  return http.get({
    socketPath,
    path,
    host: 'localhost',
    agent: false,
    headers: { 'x-api-key': key },
  });
}

/** Asks a service how it is. A dead socket is an answer, not an error. */
export function reach(ready: Ready, key: string): Promise<Reached> {
  return new Promise((resolve) => {
    const request = open('/_local/health', ready, key);
    request.setTimeout(healthLimitMs, () => request.destroy(new Error('no answer')));
    request.once('error', () => resolve('absent'));
    request.once('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.once('error', () => resolve('absent'));
      answer.once('end', () => {
        if (answer.statusCode === 401) resolve('refused');
        else resolve(readHealth(text) ?? 'absent');
      });
    });
  });
}

function readHealth(text: string): Health | undefined {
  try {
    return Health.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // Some other program's answer.
  }
}

export interface Hold {
  /** Resolves when the service has gone; never after `release`. */
  readonly lost: Promise<void>;
  release(): void;
}

/** Keeps the service alive for as long as this window wants it. Undefined: it was gone already. */
export function hold(ready: Ready, key: string): Promise<Hold | undefined> {
  return new Promise((resolve) => {
    const request = open('/_local/hold', ready, key);
    let isReleased = false;
    request.once('error', () => resolve(undefined));
    request.once('response', (answer) => {
      if (answer.statusCode !== 200) {
        request.destroy();
        resolve(undefined);
        return;
      }
      const lost = new Promise<void>((tell) => {
        request.once('close', () => {
          if (!isReleased) tell();
        });
      });
      // Both ends may break it off; that is what `close` is for.
      request.on('error', () => undefined);
      answer.on('error', () => undefined).resume();
      resolve({
        lost,
        release() {
          isReleased = true;
          request.destroy();
        },
      });
    });
  });
}
