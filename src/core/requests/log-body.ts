import type { BodyOf } from '../../api/endpoint.ts';
import type { logRequest } from '../../api/request-log.ts';
import { ValidationError } from '../errors.ts';
import type { EitherSpelling } from '../spelling.ts';
import { snakeFields } from '../spelling.ts';
import { loggedWords } from './error-message.ts';

const unloggable = (problem: string, words: string): ValidationError =>
  new ValidationError(
    { kind: 'invalid-argument', doing: "The request can't be logged", problem },
    { hint: { kind: 'argument', words } },
  );

/** Milliseconds since the epoch are far above this number, seconds far below. */
const secondsBelow = 1e11;

type Time = number | Date | string;

/** `{ type: 'chat', messages }` or `{ type: 'completion', content }`. Contents may be texts. */
interface LoggedPrompt {
  readonly type: string;
  readonly messages?: readonly object[] | undefined;
  readonly content?: unknown;
}

interface LogRequestFields {
  readonly provider: string;
  readonly model: string;
  readonly input: LoggedPrompt;
  readonly output: LoggedPrompt;
  /** Milliseconds since the epoch, a Date, or an ISO 8601 text. */
  readonly requestStartTime: Time;
  readonly requestEndTime: Time;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly promptName?: string | undefined;
  readonly promptId?: number | undefined;
  readonly promptVersionNumber?: number | undefined;
  readonly promptInputVariables?: Readonly<Record<string, unknown>> | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** US dollars. */
  readonly price?: number | undefined;
  readonly functionName?: string | undefined;
  /** 0 to 100. */
  readonly score?: number | undefined;
  readonly scoreName?: string | undefined;
  readonly apiType?: string | undefined;
  /** SUCCESS (default), WARNING or ERROR. */
  readonly status?: string | undefined;
  readonly errorType?: string | undefined;
  /** Cut to 1,024 characters. */
  readonly errorMessage?: string | undefined;
}

/** In camelCase, or in snake_case as the service spells them. */
export type LogRequestInput = EitherSpelling<LogRequestFields>;

function isoTime(name: string, time: unknown): string {
  const isSeconds = typeof time === 'number' && Math.abs(time) < secondsBelow;
  const milliseconds =
    time instanceof Date
      ? time.getTime()
      : typeof time === 'number'
        ? Math.round(isSeconds ? time * 1_000 : time)
        : typeof time === 'string'
          ? Date.parse(time)
          : Number.NaN;
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) {
    throw unloggable(
      `${name} is not a time`,
      'Give milliseconds since the epoch, a Date, or an ISO 8601 text.',
    );
  }
  // A text may be more precise than a Date.
  return typeof time === 'string' ? time : date.toISOString();
}

function partsOf(content: unknown): unknown {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return content;
}

function messageOf(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return message;
  const fields = snakeFields(message);
  // A placeholder is the one message without content.
  if (fields['role'] === 'placeholder') return fields;
  return { ...fields, content: partsOf(fields['content']) };
}

function promptOf(name: string, prompt: unknown): BodyOf<typeof logRequest>['input'] {
  if (typeof prompt !== 'object' || prompt === null || !('type' in prompt)) {
    throw unloggable(
      `${name} is not a prompt`,
      "Give { type: 'chat', messages: [...] } or { type: 'completion', content: [...] }.",
    );
  }
  const fields = snakeFields(prompt);
  const { messages } = fields;
  return {
    ...fields,
    type: String(prompt.type),
    ...(Array.isArray(messages) && { messages: messages.map(messageOf) }),
    ...(prompt.type === 'completion' && { content: partsOf(fields['content']) }),
  };
}

/** Caller's fields -> the body of the request. Throws a ValidationError for what makes none. */
export function logBody(given: LogRequestInput): BodyOf<typeof logRequest> {
  const fields = snakeFields(given);
  const { error_message: errorMessage } = fields;
  return {
    ...(fields as Pick<BodyOf<typeof logRequest>, 'provider' | 'model'>),
    input: promptOf('input', fields['input']),
    output: promptOf('output', fields['output']),
    request_start_time: isoTime('requestStartTime', fields['request_start_time']),
    request_end_time: isoTime('requestEndTime', fields['request_end_time']),
    ...(typeof errorMessage === 'string' && { error_message: loggedWords(errorMessage) }),
  };
}
