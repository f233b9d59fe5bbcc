import type { ErrorDetail } from '../api/error-body.ts';
import type { ErrorAdvice, ErrorReason } from './errors/reason.ts';
import { hintOf, messageOf } from './errors/reason.ts';

export type { ErrorDetail } from '../api/error-body.ts';
export type { ErrorAdvice, ErrorReason } from './errors/reason.ts';

/**
 * What went wrong, for code to branch on. Each has a class of its own; docs/sdk.md tells them
 * apart.
 */
export type ErrorCode =
  | 'authentication'
  | 'not_found'
  | 'invalid_cursor'
  | 'validation'
  | 'conflict'
  | 'rate_limit'
  | 'server'
  | 'network'
  | 'timeout'
  | 'cancelled'
  | 'response_format'
  | 'configuration'
  | 'provider'
  | 'template'
  | 'not_logged'
  | 'workflow';

/** What is known about the failed request. `path` has neither base URL, query nor secrets. */
export interface ErrorFacts {
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** What the reader can do about it; of others than the core, in their own words. */
  readonly hint?: ErrorAdvice | string | undefined;
  /** Whether the same request may succeed later: decided where the answer is read. */
  readonly retryable?: boolean | undefined;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The places of the request that the service blames. */
  readonly detail?: readonly ErrorDetail[] | undefined;
  readonly cause?: unknown;
}

/**
 * Every failure of the core. Branch on `code`: it survives bundling and several copies of the
 * package in one process, which `instanceof` does not.
 */
export class PromptTablesError extends Error {
  override readonly name: string = 'PromptTablesError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Why, for code to branch on and to say in other words; undefined: the message is all there is. */
  readonly reason: ErrorReason | undefined;
  /** What the reader can do about it, a sentence. */
  readonly hint: string | undefined;
  /** The same, for code. */
  readonly advice: ErrorAdvice | undefined;
  readonly retryAfterMs: number | undefined;
  /** The places of the request that the service blames, where it names any: `loc` is the path. */
  readonly detail: readonly ErrorDetail[];
  /** How often the request was sent before giving up. */
  attempts = 1;
  /**
   * What had come of a streamed run before it broke off, and its id in the log of requests when it
   * could be logged.
   */
  partial:
    | {
        readonly request_id?: number | undefined;
        readonly raw_response: unknown;
        readonly prompt_blueprint: Readonly<Record<string, unknown>>;
      }
    | undefined = undefined;

  /** Errors of the core have a reason; others may have words of their own. */
  constructor(code: ErrorCode, said: ErrorReason | string, facts: ErrorFacts = {}) {
    super(
      typeof said === 'string' ? said : messageOf(said),
      facts.cause === undefined ? undefined : { cause: facts.cause },
    );
    const { hint } = facts;
    this.code = code;
    this.retryable = facts.retryable ?? false;
    this.method = facts.method;
    this.path = facts.path;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.reason = typeof said === 'string' ? undefined : said;
    this.hint = typeof hint === 'object' ? hintOf(hint) : hint;
    this.advice = typeof hint === 'object' ? hint : undefined;
    this.retryAfterMs = facts.retryAfterMs;
    this.detail = facts.detail ?? [];
  }
}

/** 401: key missing or refused. 403: the key may not do this. */
export class AuthenticationError extends PromptTablesError {
  override readonly name = 'AuthenticationError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('authentication', said, facts);
  }
}

/** 404: not there, or in another workspace. */
export class NotFoundError extends PromptTablesError {
  override readonly name = 'NotFoundError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('not_found', said, facts);
  }
}

/** The cursor belongs to another sort, order or filter set, or has expired. Start from page one. */
export class InvalidCursorError extends PromptTablesError {
  override readonly name = 'InvalidCursorError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('invalid_cursor', said, facts);
  }
}

/** The request was refused as it is: wrong argument, or a rule of the service. */
export class ValidationError extends PromptTablesError {
  override readonly name = 'ValidationError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('validation', said, facts);
  }
}

/** 409: something else is in the way, for example an import that is still running. */
export class ConflictError extends PromptTablesError {
  override readonly name = 'ConflictError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('conflict', said, facts);
  }
}

/** 429 after all attempts. `retryAfterMs` is what the service asked for. */
export class RateLimitError extends PromptTablesError {
  override readonly name = 'RateLimitError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('rate_limit', said, { retryable: true, ...facts });
  }
}

/** 5xx after all attempts. */
export class ServerError extends PromptTablesError {
  override readonly name = 'ServerError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('server', said, { retryable: true, ...facts });
  }
}

/** The service was not reached, or the connection broke before the answer was whole. */
export class NetworkError extends PromptTablesError {
  override readonly name = 'NetworkError';
  /** No connection was made: the request has certainly had no effect. */
  readonly isUnsent: boolean;
  constructor(said: ErrorReason | string, facts?: ErrorFacts & { readonly isUnsent?: boolean }) {
    super('network', said, { retryable: true, ...facts });
    this.isUnsent = facts?.isUnsent ?? false;
  }
}

/**
 * No whole answer within `timeoutMs`, or nothing from a provider for `providerTimeoutMs`; not
 * retryable when it was the time that the caller allowed.
 */
export class TimeoutError extends PromptTablesError {
  override readonly name = 'TimeoutError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('timeout', said, { retryable: true, ...facts });
  }
}

/** The caller's signal was aborted or the client was closed. The signal's reason is the cause. */
export class CancelledError extends PromptTablesError {
  override readonly name = 'CancelledError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('cancelled', said, facts);
  }
}

/** An answer that is not what was promised: not JSON, cut off, too large, or of another shape. */
export class ResponseFormatError extends PromptTablesError {
  override readonly name = 'ResponseFormatError';
  /** First place that does not fit, for example `data[3].cells.c1.status`. */
  readonly issuePath: string | undefined;
  constructor(
    said: ErrorReason | string,
    facts: ErrorFacts & { readonly issuePath?: string | undefined } = {},
  ) {
    super('response_format', said, facts);
    this.issuePath = facts.issuePath;
  }
}

/** A key, URL, proxy or certificate setting is missing or wrong. Never retried. */
export class ConfigurationError extends PromptTablesError {
  override readonly name = 'ConfigurationError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('configuration', said, facts);
  }
}

/** The template can't be run: it has no model, or its model has no arguments. */
export class TemplateError extends PromptTablesError {
  override readonly name = 'TemplateError';
  constructor(said: ErrorReason | string, facts?: ErrorFacts) {
    super('template', said, facts);
  }
}

/** The model has answered, but the answer could not be logged. It is here: nothing is lost. */
export class NotLoggedError<Result = unknown> extends PromptTablesError {
  override readonly name = 'NotLoggedError';
  readonly result: Result;
  constructor(said: ErrorReason | string, facts: ErrorFacts & { readonly result: Result }) {
    super('not_logged', said, facts);
    this.result = facts.result;
  }
}

/** The workflow has run, and gave no result. What its nodes have done is here. */
export class WorkflowError extends PromptTablesError {
  override readonly name = 'WorkflowError';
  /** Of the execution. */
  readonly executionId: number;
  /** By the name of the node: `{ status, value, error_message, ... }`. Empty when nothing is known. */
  readonly outputs: Readonly<Record<string, unknown>>;
  constructor(
    said: ErrorReason | string,
    facts: ErrorFacts & {
      readonly executionId: number;
      readonly outputs?: Readonly<Record<string, unknown>> | undefined;
    },
  ) {
    super('workflow', said, facts);
    this.executionId = facts.executionId;
    this.outputs = facts.outputs ?? {};
  }
}

const codes: ReadonlySet<string> = new Set<ErrorCode>([
  'authentication',
  'not_found',
  'invalid_cursor',
  'validation',
  'conflict',
  'rate_limit',
  'server',
  'network',
  'timeout',
  'cancelled',
  'response_format',
  'configuration',
  'provider',
  'template',
  'not_logged',
  'workflow',
]);

/** True for errors of this package, also from another bundled copy of it. */
export function isPromptTablesError(error: unknown): error is PromptTablesError {
  return (
    error instanceof Error &&
    'retryable' in error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.has(error.code)
  );
}

/** Whether it is an error of this package with one of these codes. */
export function hasErrorCode(error: unknown, ...wanted: readonly ErrorCode[]): boolean {
  return isPromptTablesError(error) && wanted.includes(error.code);
}

/** Cancelling is not a failure: show nothing for it. */
export function isCancellation(error: unknown): boolean {
  if (hasErrorCode(error, 'cancelled')) return true;
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** The error for an aborted signal. `AbortSignal.timeout` of a caller is a timeout, not a cancellation. */
export function abortedBy(signal: AbortSignal, what: string, facts: ErrorFacts = {}): Error {
  const cause: unknown = signal.reason;
  if (isPromptTablesError(cause)) return cause;
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return new TimeoutError(
      { kind: 'over-allowed-time', what },
      {
        ...facts,
        retryable: false,
        cause,
      },
    );
  }
  return new CancelledError({ kind: 'canceled', what }, { ...facts, cause });
}

/** One readable text: message, then the hint. For logs and notifications. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isPromptTablesError(error) || error.hint === undefined) return error.message;
  return `${error.message} ${error.hint}`;
}
