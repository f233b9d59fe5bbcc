import http from 'node:http';
import * as z from 'zod';
import { RelayOrder } from '../../core/providers/host/relay-messages.ts';
import type { RelayAnswer } from '../../core/providers/host/relay-messages.ts';
import type { HeldWith } from './local-access.ts';
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

const readHealth = (text: string): Health | undefined => Health().safeParse(parsed(text)).data;

/** Undefined: no JSON, which is some other program's answer. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Hold {
  /** Resolves when the service has gone; never after `release`. */
  readonly lost: Promise<void>;
  /** Hands over something else, without letting go. */
  renew(given: HeldWith): Promise<void>;
  release(): void;
}

interface Held {
  readonly closed: Promise<void>;
  end(): void;
}

/** What the service wants of a window that holds it. */
export type OnOrder = (order: RelayOrder) => void;

/**
 * Keeps the service alive for as long as this window wants it, and hands it keys for as long.
 * Undefined: it was gone already.
 */
export async function hold(
  ready: Ready,
  key: string,
  given: HeldWith | undefined,
  onOrder: OnOrder = () => undefined,
): Promise<Hold | undefined> {
  const first = await holdOnce(ready, key, given, onOrder);
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
  const renew = async (next: HeldWith): Promise<void> => {
    if (state.isReleased) return;
    const held = await holdOnce(ready, key, next, onOrder);
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
  given: HeldWith | undefined,
  onOrder: OnOrder,
): Promise<Held | undefined> {
  return new Promise((resolve) => {
    const request = open('/_local/hold', ready, key, given && JSON.stringify(given));
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
      answer.on('error', () => undefined);
      readOrders(answer, onOrder);
      resolve({ closed, end: () => void request.destroy() });
    });
  });
}

/** Lines of JSON; the first says that the service is held. */
function readOrders(answer: http.IncomingMessage, onOrder: OnOrder): void {
  let begun: string[] = [];
  const take = (line: string): void => {
    const order = RelayOrder.safeParse(parsed(line));
    if (order.success) onOrder(order.data);
  };
  answer.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...lines] = text.split('\n');
    begun.push(first);
    for (const next of lines) {
      take(begun.join(''));
      begun = [next];
    }
  });
}

/** Answers what the service has asked of this window. Rejects when it has gone; false: nobody waits for it. */
export function answerOrder(
  ready: Ready,
  key: string,
  id: string,
  answer: RelayAnswer,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const path = `/_local/answers/${encodeURIComponent(id)}`;
    const request = open(path, ready, key, JSON.stringify(answer));
    request.once('error', reject);
    request.once('response', (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      if (status === 204 || status === 410) resolve(status === 204);
      else reject(new Error(`The local service answered ${String(status)}.`));
    });
  });
}
