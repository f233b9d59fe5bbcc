import { readErrorBody } from '../../api/error-body.ts';
import type { ErrorFacts } from '../errors.ts';
import { ResponseFormatError, ValidationError } from '../errors.ts';
import { decodeText, parseBytes } from '#platform';
import type { HttpAnswer } from '../platform/connections.ts';
import { BodyError } from './body.ts';
import { failureFromAnswer, failureFromThrown } from './failure.ts';
import { parseJsonAsWritten } from './json.ts';
import type { ReadResult } from './read.ts';

interface AnswerContext<T> {
  readonly what: string;
  readonly facts: ErrorFacts;
  readonly redact: (text: string) => string;
  readonly now: number;
  readonly sentCursor: boolean;
  readonly allowsRefusal: boolean;
  readonly numbersAsWritten: boolean;
  readonly read: (json: unknown, status: number) => ReadResult<T>;
}

function requestIdOf(
  headers: HttpAnswer['headers'],
  redact: (text: string) => string,
): string | undefined {
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['cf-ray'] ?? '';
  return (
    redact(id)
      .replace(/[^\w.:-]/g, '')
      .slice(0, 128) || undefined
  );
}

const isRefusal = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'success' in json && json.success === false;

/** Uses up the body. Undefined for an empty one: whether that is allowed is for the schema to say. */
function jsonOf(
  { what, numbersAsWritten }: Pick<AnswerContext<unknown>, 'what' | 'numbersAsWritten'>,
  body: Uint8Array,
  facts: ErrorFacts & { readonly status: number },
): unknown {
  if (body.length === 0) return undefined;
  const isPage = /^\s*</.test(String.fromCharCode(...body.subarray(0, 100)));
  try {
    return numbersAsWritten ? parseJsonAsWritten(decodeText(body)) : parseBytes(body);
  } catch (error) {
    if (error instanceof BodyError) throw failureFromThrown(what, error, facts);
    if (!(error instanceof SyntaxError)) throw error;
    const isCut = /end of JSON|Unterminated/i.test(error.message);
    const kind = isPage ? 'web-page' : isCut ? 'cut-json' : 'not-json';
    // The parser's own message quotes the body, which may hold anything: it is not the cause.
    throw new ResponseFormatError(
      { kind, what, status: facts.status },
      { ...facts, hint: isPage ? { kind: 'look-for-proxy' } : undefined },
    );
  }
}

/** A whole answer -> its typed value, or the error for it. */
export function readAnswer<T>(answer: HttpAnswer, context: AnswerContext<T>): T {
  const { what, redact } = context;
  const { status, headers, body } = answer;
  const facts = { ...context.facts, status, requestId: requestIdOf(headers, redact) };
  if (status < 200 || status >= 300) {
    const failed = {
      status,
      text: redact(new TextDecoder().decode(body)),
      retryAfter: headers['retry-after'],
      location: redact(headers['location'] ?? ''),
      sentCursor: context.sentCursor,
    };
    throw failureFromAnswer(what, failed, { facts, now: context.now });
  }
  const json = jsonOf(context, body, facts);
  if (isRefusal(json) && !context.allowsRefusal) {
    const words = redact(readErrorBody(json).message ?? '');
    throw new ValidationError({ kind: 'refused', what, words }, facts);
  }
  const result = context.read(json, status);
  if (result.ok) return result.value;
  const place = redact(result.issuePath);
  throw new ResponseFormatError(
    { kind: 'unexpected-shape', what, status, place, words: redact(result.issue) },
    { ...facts, issuePath: place },
  );
}
