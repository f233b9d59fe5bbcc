/** Answers as public bug reports show them, and what each is. */
import type { EndingKind } from '../../../../../src/core/providers/ending-kinds.ts';

/** What an answer is: how it ended, or that it is refused (`error`), or broken off (`broken`). */
export type Verdict = EndingKind | 'error' | 'broken';

export interface Odd {
  readonly title: string;
  /** Default: the dialect's own. */
  readonly model?: string;
  readonly is: Verdict;
  /** The text of the reply. Default: not looked at. */
  readonly text?: string;
  /** Its calls, as `name(arguments)`. Default: none. */
  readonly calls?: readonly string[];
  /** What the error or the sentence about the ending says. */
  readonly says?: RegExp;
  /** An answer that is not streamed: JSON, or text as it is. */
  readonly whole?: unknown;
  /** Events of a stream: objects as `data: {}`, texts as they are. */
  readonly stream?: readonly (object | string)[];
}

export interface OddDialect {
  readonly provider: string;
  readonly apiType?: string;
  readonly templateType?: 'chat' | 'completion';
  readonly model?: string;
  readonly odd: readonly Odd[];
}

export const done = 'data: [DONE]\n\n';

export const chat = (reason: unknown, message: unknown, more: object = {}): object => ({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message, finish_reason: reason, ...more }],
});
export const chunk = (delta: unknown, reason: unknown = null, more: object = {}): object => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason: reason, ...more }],
});
export const usage = (given: unknown, choices: unknown = []): object => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  ...{ choices, usage: given },
});
export const call = (name: string | undefined, args: unknown, more: object = {}): object => ({
  ...{ type: 'function', function: { ...(name !== undefined && { name }), arguments: args } },
  ...more,
});
