import type { ErrorAdvice } from '../errors.ts';
import { TimeoutError, abortedBy } from '../errors.ts';
import { decodeText } from '#platform';
import { collect, tooLarge } from '../http/body.ts';
import type { Clock } from '../http/delay.ts';
import { delay } from '../http/delay.ts';
import { failureFromThrown } from '../http/failure.ts';
import type { Reach } from '../http/reach.ts';
import { readRetryAfter, readRetryAfterMs } from '../http/retry.ts';
import type { Logger } from '../logger.ts';
import type { Connections, OpenAnswer } from '../platform/connections.ts';
import { ProviderError, errorTypeOf, errorWordsOf } from './provider-error.ts';
import type { ProviderRequest } from './provider.ts';
import { isUnreached, unreachedError } from './unreached.ts';
import { shortened } from '../shortened.ts';

const maxErrorBodyBytes = 256 * 1024;
const maxMessageLength = 500;

/** What the makers' own clients do: two more tries, half a second and more apart. */
const maxRetries = 2;
const firstWaitMs = 500;
const maxWaitMs = 8_000;
const maxRetryAfterMs = 60_000;
/** A server that can't be connected to is not tried again when so much time is gone. */
const maxConnectMs = 5_000;

export interface ExchangeSettings {
  readonly connections: Pick<Connections, 'open'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  /** The longest silence: before the head of the answer, and between two pieces of its body. */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly provider: string;
  /** 429 goes to the caller at once, who waits together with others. */
  readonly leavesRateLimits?: boolean | undefined;
  /** What others have found out about servers that are not there. */
  readonly reach?: Reach | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A body that is read piece by piece, or not to its end: then the socket is closed. */
export interface ProviderAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: AsyncGenerator<Uint8Array, void>;
  /** Ends the exchange at the socket, read or not. */
  readonly close: () => void;
}

/** Ends the exchange when the caller cancels, and when nothing comes for too long. */
class Patience {
  readonly signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #settings: ExchangeSettings;
  readonly #onAbort = (): void => this.#stop.abort();
  #cancelTimer: () => void = () => undefined;
  #isOver = false;

  constructor(settings: ExchangeSettings) {
    this.#settings = settings;
    this.signal = this.#stop.signal;
    settings.signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.wait();
  }

  wait(): void {
    this.rest();
    const { clock, timeoutMs } = this.#settings;
    this.#cancelTimer = clock.schedule(timeoutMs, () => {
      this.#isOver = true;
      this.#stop.abort();
    });
  }

  /** Nobody waits: the reader is busy with what it has. */
  rest(): void {
    this.#cancelTimer();
  }

  /** Nobody wants the rest. */
  end(): void {
    this.release();
    this.#stop.abort();
  }

  release(): void {
    this.rest();
    this.#settings.signal?.removeEventListener('abort', this.#onAbort);
  }

  /** What was thrown while waiting -> what it means. */
  explain(error: unknown, what: string): unknown {
    const { signal, timeoutMs, redact } = this.#settings;
    if (signal?.aborted === true) return abortedBy(signal, what);
    if (this.#isOver) {
      return new TimeoutError(
        { kind: 'silent', what, seconds: timeoutMs / 1_000 },
        { hint: { kind: 'raise-provider-timeout' }, cause: error },
      );
    }
    return failureFromThrown(redact(what), error, {});
  }
}

async function* readBody(
  answer: OpenAnswer,
  patience: Patience,
  what: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  try {
    patience.wait();
    for await (const chunk of answer.body) {
      patience.rest();
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
      patience.wait();
    }
  } catch (error) {
    // Of a provider that this program has itself.
    if (error instanceof ProviderError) throw error;
    throw patience.explain(error, what);
  } finally {
    patience.release();
  }
}

function clip(text: string): string {
  return shortened(text.replace(/\p{Cc}+/gu, ' ').trim(), maxMessageLength);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Proxies and gateways answer in plain text or HTML.
    return /^\s*</.test(text) ? 'the answer is a web page' : text;
  }
}

const hints: Readonly<Record<string, ErrorAdvice>> = {
  PROVIDER_AUTH_ERROR: { kind: 'check-provider-key' },
  PROVIDER_RATE_LIMIT: { kind: 'raise-account-limit' },
  PROVIDER_QUOTA_LIMIT: { kind: 'check-plan' },
};

async function refusal(
  answer: OpenAnswer,
  what: string,
  { provider, redact, clock }: ExchangeSettings,
): Promise<ProviderError> {
  const { status, headers } = answer;
  let text = '';
  try {
    text = decodeText(await collect(answer.body, maxErrorBodyBytes));
  } catch {
    // What counts is the status; the words that go with it can be done without.
  }
  const clean = redact(text);
  const body = clean === '' ? undefined : parsed(clean);
  const { message, code = headers['x-amzn-errortype']?.split(':')[0] } = errorWordsOf(body);
  const errorType = errorTypeOf({ status, code, message });
  return new ProviderError(
    { kind: 'provider-answered', what, status, words: clip(message ?? '') },
    {
      provider,
      status,
      errorType,
      providerCode: code,
      body,
      hint: hints[errorType],
      requestId: headers['x-request-id'] ?? headers['request-id'] ?? headers['x-amzn-requestid'],
      retryAfterMs:
        readRetryAfterMs(headers['retry-after-ms']) ??
        readRetryAfter(headers['retry-after'], clock.now()),
      retryable:
        headers['x-should-retry'] === undefined
          ? status === 408 || status === 409 || status === 429 || status >= 500
          : headers['x-should-retry'] === 'true',
    },
  );
}

async function openOnce(
  request: ProviderRequest,
  what: string,
  settings: ExchangeSettings,
): Promise<ProviderAnswer> {
  if (settings.signal?.aborted === true) throw abortedBy(settings.signal, what);
  const patience = new Patience(settings);
  let isHandedOver = false;
  try {
    const url = new URL(request.url);
    const answer = await settings.connections.open(
      {
        method: request.method ?? 'POST',
        url,
        path: `${url.pathname}${url.search}`,
        headers: request.headers,
        body: request.body,
      },
      patience.signal,
    );
    // A redirect is not followed: it would take the key to another host.
    if (answer.status < 200 || answer.status >= 300) throw await refusal(answer, what, settings);
    isHandedOver = true;
    patience.rest();
    return {
      headers: answer.headers,
      bytes: readBody(answer, patience, what, settings.maxBodyBytes),
      close: () => patience.end(),
    };
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw (
      unreachedError(error, new URL(request.url), settings.provider) ??
      patience.explain(error, what)
    );
  } finally {
    if (!isHandedOver) patience.release();
  }
}

const isRetryable = (error: unknown): error is ProviderError =>
  error instanceof Error && 'retryable' in error && error.retryable === true;

/**
 * Sends a request to a provider; resolves when a good answer begins. Faults before that are tried
 * again twice, less often where nobody listens. Errors: ProviderError (any other status), NetworkError, TimeoutError,
 * ConfigurationError (certificates, proxy), CancelledError.
 */
export async function openProvider(
  request: ProviderRequest,
  settings: ExchangeSettings,
): Promise<ProviderAnswer> {
  const { host, origin, pathname } = new URL(request.url);
  const { reach, clock } = settings;
  reach?.throwIfSlow(origin);
  const wasAway = reach?.isAway(origin) === true;
  const began = clock.now();
  const what = settings.redact(`${settings.provider} (${host}${pathname})`);
  for (let failures = 0; ; failures += 1) {
    try {
      const answer = await openOnce(request, what, settings);
      reach?.answered(origin);
      return answer;
    } catch (error) {
      const tookMs = clock.now() - began;
      if (!isUnreached(error)) {
        if (error instanceof ProviderError) reach?.answered(origin);
      } else if (wasAway || failures >= maxRetries || tookMs > maxConnectMs) {
        reach?.failed(origin, error, failures === 0 ? tookMs : 0);
        throw error;
      }
      if (!isRetryable(error) || failures >= maxRetries) throw error;
      if (settings.leavesRateLimits === true && error.status === 429) throw error;
      const askedMs = error.retryAfterMs ?? 0;
      if (askedMs > maxRetryAfterMs) throw error;
      const waitMs = askedMs > 0 ? askedMs : Math.min(firstWaitMs * 2 ** failures, maxWaitMs);
      settings.logger.info(
        `${error.message} Trying again in ${(waitMs / 1_000).toFixed(1)} seconds.`,
      );
      await delay(waitMs, { ...settings, what });
    }
  }
}

/** The whole answer as bytes. */
export async function fetchProvider(
  request: ProviderRequest,
  settings: ExchangeSettings,
): Promise<{ readonly bytes: Uint8Array; readonly type: string }> {
  const { bytes, headers } = await openProvider(request, settings);
  const whole = await collect(bytes, settings.maxBodyBytes);
  return { bytes: whole, type: headers['content-type'] ?? '' };
}

/** The whole answer as JSON. */
export async function fetchProviderJson(
  request: ProviderRequest,
  settings: ExchangeSettings,
): Promise<unknown> {
  const { bytes } = await fetchProvider(request, settings);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (cause) {
    throw new ProviderError(
      { kind: 'provider-not-json', provider: settings.provider },
      { provider: settings.provider, hint: { kind: 'check-provider-url' }, cause },
    );
  }
}
