import { TimeoutError, abortedBy } from '../errors.ts';
import type { ErrorFacts } from '../errors.ts';
import type { Connections, HttpAnswer, OpenRequest } from '../platform/connections.ts';
import type { Clock } from './delay.ts';
import { failureFromThrown } from './failure.ts';

/** Uploads get this much more time: a slow line of 1 Mbit/s still gets a large file through. */
const slowestUploadBytesPerMs = 128;

interface SendContext {
  readonly connections: Connections;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** "GET /api/..." for messages. */
  readonly what: string;
  readonly facts: ErrorFacts;
}

function throwIfAborted({ signal, what, facts }: SendContext): void {
  if (signal?.aborted === true) throw abortedBy(signal, what, facts);
}

/** One attempt: a whole answer of any status, or one of our errors. */
export async function send(request: OpenRequest, context: SendContext): Promise<HttpAnswer> {
  const { connections, clock, maxBodyBytes, signal, what, facts } = context;
  throwIfAborted(context);
  const stop = new AbortController();
  const { body = '' } = request;
  const length = typeof body === 'string' ? body.length : body.byteLength;
  const uploadMs = length / slowestUploadBytesPerMs;
  const limitMs = Math.round(context.timeoutMs + uploadMs);
  const cancelDeadline = clock.schedule(limitMs, () => stop.abort());
  const onAbort = (): void => stop.abort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await connections.exchange(request, stop.signal, maxBodyBytes);
  } catch (error) {
    throwIfAborted(context);
    // Not the caller's signal, so it was the deadline.
    if (stop.signal.aborted) {
      throw new TimeoutError(
        { kind: 'no-answer-within', what, seconds: limitMs / 1_000 },
        { ...facts, hint: { kind: 'raise-timeout' }, cause: error },
      );
    }
    throw failureFromThrown(what, error, facts);
  } finally {
    cancelDeadline();
    signal?.removeEventListener('abort', onAbort);
  }
}
