import type { ErrorFacts, ErrorReason } from '../errors.ts';
import { PromptTablesError, isCancellation } from '../errors.ts';
import { mapTexts } from '../errors/texts.ts';
import { textOf } from '../mapping.ts';
import { anything, list, object, readerOf } from './reader.ts';

/** The categories of the request log. */
export type ProviderErrorType =
  | 'PROVIDER_RATE_LIMIT'
  | 'PROVIDER_QUOTA_LIMIT'
  | 'PROVIDER_TIMEOUT'
  | 'PROVIDER_AUTH_ERROR'
  | 'PROVIDER_ERROR'
  | 'UNKNOWN_ERROR';

interface ProviderErrorFacts extends ErrorFacts {
  readonly provider: string;
  readonly errorType?: ProviderErrorType | undefined;
  /** The provider's own name of the fault. */
  readonly providerCode?: string | undefined;
  /** Its whole error body, without secrets. */
  readonly body?: unknown;
}

/** The model's provider refused, failed or broke off. Your template and the service are fine. */
export class ProviderError extends PromptTablesError {
  override readonly name = 'ProviderError';
  readonly provider: string;
  /** As it is logged. */
  readonly errorType: ProviderErrorType;
  readonly providerCode: string | undefined;
  readonly body: unknown;
  constructor(said: ErrorReason | string, facts: ProviderErrorFacts) {
    super('provider', said, facts);
    this.provider = facts.provider;
    this.errorType = facts.errorType ?? 'PROVIDER_ERROR';
    this.providerCode = facts.providerCode;
    this.body = facts.body;
  }
}

const quota = /quota|insufficient.?(?:funds|credits|balance)|billing/i;
const timedOut = /time[d\s-]?\s?out/i;

/** The first that fits, as the log of requests tells them apart. */
export function errorTypeOf({
  status,
  code = '',
  message = '',
}: {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}): ProviderErrorType {
  if (status === 429 || /rate.?limit|throttl|resource.?exhausted/i.test(code)) {
    return 'PROVIDER_RATE_LIMIT';
  }
  if (status === 408 || status === 504 || timedOut.test(code)) return 'PROVIDER_TIMEOUT';
  if (status === 401 || /authentication|unauthenticated|invalid.?api.?key/i.test(code)) {
    return 'PROVIDER_AUTH_ERROR';
  }
  if (quota.test(message) || quota.test(code)) return 'PROVIDER_QUOTA_LIMIT';
  if (timedOut.test(message)) return 'PROVIDER_TIMEOUT';
  return status === undefined && code === '' ? 'UNKNOWN_ERROR' : 'PROVIDER_ERROR';
}

/** The category of whatever a provider call threw. */
export function errorTypeOfThrown(error: unknown): ProviderErrorType {
  if (error instanceof ProviderError) return error.errorType;
  if (error instanceof PromptTablesError && error.code === 'timeout') return 'PROVIDER_TIMEOUT';
  if (isCancellation(error) || !(error instanceof Error)) return 'UNKNOWN_ERROR';
  const code = error instanceof PromptTablesError ? '' : error.name;
  return errorTypeOf({ code: code === 'Error' ? '' : code, message: error.message });
}

const body = object({
  /** The fault itself, or its message. */
  error: anything,
  message: anything,
  Message: anything,
  detail: anything,
  msg: anything,
  error_msg: anything,
  code: anything,
  type: anything,
  status: anything,
  __type: anything,
});
const readBody = readerOf(body);
const readDetails = readerOf(list(object({ msg: anything })));

/** Codes come as numbers, too. */
const wordOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : textOf(value) || undefined;

export interface ErrorWords {
  readonly message: string | undefined;
  readonly code: string | undefined;
}

/**
 * Message and code of an error body of any provider: `{ error: { message, type, code, status } }`,
 * `{ error: "..." }`, `{ message }`, `{ detail }`, a list with one of these.
 */
export function errorWordsOf(given: unknown): ErrorWords {
  if (Array.isArray(given)) return errorWordsOf(given[0]);
  const outer = readBody(given);
  if (outer === undefined) return { message: wordOf(given), code: undefined };
  const { message, Message, detail, msg, error_msg, code, type, status, __type } =
    readBody(outer.error) ?? outer;
  const details = readDetails(detail)
    ?.flatMap(({ msg }) => wordOf(msg) ?? [])
    .join('; ');
  return {
    message: [message, Message, outer.error, details ?? detail, msg, error_msg]
      .map(wordOf)
      .find((words) => words !== undefined),
    // An HTTP status repeated as the code says less than the type.
    code: [code, type, status, __type]
      .map(wordOf)
      .find((text) => text !== undefined && !/^\d+$/.test(text)),
  };
}

/** An error that comes as an event, under status 200. */
export function streamError(provider: string, given: unknown): ProviderError {
  const { message, code } = errorWordsOf(given);
  const outer = readBody(given);
  const inner = readBody(outer?.error) ?? outer;
  const number = Number(inner?.code ?? inner?.status);
  const status = number >= 400 && number < 600 ? number : undefined;
  return new ProviderError(
    { kind: 'provider-stopped', provider, words: message ?? '' },
    {
      provider,
      errorType: errorTypeOf({ status, code: code ?? 'stream', message }),
      providerCode: code,
      body: given,
    },
  );
}

/** The same error without secrets: a provider may repeat the key that it does not like. */
export function withoutSecrets(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { message, body, providerCode, cause, advice } = error;
  const reason = cause instanceof Error ? cause.stack : undefined;
  const reported = JSON.stringify([message, body, providerCode, reason]);
  if (redact(reported) === reported) return error;
  const text = body === undefined ? undefined : redact(JSON.stringify(body));
  const clean = new ProviderError(
    error.reason === undefined ? redact(message) : mapTexts(error.reason, redact),
    {
      provider: error.provider,
      errorType: error.errorType,
      providerCode: providerCode === undefined ? undefined : redact(providerCode),
      body: text === undefined ? undefined : (JSON.parse(text) as unknown),
      status: error.status,
      requestId: error.requestId,
      hint: advice === undefined ? error.hint : mapTexts(advice, redact),
      retryable: error.retryable,
      retryAfterMs: error.retryAfterMs,
      cause: cause instanceof Error ? new Error(redact(cause.message)) : undefined,
    },
  );
  clean.attempts = error.attempts;
  return clean;
}

/** The end came before the provider had said that this was all. */
export function brokenOff(provider: string, isAnything = false): ProviderError {
  return new ProviderError(
    { kind: 'provider-broke-off', provider },
    {
      provider,
      errorType: 'PROVIDER_ERROR',
      hint: { kind: isAnything ? 'use-partial' : 'run-again' },
    },
  );
}
