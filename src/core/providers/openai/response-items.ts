import type { Mapping } from '../../mapping.ts';
import { listOf, placeIn, textOf } from './fields.ts';
import type { ResponseEvent } from './response-schema.ts';
import { readNamed, readShellOutput } from './response-schema.ts';
import { ownValue } from '../../../api/own-value.ts';

/** An event about one output item -> the item after it. Items are replaced, never changed. */
type Change = (item: Mapping, event: ResponseEvent) => Mapping;

function withPart(item: Mapping, list: string, index: unknown, change: (part: Mapping) => Mapping) {
  const parts = [...listOf(item[list])];
  const at = placeIn(parts.length, index);
  parts[at] = change(readNamed(parts[at]) ?? {});
  return { ...item, [list]: parts };
}

/** Where a part stands: `content_index` in `content`, `summary_index` in `summary`. */
const inPart =
  (list: 'content' | 'summary', change: (part: Mapping, event: ResponseEvent) => Mapping): Change =>
  (item, event) =>
    withPart(item, list, list === 'content' ? event.content_index : event.summary_index, (part) =>
      change(part, event),
    );

const growPart = (list: 'content' | 'summary', type: string, field: string): Change =>
  inPart(list, (part, event) => ({
    ...(part['type'] === undefined && { type }),
    ...part,
    [field]: (textOf(part[field]) ?? '') + (textOf(event.delta) ?? ''),
  }));

/** What ends a part tells it once more, whole: it replaces, else the text would be there twice. */
const endPart = (list: 'content' | 'summary', type: string, field: string): Change =>
  inPart(list, (part, event) => ({
    ...(part['type'] === undefined && { type }),
    ...part,
    ...(event.raw[field] !== undefined && { [field]: event.raw[field] }),
  }));

const setPart = (list: 'content' | 'summary'): Change =>
  inPart(list, (part, event) => event.part ?? part);

const grow =
  (field: string): Change =>
  (item, event) => ({
    ...item,
    [field]: (textOf(item[field]) ?? '') + (textOf(event.delta) ?? ''),
  });

const end =
  (field: string): Change =>
  (item, event) =>
    event.raw[field] === undefined ? item : { ...item, [field]: event.raw[field] };

/** The same one level down, for `operation.diff`. */
const growInside =
  (outer: string, field: string): Change =>
  (item, event) => ({ ...item, [outer]: grow(field)(readNamed(item[outer]) ?? {}, event) });

const endInside =
  (outer: string, field: string): Change =>
  (item, event) => ({ ...item, [outer]: end(field)(readNamed(item[outer]) ?? {}, event) });

/** The commands of a shell, each identified by its number. */
const inCommand =
  (change: (command: string, event: ResponseEvent) => string | undefined): Change =>
  (item, event) => {
    const action = readNamed(item['action']) ?? {};
    const commands = [...listOf(action['commands'])];
    const at = placeIn(commands.length, event.command_index);
    const before = textOf(commands[at]) ?? '';
    commands[at] = change(before, event) ?? before;
    return { ...item, action: { ...action, commands } };
  };

/** The output of the commands of a shell, each identified by the number of its command. */
const inShellOutput =
  (change: (said: Mapping, event: ResponseEvent) => unknown): Change =>
  (item, event) => {
    const output = [...listOf(item['output'])];
    const at = placeIn(output.length, event.command_index);
    output[at] = change(readNamed(output[at]) ?? { stdout: '', stderr: '' }, event);
    return { ...item, output };
  };

const growShellOutput = inShellOutput((said, { delta }) => {
  const before = readShellOutput(said);
  const more = readShellOutput(delta);
  return {
    ...said,
    stdout: (before?.stdout ?? '') + (more?.stdout ?? ''),
    stderr: (before?.stderr ?? '') + (more?.stderr ?? ''),
  };
});

/** One piece for its command; the whole item repeats what comes in another way. */
const endShellOutput = inShellOutput((said, { output }) => {
  const [only, ...rest] = output ?? [];
  return rest.length === 0 ? (readNamed(only) ?? said) : said;
});

const annotate: Change = inPart('content', (part, event) => {
  const annotations = [...listOf(part['annotations'])];
  const { annotation_index: index = annotations.length, annotation } = event;
  annotations[placeIn(annotations.length, index)] = annotation;
  return { type: 'output_text', text: '', ...part, annotations };
});

const changes: Readonly<Record<string, Change>> = {
  'response.output_item.done': (item, event) => event.item ?? item,
  'response.content_part.added': setPart('content'),
  'response.content_part.done': setPart('content'),
  'response.output_text.delta': growPart('content', 'output_text', 'text'),
  'response.output_text.done': endPart('content', 'output_text', 'text'),
  'response.output_text.annotation.added': annotate,
  'response.refusal.delta': growPart('content', 'refusal', 'refusal'),
  'response.refusal.done': endPart('content', 'refusal', 'refusal'),
  'response.reasoning_text.delta': growPart('content', 'reasoning_text', 'text'),
  'response.reasoning_text.done': endPart('content', 'reasoning_text', 'text'),
  'response.reasoning_summary_part.added': setPart('summary'),
  'response.reasoning_summary_part.done': setPart('summary'),
  'response.reasoning_summary_text.delta': growPart('summary', 'summary_text', 'text'),
  'response.reasoning_summary_text.done': endPart('summary', 'summary_text', 'text'),
  'response.function_call_arguments.delta': grow('arguments'),
  'response.function_call_arguments.done': end('arguments'),
  'response.mcp_call_arguments.delta': grow('arguments'),
  'response.mcp_call_arguments.done': end('arguments'),
  'response.custom_tool_call_input.delta': grow('input'),
  'response.custom_tool_call_input.done': end('input'),
  'response.code_interpreter_call_code.delta': grow('code'),
  'response.code_interpreter_call_code.done': end('code'),
  'response.apply_patch_call_operation_diff.delta': growInside('operation', 'diff'),
  'response.apply_patch_call_operation_diff.done': endInside('operation', 'diff'),
  'response.shell_call_command.added': inCommand((_, event) => event.command),
  'response.shell_call_command.delta': inCommand(
    (command, event) => command + (textOf(event.delta) ?? ''),
  ),
  'response.shell_call_command.done': inCommand((_, event) => event.command),
  'response.shell_call_output_content.delta': growShellOutput,
  'response.shell_call_output_content.done': endShellOutput,
};

/** What an event about an item that nobody has announced is about. */
const unannounced: Readonly<Record<string, string>> = {
  content_part: 'message',
  output_text: 'message',
  refusal: 'message',
  reasoning_text: 'reasoning',
  reasoning_summary_part: 'reasoning',
  reasoning_summary_text: 'reasoning',
  function_call_arguments: 'function_call',
  mcp_call_arguments: 'mcp_call',
  custom_tool_call_input: 'custom_tool_call',
  code_interpreter_call_code: 'code_interpreter_call',
  apply_patch_call_operation_diff: 'apply_patch_call',
  shell_call_command: 'shell_call',
  shell_call_output_content: 'shell_call_output',
};

export function newItem(eventType: string, event: ResponseEvent): Mapping {
  const type = ownValue(unannounced, eventType.split('.')[1] ?? '');
  return {
    ...(event.item_id !== undefined && { id: event.item_id }),
    ...(type !== undefined && { type }),
    ...(type === 'message' && { role: 'assistant', status: 'in_progress', content: [] }),
  };
}

const states = /^response\.(\w+)_call\.(in_progress|\w+ing|completed|incomplete|failed)$/;

/** How an event changes its item; undefined when it says nothing about what the item holds. */
export function changeBy(eventType: string): Change | undefined {
  const known = ownValue(changes, eventType);
  if (known !== undefined) return known;
  const state = states.exec(eventType);
  return state === null
    ? undefined
    : (item) => (item['status'] === undefined ? item : { ...item, status: state[2] });
}
