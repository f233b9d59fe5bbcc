import { isMapping, mappings } from '../../../core/mapping.ts';
import { toolCallsOf } from '../../../core/run/conversation/turns.ts';
import type { ChatTurn } from '../../../protocol/chat.ts';
import type { RunVariable } from '../../../protocol/run.ts';
import type { SheetField } from '../../ask/sheet-fields.ts';

/** A conversation that is over, or as far as it has come. */
export interface SaidChat {
  readonly variables: readonly RunVariable[];
  /** As the model is given them. */
  readonly messages: readonly unknown[];
  readonly turns: readonly ChatTurn[];
}

/** The text of the answer of a turn. */
const answerOf = ({ parts }: ChatTurn): string =>
  parts
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text)
    .join('\n\n');

/** Names of the tools that were called, in their order: what TRAJECTORY expects. */
const toolsOf = (messages: readonly unknown[]): readonly string[] =>
  mappings(messages).flatMap((message) => toolCallsOf(message).map(({ name }) => name));

/** What tools have answered, by their names, in the order of the calls. */
function mocksOf(turns: readonly ChatTurn[]): Readonly<Record<string, readonly string[]>> {
  const mocks = new Map<string, string[]>();
  for (const { name, text } of turns.flatMap(({ results }) => results)) {
    const known = mocks.get(name);
    if (known === undefined) mocks.set(name, [text]);
    else known.push(text);
  }
  return Object.fromEntries(mocks);
}

const field = (name: string, text: string): SheetField => ({ name, text, isUsual: true });

/** One row: the variables, the conversation, the tools that are expected, and what they answer. */
export function testCaseOf({ variables, messages, turns }: SaidChat): readonly SheetField[] {
  const names = new Set(variables.map(({ name }) => name.toLowerCase()));
  const own = (name: string, text: string): SheetField =>
    field(names.has(name) ? `chat ${name}` : name, text);
  const last = turns.at(-1);
  return [
    ...variables.map(({ name, text }) => field(name, text)),
    own('conversation', JSON.stringify(messages.filter((message) => isMapping(message)))),
    own('expected_tools', JSON.stringify(toolsOf(messages))),
    own('tool_mocks', JSON.stringify(mocksOf(turns))),
    own('output', last === undefined ? '' : answerOf(last)),
  ];
}

/** One row for each turn. */
export function turnRowsOf({ turns }: SaidChat): {
  readonly fields: readonly SheetField[];
  readonly rows: readonly Readonly<Record<string, string>>[];
} {
  const rows = turns.map((turn) => ({
    turn: String(turn.id),
    input: turn.text ?? '',
    tool_results: turn.results.length === 0 ? '' : JSON.stringify(turn.results),
    output: answerOf(turn),
    tool_calls: turn.parts
      .filter(({ kind }) => kind === 'tool')
      .map(({ title = '', text }) => `${title} ${text}`)
      .join('\n'),
    request_id: String(turn.status.requestId ?? ''),
  }));
  const names = Object.keys(rows[0] ?? {});
  const [first = {}] = rows as readonly Readonly<Record<string, string>>[];
  return { rows, fields: names.map((name) => field(name, first[name] ?? '')) };
}
