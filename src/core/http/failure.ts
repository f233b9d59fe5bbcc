import type { ErrorDetail, ErrorText } from '../../api/error-body.ts';
import { readErrorBody, readErrorDetail } from '../../api/error-body.ts';
import type { ErrorAdvice, ErrorFacts, PromptTablesError } from '../errors.ts';
import {
  AuthenticationError,
  CancelledError,
  ConfigurationError,
  ConflictError,
  InvalidCursorError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
  ValidationError,
  isPromptTablesError,
} from '../errors.ts';
import { BodyError } from './body.ts';
import { readRetryAfter } from './retry.ts';
import { ProxyRefusal } from './proxy-refusal.ts';
import { shortened } from '../shortened.ts';

const maxMessageLength = 500;

/** OpenSSL and Node names of certificate and protocol faults: settings, not weather. */
const certificateFault =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|EPROTO|PATH_LENGTH_EXCEEDED)/;

const timeoutCodes = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Faults of the request itself: sending it again gives the same. */
const requestFaults = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'ERR_INVALID_ARG_TYPE',
  'ERR_INVALID_ARG_VALUE',
  'ERR_INVALID_CHAR',
  'ERR_INVALID_URL',
]);

const hints: Readonly<Record<string, ErrorAdvice>> = {
  ENOTFOUND: { kind: 'check-network' },
  EAI_AGAIN: { kind: 'check-name-server' },
  ECONNREFUSED: { kind: 'start-service' },
  ENOENT: { kind: 'start-local-service' },
  EACCES: { kind: 'open-socket' },
};

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  // undici gives it no code when the very first bytes are not HTTP.
  return error.name === 'HTTPParserError' ? 'HPE' : undefined;
}

function proxyFailure(what: string, refusal: ProxyRefusal, facts: ErrorFacts): PromptTablesError {
  const { status } = refusal;
  if (status === 407) {
    return new ConfigurationError(
      { kind: 'proxy-credentials', what },
      { ...facts, hint: { kind: 'set-proxy-credentials' }, cause: refusal },
    );
  }
  if (status >= 500) {
    return new NetworkError({ kind: 'proxy-failed', what, status }, { ...facts, cause: refusal });
  }
  return new ConfigurationError(
    { kind: 'proxy-forbids', what, status },
    { ...facts, hint: { kind: 'exempt-from-proxy' }, cause: refusal },
  );
}

function bodyFailure(what: string, error: BodyError, facts: ErrorFacts): PromptTablesError {
  const reason = { ...error.fault, what };
  if (reason.kind === 'cut-encoding') return new NetworkError(reason, { ...facts, cause: error });
  return new ResponseFormatError(reason, {
    ...facts,
    hint: reason.kind === 'too-large' ? { kind: 'ask-for-less' } : undefined,
    cause: error,
  });
}

/** What was thrown while sending or reading -> one of our errors. Bugs pass through untouched. */
export function failureFromThrown(what: string, error: unknown, facts: ErrorFacts): unknown {
  if (error instanceof ProxyRefusal) return proxyFailure(what, error, facts);
  if (error instanceof BodyError) return bodyFailure(what, error, facts);
  const code = codeOf(error);
  if (code === undefined || isPromptTablesError(error)) return error;
  const message = error instanceof Error ? error.message : '';
  // Of most faults Node's own message names the code.
  const words = message.includes(code) ? message : message === '' ? code : `${message} (${code})`;
  // A parser error carries the bytes it stumbled over, which may be anything.
  const cause = code.startsWith('HPE') ? new Error(words) : error;
  const known = { ...facts, hint: hints[code], cause };
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new CancelledError({ kind: 'canceled-by-close', what }, known);
  }
  if (certificateFault.test(code)) {
    return new ConfigurationError(
      { kind: 'no-secure-connection', what, words },
      { ...known, hint: { kind: 'trust-certificate' } },
    );
  }
  if (requestFaults.has(code)) {
    return new ConfigurationError({ kind: 'could-not-be-sent', what, words }, known);
  }
  if (timeoutCodes.has(code)) return new TimeoutError({ kind: 'timed-out', what, words }, known);
  return new NetworkError({ kind: 'no-whole-answer', what, words }, known);
}

function clip(text: string): string {
  // Control characters would let an answer forge log lines.
  return shortened(text.replace(/\p{Cc}+/gu, ' ').trim(), maxMessageLength);
}

const isMarkup = (text: string): boolean => /^\s*</.test(text);

/** The service's own words, as far as the body has any. */
function ownWords(text: string): ErrorText & { readonly detail: readonly ErrorDetail[] } {
  if (isMarkup(text)) return { message: 'the answer is a web page', code: undefined, detail: [] };
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: proxies answer in plain text.
  }
  return { ...readErrorBody(body), detail: readErrorDetail(body) };
}

interface FailedAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
  /** Empty when the answer had none. */
  readonly location: string;
  /** Whether the request carried a cursor. */
  readonly sentCursor: boolean;
}

/** An answer that is no success -> the error for it. */
export function failureFromAnswer(
  what: string,
  answer: FailedAnswer,
  { facts: known, now }: { readonly facts: ErrorFacts; readonly now: number },
): PromptTablesError {
  const { status } = answer;
  const words = ownWords(answer.text);
  const facts = { ...known, detail: words.detail };
  const reason = { kind: 'answered', what, status, words: clip(words.message ?? '') } as const;
  if (status === 401) {
    return new AuthenticationError(reason, { ...facts, hint: { kind: 'check-key' } });
  }
  if (status === 403) {
    return new AuthenticationError(reason, { ...facts, hint: { kind: 'ask-permission' } });
  }
  if (status === 404) return new NotFoundError(reason, facts);
  if (status === 407) return proxyFailure(what, new ProxyRefusal(407), facts);
  if (status === 409) return new ConflictError(reason, facts);
  if (status === 429) {
    const retryAfterMs = readRetryAfter(answer.retryAfter, now);
    return new RateLimitError(reason, { ...facts, retryAfterMs, hint: { kind: 'wait' } });
  }
  if (status >= 500) {
    const retryAfterMs = readRetryAfter(answer.retryAfter, now);
    return new ServerError(reason, { ...facts, retryAfterMs });
  }
  const aboutCursor = /cursor/i.test(`${words.code ?? ''} ${words.message ?? ''}`);
  if ((status === 400 || status === 422) && answer.sentCursor && aboutCursor) {
    return new InvalidCursorError(reason, { ...facts, hint: { kind: 'start-over' } });
  }
  if (status >= 400) return new ValidationError(reason, facts);
  const location = clip(answer.location.split('?')[0] ?? '');
  return new ResponseFormatError(
    status >= 300 && status < 400 ? { kind: 'redirected', what, status, location } : reason,
    { ...facts, hint: { kind: 'check-base-url' } },
  );
}
