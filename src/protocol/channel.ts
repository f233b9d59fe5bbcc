/**
 * Requests, answers, cancellations and events over any pair of `postMessage` ends.
 * Every request ends: with an answer, with an error, or because the channel was closed.
 */

export interface Port {
  post(message: unknown): void;
  /** Number of the first request, where it has been sent already. */
  readonly firstId?: number;
  /** Returns a function that stops listening. */
  listen(listener: (message: unknown) => void): () => void;
}

export type RequestMap = Readonly<
  Record<string, { readonly params: unknown; readonly result: unknown }>
>;
export type EventMap = Readonly<Record<string, unknown>>;

export type Handlers<Requests extends RequestMap> = {
  readonly [Name in keyof Requests]: (
    params: Requests[Name]['params'],
    signal: AbortSignal,
  ) => Promise<Requests[Name]['result']> | Requests[Name]['result'];
};

export type Listeners<Events extends EventMap> = {
  readonly [Name in keyof Events]: (payload: Events[Name]) => void;
};

/** An error as it crosses: a text for the user, what to do next, and a code to branch on. */
export interface SentError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** What a request rejects with when the other side failed. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(sent: SentError) {
    super(sent.message);
    this.code = sent.code;
    this.hint = sent.hint;
  }
}

type Frame =
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly name: string;
      readonly params: unknown;
    }
  | { readonly kind: 'answer'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'event'; readonly name: string; readonly payload: unknown };

export interface Channel<Theirs extends RequestMap, Outgoing extends EventMap> {
  request<Name extends keyof Theirs & string>(
    name: Name,
    params: Theirs[Name]['params'],
    signal?: AbortSignal,
  ): Promise<Theirs[Name]['result']>;
  emit<Name extends keyof Outgoing & string>(name: Name, payload: Outgoing[Name]): void;
  /** Rejects what is pending, aborts what is being answered, stops listening. */
  close(): void;
}

export interface ChannelOptions<Mine extends RequestMap, Incoming extends EventMap> {
  readonly port: Port;
  readonly handlers: Handlers<Mine>;
  readonly listeners: Listeners<Incoming>;
  /** Checks what the other side sent; throws when it does not fit. Returns the checked value. */
  readonly check: (kind: 'request' | 'event', name: string, payload: unknown) => unknown;
  readonly describeError: (error: unknown) => SentError;
  /** A frame that fits nothing, or a listener that failed: to be logged. */
  readonly onFault: (fault: unknown) => void;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function isSentError(value: unknown): value is SentError {
  return (
    isRecord(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string'
  );
}

/** Reads a frame; undefined when the message is not one of ours. */
export function readFrame(message: unknown): Frame | undefined {
  if (!isRecord(message)) return undefined;
  const { kind, id, name } = message;
  if (kind === 'event') {
    return typeof name === 'string' ? { kind, name, payload: message['payload'] } : undefined;
  }
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  switch (kind) {
    case 'request':
      return typeof name === 'string' ? { kind, id, name, params: message['params'] } : undefined;
    case 'answer':
      return { kind, id, result: message['result'] };
    case 'failure':
      return isSentError(message['error']) ? { kind, id, error: message['error'] } : undefined;
    case 'cancel':
      return { kind, id };
    default:
      return undefined;
  }
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly release: () => void;
}

export function openChannel<
  Mine extends RequestMap,
  Theirs extends RequestMap,
  Incoming extends EventMap,
  Outgoing extends EventMap,
>(options: ChannelOptions<Mine, Incoming>): Channel<Theirs, Outgoing> {
  const { port, describeError, onFault } = options;
  const handlers = new Map(Object.entries(options.handlers as Handlers<RequestMap>));
  const listeners = new Map(Object.entries(options.listeners as Listeners<EventMap>));
  const pending = new Map<number, Pending>();
  const answering = new Map<number, AbortController>();
  // Not from 1: VS Code may hand a page that is loaded anew what was meant for the one before it,
  // and no late answer must find a request with its number.
  let nextId = port.firstId ?? 1 + Math.floor(Math.random() * 2 ** 40);
  let closed = false;
  const send = (frame: Frame): void => {
    if (!closed) port.post(frame);
  };

  async function answer(id: number, name: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    answering.set(id, controller);
    try {
      const handler = handlers.get(name);
      if (handler === undefined) throw new Error(`unknown request: ${name}`);
      const checked = options.check('request', name, params);
      send({ kind: 'answer', id, result: await handler(checked, controller.signal) });
    } catch (error) {
      send({ kind: 'failure', id, error: describeError(error) });
    } finally {
      answering.delete(id);
    }
  }

  function settle(id: number, end: (entry: Pending) => void): void {
    const entry = pending.get(id);
    if (entry === undefined) return; // cancelled here before the answer came
    pending.delete(id);
    entry.release();
    end(entry);
  }

  function receive(message: unknown): void {
    const frame = readFrame(message);
    if (frame === undefined) {
      onFault(new Error("a message that isn't a frame of this channel"));
      return;
    }
    switch (frame.kind) {
      case 'request':
        void answer(frame.id, frame.name, frame.params);
        break;
      case 'answer':
        settle(frame.id, (entry) => entry.resolve(frame.result));
        break;
      case 'failure':
        settle(frame.id, (entry) => entry.reject(new ChannelError(frame.error)));
        break;
      case 'cancel':
        answering.get(frame.id)?.abort();
        break;
      case 'event':
        try {
          const listener = listeners.get(frame.name);
          if (listener === undefined) throw new Error(`unknown event: ${frame.name}`);
          listener(options.check('event', frame.name, frame.payload));
        } catch (error) {
          onFault(error);
        }
    }
  }

  const stop = port.listen(receive);

  return {
    request(name, params, signal) {
      return new Promise((resolve, reject) => {
        if (closed) {
          reject(new ChannelError({ code: 'closed', message: 'The view was closed.' }));
          return;
        }
        if (signal?.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const id = nextId++;
        const cancel = (): void => {
          send({ kind: 'cancel', id });
          settle(id, (entry) => entry.reject(signal?.reason));
        };
        signal?.addEventListener('abort', cancel, { once: true });
        pending.set(id, {
          resolve: resolve,
          reject,
          release: () => signal?.removeEventListener('abort', cancel),
        });
        send({ kind: 'request', id, name, params });
      });
    },
    emit(name, payload) {
      send({ kind: 'event', name, payload });
    },
    close() {
      if (closed) return;
      closed = true;
      stop();
      for (const id of [...pending.keys()]) {
        settle(id, (entry) =>
          entry.reject(new ChannelError({ code: 'closed', message: 'The view was closed.' })),
        );
      }
      for (const controller of answering.values()) controller.abort();
    },
  };
}
