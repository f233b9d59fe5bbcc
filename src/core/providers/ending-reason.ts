/** What an answer states of its own end, whoever's it is: told apart by its form. */
import type { EndingKind } from './ending-kinds.ts';
import { kindOf } from './ending-kinds.ts';
import type { ReadOf } from './reader.ts';
import { anything, list, number, object, readerOf, text } from './reader.ts';

const part = object({ type: text, refusal: text });
const call = object({ type: text });
/** Some servers put a text in its place. */
const failure = object({ message: text });

const choice = object({
  index: number,
  finish_reason: text,
  native_finish_reason: text,
  error: anything,
  message: object({ refusal: text, content: list(part), tool_calls: list(call), error: anything }),
});

const feedback = object({ blockReason: text, block_reason: text, blockReasonMessage: text });

const candidate = object({ finishReason: text, finish_reason: text, finishMessage: text });

/** What stands in the place of an answer: `{"detail":"Not Found"}` of a server that is another one. */
const words = {
  message: text,
  detail: text,
  msg: text,
  error_msg: text,
  status_msg: text,
  error_description: text,
};

const response = object({
  choices: list(choice),
  candidates: list(candidate),
  promptFeedback: feedback,
  prompt_feedback: feedback,
  object: text,
  status: text,
  incomplete_details: object({ reason: text }),
  error: failure,
  output: list(object({ type: text, content: list(part) })),
  stop_reason: text,
  stopReason: text,
  finish_reason: text,
  stop_details: object({ explanation: text }),
  ...words,
  base_resp: object(words),
  errors: list(object(words)),
});

type Response = ReadOf<typeof response>;
type Choice = ReadOf<typeof choice>;

const readResponse = readerOf(response);
const readFailure = readerOf(failure);

export interface StatedEnding {
  /** Where the place of the word says more than the word. */
  readonly kind?: EndingKind;
  readonly reason: string | undefined;
  readonly words?: string | undefined;
}

const unlessBlank = (said: unknown): string | undefined =>
  typeof said === 'string' && said.trim() !== '' ? said : undefined;

/** The one that the reply is read from. */
const firstChoice = ({ choices = [] }: Response): Choice | undefined =>
  choices.find(({ index }) => index === 0) ?? choices[0];

/** OpenAI's Responses API tells why in a field of its own, and a refusal as a part of a message. */
function ofResponses({ output = [], incomplete_details, status, error }: Response): StatedEnding {
  const parts = output.flatMap(({ content = [] }) => content);
  const refusal = parts.find(({ type }) => type === 'refusal');
  if (refusal !== undefined) return { reason: 'refusal', words: unlessBlank(refusal.refusal) };
  return {
    reason: unlessBlank(incomplete_details?.reason) ?? unlessBlank(status),
    words: unlessBlank(error?.message),
  };
}

function ofChat(chosen: Choice): StatedEnding {
  const { refusal, content = [] } = chosen.message ?? {};
  const part = content.find(({ type }) => type === 'refusal');
  const words = unlessBlank(refusal) ?? unlessBlank(part?.refusal);
  return words === undefined ? reasonOfChoice(chosen) : { reason: 'refusal', words };
}

/**
 * A gateway whose model is lost says so in the choice, beside what had come. OpenRouter's own word for
 * an end is a plain one where the provider's tells of more.
 */
function reasonOfChoice({
  error: given,
  message,
  finish_reason,
  native_finish_reason,
}: Choice): StatedEnding {
  const error = given ?? message?.error;
  const reason = unlessBlank(finish_reason);
  const native = unlessBlank(native_finish_reason);
  const words = unlessBlank(readFailure(error)?.message ?? error);
  const stated = kindOf(reason);
  if (stated === 'complete' && native !== undefined) {
    const kind = kindOf(native);
    if (kind !== 'complete' && kind !== 'unknown') return { reason: native, words };
  }
  const isLost = words !== undefined && (reason === undefined || stated === 'unknown');
  return { reason: isLost ? 'error' : reason, words };
}

function ofGemini({ candidates = [], promptFeedback, prompt_feedback }: Response): StatedEnding {
  const { blockReason, block_reason, blockReasonMessage } = promptFeedback ?? prompt_feedback ?? {};
  const blocked = unlessBlank(blockReason ?? block_reason);
  if (blocked !== undefined) {
    const kind = kindOf(blocked) === 'failed' ? 'failed' : 'filtered';
    return { kind, reason: blocked, words: unlessBlank(blockReasonMessage) };
  }
  const { finishReason, finish_reason, finishMessage } = candidates[0] ?? {};
  return {
    reason: unlessBlank(finishReason ?? finish_reason),
    words: unlessBlank(finishMessage),
  };
}

/** By the form of the answer: it is the same wherever a dialect is spoken. */
export function statedEndingOf(given: unknown): StatedEnding {
  const answer = readResponse(given);
  if (answer === undefined) return { reason: undefined };
  const chosen = firstChoice(answer);
  if (chosen !== undefined) return ofChat(chosen);
  const has = (name: string): boolean => name in answer.raw;
  if (has('candidates') || has('promptFeedback') || has('prompt_feedback')) return ofGemini(answer);
  if (
    answer.object === 'response' ||
    has('incomplete_details') ||
    (has('output') && has('status'))
  ) {
    return ofResponses(answer);
  }
  const { stop_reason, stopReason, finish_reason, stop_details } = answer;
  return {
    // Anthropic, Bedrock, Cohere.
    reason: unlessBlank(stop_reason) ?? unlessBlank(stopReason) ?? unlessBlank(finish_reason),
    words: unlessBlank(stop_details?.explanation),
  };
}

/** Tools without a schema are called with any text. */
export function callsWithoutSchema(given: unknown): boolean {
  const answer = readResponse(given);
  if (answer === undefined) return false;
  const items = [answer.output ?? [], firstChoice(answer)?.message?.tool_calls ?? []].flat();
  return items.some(({ type }) => type?.startsWith('custom'));
}

const wordNames = Object.keys(words) as readonly (keyof typeof words)[];

/** What an answer says that holds no reply. */
export function wordsBeside(given: unknown): string | undefined {
  const answer = readResponse(given);
  if (answer === undefined) return undefined;
  for (const place of [answer, answer.base_resp ?? answer.errors?.[0]]) {
    for (const name of wordNames) {
      const said = unlessBlank(place?.[name]);
      if (said !== undefined) return said;
    }
  }
  return undefined;
}
