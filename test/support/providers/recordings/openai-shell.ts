import { ended, item, patch, recorded, spot } from './openai-responses.ts';
import type { Event } from './openai-responses.ts';

const shell = (commands: readonly string[], status: string): object => ({
  id: 'sh_1',
  type: 'shell_call',
  status,
  call_id: 'call_4',
  environment: null,
  action: { commands, timeout_ms: null, max_output_length: null },
});
const said = (output: readonly object[], status: string): object => ({
  id: 'sho_1',
  type: 'shell_call_output',
  status,
  call_id: 'call_4',
  max_output_length: null,
  output,
});
const printed = [
  { stdout: 'a.txt\n', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
  { stdout: '', stderr: 'no such file', outcome: { type: 'exit', exit_code: 1 } },
];
const command = (step: string, command_index: number, rest: object): Event => ({
  type: `response.shell_call_command.${step}`,
  output_index: 1,
  command_index,
  ...rest,
});
const output = (step: string, command_index: number, rest: object): Event => ({
  type: `response.shell_call_output_content.${step}`,
  ...spot(2, 'sho_1'),
  command_index,
  ...rest,
});
const diff = (step: string, rest: object): Event => ({
  type: `response.apply_patch_call_operation_diff.${step}`,
  ...spot(0, 'apc_1'),
  ...rest,
});

const whole = [
  patch('+a', 'completed'),
  shell(['ls', 'cat b'], 'completed'),
  said(printed, 'completed'),
];

/** The commands of a shell come by turns, and so does what they print. */
export const openAiShell = recorded(
  'a patch, a shell and its output, in pieces',
  [
    ...item(
      0,
      patch('', 'in_progress'),
      patch('+a', 'completed'),
      diff('delta', { delta: '+' }),
      diff('delta', { delta: 'a' }),
      diff('done', { diff: '+a' }),
    ),
    ...item(
      1,
      shell([], 'in_progress'),
      shell(['ls', 'cat b'], 'completed'),
      command('added', 0, { command: '' }),
      command('added', 1, { command: '' }),
      command('delta', 1, { delta: 'cat ' }),
      command('delta', 0, { delta: 'ls' }),
      command('delta', 1, { delta: 'b' }),
      command('done', 0, { command: 'ls' }),
      command('done', 1, { command: 'cat b' }),
    ),
    ...item(
      2,
      said([], 'in_progress'),
      said(printed, 'completed'),
      output('delta', 0, { delta: { stdout: 'a.' } }),
      output('delta', 0, { delta: { stdout: 'txt\n' } }),
      output('done', 0, { output: [printed[0]] }),
      output('delta', 1, { delta: { stderr: 'no such file' } }),
      output('done', 1, { output: [printed[1]] }),
    ),
  ],
  ended(whole),
  { content: whole, tool_calls: [] },
);
