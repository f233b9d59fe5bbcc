import type { Mapping } from '../../mapping.ts';
import { deepFreeze, isMapping, listOf, mappings, textOf } from '../../mapping.ts';
import { refuse } from '../given.ts';

/** What was answered to a call of a tool. */
export interface ToolResult {
  /** `id` of the call. */
  readonly callId: string;
  readonly text: string;
}

/** What a turn adds before the model answers. Neither: the prompt itself begins. */
export interface TurnInput {
  readonly text?: string | undefined;
  /** One for each call of the answer before. */
  readonly toolResults?: readonly ToolResult[] | undefined;
}

/** One request: what was said to the model, and what it has answered. */
export interface ConversationTurn {
  /** From 1, in the order in which turns began. */
  readonly id: number;
  /** The turn that it follows; null: it begins the conversation. */
  readonly parent: number | null;
  readonly input: TurnInput;
  /** The message of the assistant; null: there is none that a conversation could go on from. */
  readonly message: Mapping | null;
  /** Of the log of requests; null: it isn't logged. */
  readonly requestId: number | null;
}

/** A call of a tool, in the words of the prompt blueprint. */
export interface TurnToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

/** The calls in a message of the assistant, in the order in which the model made them. */
export function toolCallsOf(message: Mapping | null): readonly TurnToolCall[] {
  return mappings(message?.['tool_calls']).map((call) => {
    const made = isMapping(call['function']) ? call['function'] : {};
    return {
      id: textOf(call['id']),
      name: textOf(made['name']),
      arguments: textOf(made['arguments']),
    };
  });
}

/** The turns from the first one to this one. */
export function pathTo(
  turns: readonly ConversationTurn[],
  id: number | null,
): readonly ConversationTurn[] {
  const path: ConversationTurn[] = [];
  for (let at = id; at !== null;) {
    const turn = turns[at - 1];
    if (turn === undefined) return refuse(`there is no turn ${at}`, 'Give the id of a turn.');
    path.push(turn);
    at = turn.parent;
  }
  return path.reverse();
}

const visible = /[^\s\p{Cc}\p{Cf}]/u;
/** Thoughts alone are nothing to go on from: every provider refuses a message without content. */
const isSaid = (part: Mapping): boolean =>
  part['type'] === 'text' ? visible.test(textOf(part['text'])) : part['type'] !== 'thinking';

/** Nine letters and digits: what the strictest provider takes as the id of a call. */
const idOf = (number: number): string => `call${String(number).padStart(5, '0')}`;

/**
 * A reply as a message that a conversation can go on from: its calls have ids of their own among
 * all that came before. Null: it can't. `isPartial`: it was stopped, so its calls may be half ones.
 */
export function messageOfReply(
  reply: Mapping | undefined,
  before: readonly unknown[],
  { isPartial }: { readonly isPartial: boolean },
): Mapping | null {
  if (reply === undefined) return null;
  const calls = mappings(reply['tool_calls']);
  const content = mappings(reply['content']);
  if (calls.length > 0 ? isPartial : !content.some(isSaid)) return null;
  if (toolCallsOf(reply).some(({ name }) => name.trim() === '')) return null;
  const used = new Set(
    mappings(before).flatMap((message) => toolCallsOf(message).map(({ id }) => id)),
  );
  let next = 1;
  const withIds = calls.map((call) => {
    let id = textOf(call['id']);
    while (id === '' || used.has(id)) id = idOf(next++);
    used.add(id);
    return { ...call, id };
  });
  return deepFreeze({ role: 'assistant', content: [...content], tool_calls: withIds });
}

function demandResults(message: Mapping | null, results: readonly ToolResult[]): void {
  const known = toolCallsOf(message).map(({ id }) => id);
  const given = results.map(({ callId }) => callId);
  const strange = given.find((id) => !known.includes(id));
  if (strange !== undefined) {
    refuse(`nothing has called a tool as "${strange}"`, 'Answer the calls of the turn before.');
  }
  if (new Set(given).size !== given.length) {
    refuse('a call of a tool is answered twice', 'Give one result for each call.');
  }
  const missing = known.find((id) => !given.includes(id));
  if (missing !== undefined) {
    refuse(`the call "${missing}" of a tool has no result`, 'Answer every call in toolResults.');
  }
}

/** Checks that the input may follow. Throws a ValidationError when no provider would take it. */
export function demandLegal(
  { text, toolResults }: TurnInput,
  before: ConversationTurn | undefined,
): void {
  if (before === undefined) {
    if (toolResults !== undefined) {
      refuse('nothing has called a tool yet', 'Leave toolResults out of the first turn.');
    }
    return;
  }
  if (before.message === null) {
    refuse(
      `turn ${before.id} has no answer that could be continued`,
      'Continue after an earlier turn.',
    );
  }
  const hasCalls = toolCallsOf(before.message).length > 0;
  if (hasCalls && text !== undefined) {
    refuse('the model waits for its tools', 'Give toolResults, and the text in a later turn.');
  }
  if (hasCalls || toolResults !== undefined) demandResults(before.message, toolResults ?? []);
  if (!hasCalls && (text === undefined || !visible.test(text))) {
    refuse('it says nothing', 'Give a text.');
  }
}

const textPart = (text: string): Mapping => ({ type: 'text', text });

/** The input as messages. Results stand in the order of their calls, whoever came first. */
function messagesOfInput(
  { text, toolResults = [] }: TurnInput,
  before: ConversationTurn | undefined,
): readonly Mapping[] {
  const results = toolCallsOf(before?.message ?? null).flatMap(({ id, name }) =>
    toolResults
      .filter(({ callId }) => callId === id)
      .map((result) => ({
        role: 'tool',
        name,
        tool_call_id: id,
        content: [textPart(result.text)],
      })),
  );
  return text === undefined ? results : [...results, { role: 'user', content: [textPart(text)] }];
}

/** All messages for the model: those of the prompt, of the turns, and of what is said now. */
export function messagesFor(
  opening: unknown,
  path: readonly ConversationTurn[],
  input: TurnInput,
): readonly unknown[] {
  const said = path.flatMap((turn, at) => [
    ...messagesOfInput(turn.input, path[at - 1]),
    ...(turn.message === null ? [] : [turn.message]),
  ]);
  return [...listOf(opening), ...said, ...messagesOfInput(input, path.at(-1))];
}
