import { isSeen } from '../../api/seen-text.ts';
import { textOf } from '../mapping.ts';
import type { EndingKind } from './ending-kinds.ts';
import { kindOf } from './ending-kinds.ts';
import { callsWithoutSchema, statedEndingOf, wordsBeside } from './ending-reason.ts';
import type { Reply } from './reply.ts';

/** How an exchange ended, with what the provider says about it. */
export interface Ending {
  readonly kind: EndingKind;
  /** The provider's own word: `length`, `SAFETY`, `refusal`; undefined where it gives none. */
  readonly reason: string | undefined;
  /** What the model or the provider says about it. */
  readonly words: string | undefined;
}

/** What a model does on its way to an answer. */
const isWork = (type: string): boolean =>
  /^(?:thinking|redacted_thinking|reasoning|unknown|compaction|code|code_execution_result)$/.test(
    type,
  ) || /(?:_tool_result|^server_tool_use|^mcp_(?:call|tool_use|list_tools))$/.test(type);

/** Whether a reply says anything: thoughts, and what tools of the provider's found, do not. */
function isSaying({ content, tool_calls: calls }: Reply): boolean {
  if (calls.length > 0) return true;
  return content.some((part) => {
    const type = String(part['type']);
    if (type === 'text') return isSeen(textOf(part['text']));
    return !isWork(type);
  });
}

/** Nobody can run a call that names no tool, or whose arguments are no JSON. */
function brokenCall({ tool_calls: calls }: Reply): string | undefined {
  for (const { function: called } of calls) {
    if (called.name.trim() === '') return 'It names no tool.';
    if (called.arguments.trim() === '') continue;
    try {
      JSON.parse(called.arguments);
    } catch {
      return `The arguments of ${called.name} aren't JSON: ${called.arguments.slice(0, 200)}`;
    }
  }
  return undefined;
}

/** What an answer says of its own end, whatever there is in it. */
export function saidEnding(response: unknown): Ending {
  const { reason, words, kind = kindOf(reason) } = statedEndingOf(response);
  return { kind, reason, words };
}

/**
 * How the answer of any provider ended, from the answer as it came (of a stream: put together) and
 * the reply that was read in it.
 */
export function endingOf(response: unknown, reply: Reply): Ending {
  const said = saidEnding(response);
  if (!isAnswer(said)) return said;
  if (!isSaying(reply)) {
    return { ...said, kind: 'empty', words: said.words ?? wordsBeside(response) };
  }
  // Of an answer that was cut off, half a call is what there is.
  if (said.kind === 'cutOff' || callsWithoutSchema(response)) return said;
  const words = brokenCall(reply);
  return words === undefined ? said : { ...said, kind: 'malformed', words };
}

/** Whether there is an answer to go on with. */
export const isAnswer = ({ kind }: Ending): boolean =>
  kind === 'complete' || kind === 'cutOff' || kind === 'unknown';

const sentences: Readonly<Record<Exclude<EndingKind, 'complete' | 'unknown'>, string>> = {
  cutOff: 'was cut off at its limit of tokens. Raise the limit, or ask for less.',
  refused: 'is a refusal.',
  filtered: 'was taken away by a content filter.',
  empty: 'is empty.',
  malformed: "holds a tool call that can't be read.",
  failed: 'failed.',
};

/** A sentence for people; undefined for an answer that is complete. */
export function describeEnding(
  { kind, reason, words }: Ending,
  provider: string,
): string | undefined {
  if (kind === 'complete' || kind === 'unknown') return undefined;
  const isSpent = kind === 'empty' && kindOf(reason) === 'cutOff';
  const sentence = isSpent
    ? 'is empty: its limit of tokens was spent before it began. Raise the limit.'
    : sentences[kind];
  if (kind === 'cutOff' && kindOf(reason) === 'cutOff' && /^pause/i.test(reason ?? ''))
    return `The answer of ${provider} (${reason ?? ''}) is not at its end: the model was still at work with tools of the provider's. Ask for less at once.`;
  const why = reason === undefined ? '' : ` (${reason})`;
  const said = words === undefined ? '' : ` ${words.slice(0, 500)}`;
  return `The answer of ${provider}${why} ${sentence}${said}`;
}
