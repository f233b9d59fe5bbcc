import type { Endpoint, ParamsOf, QueryOf } from '../../api/endpoint.ts';
import { TimeoutError, abortedBy } from '../errors.ts';
import type { SettledOptions } from '../options.ts';
import type { Connections, OpenAnswer, OpenRequest } from '../platform/connections.ts';
import { readAnswer } from './answer.ts';
import { BodyError, collect } from './body.ts';
import type { CallOptions } from './call.ts';
import { fillPath, queryText } from './call.ts';
import { failureFromThrown } from './failure.ts';
import { withRetries } from './retry.ts';
import type { Lifetime } from './lifetime.ts';

const maxErrorBodyBytes = 1024 * 1024;

/** Calls an endpoint whose answer is a file; its bytes come as they arrive. */
export type Download = <E extends Endpoint>(
  endpoint: E,
  input: { readonly params: ParamsOf<E>; readonly query?: QueryOf<E> | undefined },
  options?: CallOptions,
) => AsyncGenerator<Uint8Array, void, undefined>;

/**
 * Tries until the answer has begun; then a break is an error, for what has been handed out can't be
 * taken back. Leaving the loop closes the socket. `timeoutMs` is the longest silence.
 */
export function makeDownload(
  settled: SettledOptions,
  connections: Connections,
  lifetime: Lifetime,
): Download {
  const { baseURL, clock, logger, reach, redact, timeoutMs } = settled;
  const basePath = settled.baseURL.pathname.replace(/\/+$/, '');

  return async function* download(endpoint, { params, query }, { signal } = {}) {
    const path = fillPath(endpoint, params);
    const what = redact(`${endpoint.method} ${path}`);
    const facts = { method: endpoint.method, path: redact(path) };
    const request: OpenRequest = {
      method: endpoint.method,
      url: settled.baseURL,
      path: `${basePath}${path}${queryText(query)}`,
      headers: {
        accept: '*/*',
        'user-agent': settled.userAgent,
        'x-api-key': settled.apiKey,
      },
      body: undefined,
    };
    const joined = lifetime.join(signal);
    const stop = new AbortController();
    const onAbort = (): void => stop.abort();
    joined.signal.addEventListener('abort', onAbort, { once: true });
    let cancelTimer = (): void => undefined;
    let isSilent = false;
    const listen = (): void => {
      cancelTimer();
      cancelTimer = clock.schedule(timeoutMs, () => {
        isSilent = true;
        stop.abort();
      });
    };
    const explain = (error: unknown): unknown => {
      if (joined.signal.aborted) return abortedBy(joined.signal, what, facts);
      if (isSilent) {
        return new TimeoutError(
          { kind: 'silent', what, seconds: timeoutMs / 1_000 },
          { ...facts, hint: { kind: 'raise-timeout' }, cause: error },
        );
      }
      return failureFromThrown(what, error, facts);
    };
    const begin = async (): Promise<OpenAnswer> => {
      if (joined.signal.aborted) throw abortedBy(joined.signal, what, facts);
      listen();
      const answer = await connections.open(request, stop.signal).catch((error: unknown) => {
        throw explain(error);
      });
      if (answer.status >= 200 && answer.status < 300) return answer;
      const body = await errorBody(answer).catch((error: unknown) => {
        throw explain(error);
      });
      return readAnswer<OpenAnswer>(
        { status: answer.status, headers: answer.headers, body },
        {
          what,
          facts,
          redact,
          now: clock.now(),
          sentCursor: false,
          allowsRefusal: false,
          numbersAsWritten: false,
          read: () => ({ ok: true, value: answer }),
        },
      );
    };
    try {
      const context = { what, clock, logger, reach, baseURL, signal: joined.signal };
      const answer = await withRetries(begin, context);
      try {
        listen();
        for await (const piece of answer.body) {
          // Nobody waits while the reader is busy with what it has.
          cancelTimer();
          yield piece;
          listen();
        }
      } catch (error) {
        throw explain(error);
      }
    } finally {
      cancelTimer();
      joined.signal.removeEventListener('abort', onAbort);
      joined.release();
      stop.abort();
    }
  };
}

async function errorBody(answer: OpenAnswer): Promise<Uint8Array> {
  try {
    return await collect(answer.body, maxErrorBodyBytes);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    // What counts is the status; the words that go with it can be done without.
    return new Uint8Array();
  }
}
