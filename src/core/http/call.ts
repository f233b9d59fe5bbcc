import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../../api/endpoint.ts';
import { ValidationError } from '../errors.ts';
import type { SettledOptions } from '../options.ts';
import type { Connections } from '../platform/connections.ts';
import { readAnswer } from './answer.ts';
import { stringifyJson } from './json.ts';
import { checkSendable } from './sendable.ts';
import type { ReadResult } from './read.ts';
import { readWith } from './read.ts';
import { withRetries } from './retry.ts';
import { send } from './send.ts';
import type { Lifetime } from './lifetime.ts';
import type { StreamedBytes } from './streamed-body.ts';

/** The last argument of every method. */
export interface CallOptions {
  /** Aborting it ends the request at the socket, and any wait between attempts. */
  readonly signal?: AbortSignal | undefined;
  /** False: one attempt, for what can be done without, or must not be carried out twice. */
  readonly retries?: boolean | undefined;
}

interface CallInput<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query?: QueryOf<E> | undefined;
  readonly body?: BodyOf<E> | undefined;
  /** In the place of `body`: the same as JSON text, made while it is sent. */
  readonly streamed?: StreamedBytes | undefined;
}

/** How a call differs from most. */
interface SendOptions {
  /** More headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** 10.0 is an ExactNumber, and not 10. */
  readonly numbersAsWritten?: boolean | undefined;
}

/** Calls an endpoint. The answer is what its schema makes of it, or what `read` does. */
export interface Call {
  <E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    options?: CallOptions & {
      /** `success: false` under a 2xx status is one of the documented answers of this endpoint. */
      readonly allowsRefusal?: boolean | undefined;
    } & SendOptions,
  ): Promise<AnswerOf<E>>;
  <E extends Endpoint, T>(
    endpoint: E,
    input: CallInput<E>,
    options: CallOptions & {
      readonly allowsRefusal?: boolean | undefined;
      readonly read: (json: unknown, status: number) => ReadResult<T>;
    } & SendOptions,
  ): Promise<T>;
}

interface AnyCallOptions extends CallOptions, SendOptions {
  readonly allowsRefusal?: boolean | undefined;
  readonly read?: ((json: unknown, status: number) => ReadResult<unknown>) | undefined;
}

/** The path of an endpoint with its parameters, each encoded. */
export function fillPath(endpoint: Endpoint, params: Readonly<Record<string, string>>): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = params[name] ?? '';
    // An empty or dotted segment would silently address another resource.
    if (value === '' || value === '.' || value === '..') {
      throw new ValidationError(
        { kind: 'invalid-argument', doing: endpoint.summary, problem: `${name} is missing` },
        {
          method: endpoint.method,
          path: endpoint.path,
          hint: { kind: 'argument', words: `Give the id in ${name}.` },
        },
      );
    }
    return encodeURIComponent(value);
  });
}

/** `?a=b`, or nothing. A list is the name several times. */
export function queryText(query: Readonly<Record<string, unknown>> | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) pairs.append(name, String(item));
      continue;
    }
    pairs.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}

/** Endpoint declaration -> function that calls it: retries, decoding, parsing, typed errors. */
export function makeCall(
  settled: SettledOptions,
  connections: Connections,
  lifetime: Lifetime,
): Call {
  const { clock, logger, redact, reach, baseURL } = settled;
  const basePath = settled.baseURL.pathname.replace(/\/+$/, '');

  const call = async (
    endpoint: Endpoint,
    { params, query, body, streamed }: CallInput<Endpoint>,
    options: AnyCallOptions = {},
  ): Promise<unknown> => {
    const { signal, read, allowsRefusal = false, retries = true, headers } = options;
    const path = fillPath(endpoint, params);
    checkSendable(query, endpoint.summary);
    checkSendable(body, endpoint.summary);
    const what = redact(`${endpoint.method} ${path}`);
    const facts = { method: endpoint.method, path: redact(path) };
    const request = {
      method: endpoint.method,
      url: settled.baseURL,
      path: `${basePath}${path}${queryText(query)}`,
      headers: {
        accept: 'application/json',
        'user-agent': settled.userAgent,
        'x-api-key': settled.apiKey,
        ...((body ?? streamed) !== undefined && { 'content-type': 'application/json' }),
        ...(streamed !== undefined && { 'content-length': String(streamed.byteLength) }),
        ...headers,
      },
      body: streamed ?? (body === undefined ? undefined : stringifyJson(body)),
    };
    const joined = lifetime.join(signal);
    const context = { ...settled, connections, signal: joined.signal, what, facts };
    const attempt = async (): Promise<unknown> =>
      readAnswer(await send(request, context), {
        what,
        facts,
        redact,
        now: clock.now(),
        sentCursor: typeof query?.['cursor'] === 'string',
        allowsRefusal,
        numbersAsWritten: options.numbersAsWritten ?? false,
        read: read ?? ((json) => readWith(endpoint.answer, json)),
      });
    try {
      return await (retries
        ? withRetries(attempt, { what, clock, logger, reach, baseURL, signal: joined.signal })
        : attempt());
    } finally {
      joined.release();
    }
  };
  // The endpoint's schema (or `read`) has checked the answer, which is what the overloads promise.
  return call;
}
