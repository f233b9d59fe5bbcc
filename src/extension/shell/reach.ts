import http from 'node:http';
import * as z from 'zod';
import type { WindowKeys } from './local-access.ts';
import type { Ready } from '../local-service/folder.ts';
import { lazy } from './lazy.ts';

const healthLimitMs = 3_000;
const Health = lazy(() =>
  z.object({
    ok: z.boolean(),
    version: z.string(),
    pid: z.number(),
    /** Whether keys of model providers come from the windows that hold it. */
    takes_keys: z.boolean().default(false),
    /** Opens the same for a window in Restricted Mode. */
    restricted_key: z.string().optional(),
  }),
);
export type Health = z.output<ReturnType<typeof Health>>;

/** `refused`: somebody answers, but not to our key. `absent`: nobody answers. */
export type Reached = Health | 'refused' | 'absent';

function open(path: string, { socketPath }: Ready, key: string, body?: string): http.ClientRequest {
  const type = body !== undefined && { 'content-type': 'application/json' };
  const request = http.request({
    socketPath,
    path,
    method: body === undefined ? 'GET' : 'POST',
    host: 'localhost',
    agent: false,
    headers: { 'x-api-key': key, ...type },
  });
  request.end(body);
  return request;
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
    return Health().safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // Some other program's answer.
  }
}

export interface Hold {
  /** Resolves when the service has gone; never after `release`. */
  readonly lost: Promise<void>;
  /** Hands over other keys, without letting go. */
  renew(keys: WindowKeys): Promise<void>;
  release(): void;
}

interface Held {
  readonly closed: Promise<void>;
  end(): void;
}

/**
 * Keeps the service alive for as long as this window wants it, and hands it keys for as long.
 * Undefined: it was gone already.
 */
export async function hold(
  ready: Ready,
  key: string,
  keys: WindowKeys | undefined,
): Promise<Hold | undefined> {
  const first = await holdOnce(ready, key, keys);
  if (first === undefined) return undefined;
  let tellLost: () => void = () => undefined;
  const lost = new Promise<void>((tell) => (tellLost = tell));
  let current = first;
  const state = { isReleased: false };
  let turn = Promise.resolve();
  const hasEnded = (): boolean => state.isReleased;
  const watch = (held: Held): void => {
    void held.closed.then(() => {
      if (held === current && !state.isReleased) tellLost();
    });
  };
  const renew = async (next: WindowKeys): Promise<void> => {
    if (state.isReleased) return;
    const held = await holdOnce(ready, key, next);
    // Gone meanwhile, which the earlier one notices.
    if (held === undefined) return;
    const before = current;
    current = held;
    watch(held);
    before.end();
    // Released while it was opened.
    if (hasEnded()) held.end();
  };
  watch(first);
  return {
    lost,
    renew: (next) => (turn = turn.then(() => renew(next))),
    release() {
      state.isReleased = true;
      current.end();
    },
  };
}

function holdOnce(
  ready: Ready,
  key: string,
  keys: WindowKeys | undefined,
): Promise<Held | undefined> {
  return new Promise((resolve) => {
    const request = open('/_local/hold', ready, key, keys && JSON.stringify(keys));
    request.once('error', () => resolve(undefined));
    request.once('response', (answer) => {
      if (answer.statusCode !== 200) {
        request.destroy();
        resolve(undefined);
        return;
      }
      const closed = new Promise<void>((tell) => request.once('close', () => tell()));
      // Both ends may break it off; that is what `close` is for.
      request.on('error', () => undefined);
      answer.on('error', () => undefined).resume();
      resolve({ closed, end: () => void request.destroy() });
    });
  });
}
