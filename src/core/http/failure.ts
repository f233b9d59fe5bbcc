import type { ErrorText } from '../../api/error-body.ts';
import { readErrorBody } from '../../api/error-body.ts';
import type { ErrorFacts, PromptTablesError } from '../errors.ts';
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

const hints: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Check the base URL and the network connection.',
  EAI_AGAIN: 'The name server did not answer; check the network connection.',
  ECONNREFUSED: 'Nothing listens there; check the base URL or start the service.',
  ENOENT: 'The socket does not exist; start the local service.',
  EACCES: "This user doesn't have permission to open the socket.",
};

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  // undici gives it no code when the very first bytes are not HTTP.
  return error.name === 'HTTPParserError' ? 'HPE' : undefined;
}

function proxyFailure(what: string, refusal: ProxyRefusal, facts: ErrorFacts): PromptTablesError {
  if (refusal.status === 407) {
    return new ConfigurationError(
      `${what} failed: the proxy asks for a user name and password, or refuses the ones given (407).`,
      {
        ...facts,
        hint: 'Put them into the proxy address (http://user:password@host:port) of HTTPS_PROXY or http.proxy.',
        cause: refusal,
      },
    );
  }
  if (refusal.status >= 500) {
    return new NetworkError(
      `${what} failed: the proxy could not reach the service (${refusal.status}).`,
      {
        ...facts,
        cause: refusal,
      },
    );
  }
  return new ConfigurationError(
    `${what} failed: the proxy does not allow the connection (${refusal.status}).`,
    {
      ...facts,
      hint: 'Add the host to http.noProxy or NO_PROXY, or ask your proxy administrator.',
      cause: refusal,
    },
  );
}

function bodyFailure(what: string, error: BodyError, facts: ErrorFacts): PromptTablesError {
  const message = `The answer to ${what} ${error.message}.`;
  if (error.kind === 'cut-off') return new NetworkError(message, { ...facts, cause: error });
  return new ResponseFormatError(message, {
    ...facts,
    hint: error.kind === 'too-large' ? 'Ask for less at once, or raise maxBodyBytes.' : undefined,
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
  const text = message.includes(code) ? message : message === '' ? code : `${message} (${code})`;
  // A parser error carries the bytes it stumbled over, which may be anything.
  const cause = code.startsWith('HPE') ? new Error(text) : error;
  const known = { ...facts, hint: hints[code], cause };
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new CancelledError(`${what} was canceled: the client was closed.`, known);
  }
  if (certificateFault.test(code)) {
    return new ConfigurationError(`${what} failed: no secure connection: ${text}.`, {
      ...known,
      hint: 'Check that the base URL is https and its certificate is trusted: add the certificate authority to the system or to NODE_EXTRA_CA_CERTS, or turn http.proxyStrictSSL off if you trust this network.',
    });
  }
  if (requestFaults.has(code)) {
    return new ConfigurationError(`${what} could not be sent: ${text}.`, known);
  }
  if (timeoutCodes.has(code)) return new TimeoutError(`${what} timed out: ${text}.`, known);
  return new NetworkError(`${what} got no whole answer: ${text}.`, known);
}

function clip(text: string): string {
  // Control characters would let an answer forge log lines.
  return shortened(text.replace(/\p{Cc}+/gu, ' ').trim(), maxMessageLength);
}

const isMarkup = (text: string): boolean => /^\s*</.test(text);

/** The service's own words, as far as the body has any. */
function ownWords(text: string): ErrorText {
  if (isMarkup(text)) return { message: 'the answer is a web page', code: undefined };
  try {
    return readErrorBody(JSON.parse(text));
  } catch {
    // Not JSON: proxies answer in plain text.
    return readErrorBody(text);
  }
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
  { facts, now }: { readonly facts: ErrorFacts; readonly now: number },
): PromptTablesError {
  const { status } = answer;
  const words = ownWords(answer.text);
  const said = words.message === undefined ? '' : `: ${clip(words.message)}`;
  const message = `${what} was answered with ${status}${said}.`.replace(/([.!?])\.$/, '$1');
  if (status === 401) {
    return new AuthenticationError(message, { ...facts, hint: 'Check the API key.' });
  }
  if (status === 403) {
    return new AuthenticationError(message, {
      ...facts,
      hint: "The API key doesn't have permission to do this.",
    });
  }
  if (status === 404) return new NotFoundError(message, facts);
  if (status === 407) return proxyFailure(what, new ProxyRefusal(407), facts);
  if (status === 409) return new ConflictError(message, facts);
  if (status === 429) {
    const retryAfterMs = readRetryAfter(answer.retryAfter, now);
    return new RateLimitError(message, { ...facts, retryAfterMs, hint: 'Wait a little.' });
  }
  if (status >= 500) {
    const retryAfterMs = readRetryAfter(answer.retryAfter, now);
    return new ServerError(message, { ...facts, retryAfterMs });
  }
  const aboutCursor = /cursor/i.test(`${words.code ?? ''} ${words.message ?? ''}`);
  if ((status === 400 || status === 422) && answer.sentCursor && aboutCursor) {
    const hint = 'Start again from the first page.';
    return new InvalidCursorError(message, {
      ...facts,
      hint: message.includes(hint) ? undefined : hint,
    });
  }
  if (status >= 400) return new ValidationError(message, facts);
  const target = answer.location.split('?')[0] ?? '';
  const where = target === '' ? '' : ` to ${clip(target)}`;
  return new ResponseFormatError(
    status >= 300 && status < 400
      ? `${what} was redirected (${status})${where}; redirects are not followed.`
      : message,
    { ...facts, hint: 'Check the base URL.' },
  );
}
