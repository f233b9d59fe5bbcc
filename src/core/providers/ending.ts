import { ownValue } from '../../api/own-value.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import type { Reply } from './reply.ts';

/**
 * How an exchange with a model ended. `complete` and `cutOff` gave an answer, the second one half of
 * it, and so did `unknown`, whose reason is a word that nobody has documented. All others gave none:
 * the model refused, a filter took the answer away, nothing was said, a call of a tool can't be read,
 * or the provider failed.
 */
export type EndingKind =
  'complete' | 'cutOff' | 'unknown' | 'refused' | 'filtered' | 'empty' | 'malformed' | 'failed';

/** How an exchange ended, with what the provider says about it. */
export interface Ending {
  readonly kind: EndingKind;
  /** The provider's own word: `length`, `SAFETY`, `refusal`; undefined where it gives none. */
  readonly reason: string | undefined;
  /** What the model or the provider says about it. */
  readonly words: string | undefined;
}

/** The words of all providers, without case and separators. */
const kinds: Readonly<Record<string, EndingKind>> = {
  ...{ stop: 'complete', endturn: 'complete', stopsequence: 'complete', toolcalls: 'complete' },
  ...{ tooluse: 'complete', toolcall: 'complete', functioncall: 'complete', complete: 'complete' },
  ...{ completed: 'complete', eos: 'complete', eostoken: 'complete', end: 'complete' },
  ...{ finish: 'complete', finished: 'complete', success: 'complete', done: 'complete' },
  // Nothing is said.
  ...{ null: 'complete', unspecified: 'complete', finishreasonunspecified: 'complete' },
  ...{ length: 'cutOff', maxtokens: 'cutOff', maxoutputtokens: 'cutOff', modellength: 'cutOff' },
  ...{ modelcontextwindowexceeded: 'cutOff', maxlength: 'cutOff', incomplete: 'cutOff' },
  ...{ maxcompletiontokens: 'cutOff', maxnewtokens: 'cutOff', contextlengthexceeded: 'cutOff' },
  ...{ contextwindowexceeded: 'cutOff', tokenlimit: 'cutOff', pauseturn: 'cutOff' },
  ...{ contentfilter: 'filtered', contentfiltered: 'filtered', guardrailintervened: 'filtered' },
  ...{ safety: 'filtered', recitation: 'filtered', blocklist: 'filtered', spii: 'filtered' },
  ...{ prohibitedcontent: 'filtered', imagesafety: 'filtered', imagerecitation: 'filtered' },
  ...{ imageprohibitedcontent: 'filtered', errortoxic: 'filtered', modelarmor: 'filtered' },
  ...{ jailbreak: 'filtered', blockreasonunspecified: 'filtered', sensitive: 'filtered' },
  ...{ blocked: 'filtered', filtered: 'filtered', moderation: 'filtered' },
  refusal: 'refused',
  ...{ malformedfunctioncall: 'malformed', unexpectedtoolcall: 'malformed' },
  ...{ malformedtooluse: 'malformed', malformedmodeloutput: 'malformed' },
  ...{ toomanytoolcalls: 'malformed', missingthoughtsignature: 'malformed' },
  malformedresponse: 'malformed',
  ...{ error: 'failed', failed: 'failed', timeout: 'failed', errorlimit: 'failed' },
  ...{ cancelled: 'failed', canceled: 'failed', abort: 'failed', other: 'failed' },
  ...{ aborted: 'failed', usercancel: 'failed', networkerror: 'failed', servererror: 'failed' },
  ...{ insufficientsystemresource: 'failed', engineoverloaded: 'failed', internalerror: 'failed' },
  // Asked for in the background: nobody waits for it here.
  ...{ inprogress: 'failed', queued: 'failed' },
  ...{ language: 'failed', imageother: 'failed', noimage: 'failed' },
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const firstOf = (value: unknown): Mapping | undefined => {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isMapping(first) ? first : undefined;
};

/** The one that the reply is read from. */
const firstChoice = (choices: unknown): Mapping | undefined => {
  const all: readonly unknown[] = Array.isArray(choices) ? choices : [];
  return all.filter(isMapping).find(({ index }) => index === 0) ?? firstOf(choices);
};

const kindOf = (reason: string | undefined): EndingKind =>
  reason === undefined
    ? 'complete'
    : (ownValue(kinds, reason.toLowerCase().replace(/[^a-z]/g, '')) ?? 'unknown');

interface Said {
  /** Where the place of the word says more than the word. */
  readonly kind?: EndingKind;
  readonly reason: string | undefined;
  readonly words?: string | undefined;
}

/** OpenAI's Responses API tells why in a field of its own, and a refusal as a part of a message. */
function ofResponses(response: Mapping): Said {
  const { status, incomplete_details: details, error } = response;
  const output = Array.isArray(response['output']) ? response['output'] : [];
  const refusal = output
    .flatMap((item): unknown[] =>
      isMapping(item) && Array.isArray(item['content']) ? item['content'] : [],
    )
    .find((part) => isMapping(part) && part['type'] === 'refusal');
  if (isMapping(refusal)) return { reason: 'refusal', words: textOf(refusal['refusal']) };
  const why = isMapping(details) ? textOf(details['reason']) : undefined;
  return {
    reason: why ?? textOf(status),
    words: isMapping(error) ? textOf(error['message']) : undefined,
  };
}

function ofChat(choice: Mapping): Said {
  const message = isMapping(choice['message']) ? choice['message'] : {};
  const parts = Array.isArray(message['content']) ? message['content'] : [];
  const part: unknown = parts.find((one) => isMapping(one) && one['type'] === 'refusal');
  const refusal =
    textOf(message['refusal']) ?? (isMapping(part) ? textOf(part['refusal']) : undefined);
  if (refusal !== undefined) return { reason: 'refusal', words: refusal };
  return reasonOfChoice(choice);
}

/**
 * A gateway whose model is lost says so in the choice, beside what had come. OpenRouter's own word for
 * an end is a plain one where the provider's tells of more.
 */
function reasonOfChoice(choice: Mapping): Said {
  const { error } = choice;
  const reason = textOf(choice['finish_reason']);
  const words = isMapping(error) ? textOf(error['message']) : textOf(error);
  const native = textOf(choice['native_finish_reason']);
  const said = kindOf(reason);
  if (said === 'complete' && native !== undefined) {
    const kind = kindOf(native);
    if (kind !== 'complete' && kind !== 'unknown') return { reason: native, words };
  }
  const isLost = words !== undefined && (reason === undefined || said === 'unknown');
  return { reason: isLost ? 'error' : reason, words };
}

function ofGemini(response: Mapping): Said {
  const given = response['promptFeedback'] ?? response['prompt_feedback'];
  const feedback = isMapping(given) ? given : {};
  const blocked = textOf(feedback['blockReason'] ?? feedback['block_reason']);
  if (blocked !== undefined) {
    const kind = kindOf(blocked) === 'failed' ? 'failed' : 'filtered';
    return { kind, reason: blocked, words: textOf(feedback['blockReasonMessage']) };
  }
  const candidate = firstOf(response['candidates']) ?? {};
  return {
    reason: textOf(candidate['finishReason'] ?? candidate['finish_reason']),
    words: textOf(candidate['finishMessage']),
  };
}

/** What an answer says of its own end, by its form: it is the same wherever a dialect is spoken. */
function saidBy(response: unknown): Said {
  if (!isMapping(response)) return { reason: undefined };
  const choice = firstChoice(response['choices']);
  if (choice !== undefined) return ofChat(choice);
  if (['candidates', 'promptFeedback', 'prompt_feedback'].some((name) => name in response)) {
    return ofGemini(response);
  }
  if (
    response['object'] === 'response' ||
    'incomplete_details' in response ||
    ('output' in response && 'status' in response)
  ) {
    return ofResponses(response);
  }
  const details = response['stop_details'];
  return {
    // Anthropic, Bedrock, Cohere.
    reason:
      textOf(response['stop_reason']) ??
      textOf(response['stopReason']) ??
      textOf(response['finish_reason']),
    words: isMapping(details) ? textOf(details['explanation']) : undefined,
  };
}

/** What a model does on its way to an answer. */
const isWork = (type: string): boolean =>
  /^(?:thinking|redacted_thinking|reasoning|unknown|server_tool_use|compaction|mcp_list_tools)$/.test(
    type,
  ) || /(?:_tool_result|^mcp_call)$/.test(type);

/** Whether a reply says anything: thoughts, and what tools of the provider's found, do not. */
function isSaying({ content, tool_calls: calls }: Reply): boolean {
  if (calls.length > 0) return true;
  return content.some((part) => {
    const type = String(part['type']);
    if (type === 'text') return textOf(part['text']) !== undefined;
    return !isWork(type);
  });
}

/** Tools without a schema are called with any text. */
function callsWithoutSchema(response: unknown): boolean {
  if (!isMapping(response)) return false;
  const message = firstChoice(response['choices'])?.['message'];
  const items = [response['output'], isMapping(message) ? message['tool_calls'] : undefined];
  return items.some(
    (list) =>
      Array.isArray(list) &&
      list.some((one) => /^custom/.test(String(isMapping(one) && one['type']))),
  );
}

/** Nobody can run a call that names no tool, or whose arguments are no JSON. */
function brokenCall({ tool_calls: calls }: Reply): string | undefined {
  for (const { function: called } of calls) {
    if (called.name === '') return 'It names no tool.';
    if (called.arguments.trim() === '') continue;
    try {
      JSON.parse(called.arguments);
    } catch {
      return `The arguments of ${called.name} aren't JSON: ${called.arguments.slice(0, 200)}`;
    }
  }
  return undefined;
}

/** What stands in the place of an answer: `{"detail":"Not Found"}` of a server that is another one. */
function wordsBeside(response: unknown): string | undefined {
  if (!isMapping(response)) return undefined;
  const { base_resp: status, errors } = response;
  const [inner] = [status, firstOf(errors)].filter(isMapping);
  for (const place of [response, inner ?? {}]) {
    for (const name of [
      'message',
      'detail',
      'msg',
      'error_msg',
      'status_msg',
      'error_description',
    ]) {
      const words = textOf(place[name]);
      if (words !== undefined) return words;
    }
  }
  return undefined;
}

/** What an answer says of its own end, whatever there is in it. */
export function saidEnding(response: unknown): Ending {
  const { reason, words, kind = kindOf(reason) } = saidBy(response);
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
