import assert from 'node:assert/strict';
import { testCaseOf, turnRowsOf } from '../../../../src/extension/run-panel/chat/saved-fields.ts';
import { toolCallsOf } from '../../../../src/service/scorecards/step-kinds.ts';
import type { ChatTurn } from '../../../../src/protocol/chat.ts';

const call = (id: string, name: string): object => ({
  ...{ id, type: 'function' },
  function: { name, arguments: '{}' },
});
const messages = [
  { role: 'user', content: [{ type: 'text', text: 'Where is order 7?' }] },
  { role: 'assistant', content: [], tool_calls: [call('a', 'get_order'), call('b', 'get_policy')] },
  { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '47 days ago' }] },
  { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: '30 days' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Too late.' }], tool_calls: [] },
];
const status = { runId: 1, state: 'done', elapsedMs: 1, requestId: 17 } as const;
const turns: readonly ChatTurn[] = [
  {
    ...{ id: 1, parent: null, results: [], status, calls: [], isUsable: true },
    parts: [{ id: 't0', kind: 'tool', title: 'get_order', text: '{}' }],
  },
  {
    ...{ id: 2, parent: 1, status, calls: [], isUsable: true },
    results: [
      { name: 'get_order', text: '47 days ago', source: 'hand' },
      { name: 'get_policy', text: '30 days', source: 'mock' },
    ],
    parts: [
      { id: 'c0', kind: 'thinking', text: 'Hm.' },
      { id: 'c1', kind: 'text', text: 'Too late.' },
    ],
  },
];
const variables = [{ name: 'Output', kind: 'text', text: 'x' }] as const;

describe('run panel: a conversation in a sheet', () => {
  it('is a row whose tools are those that the scorecard reads in it', () => {
    const row = Object.fromEntries(
      testCaseOf({ variables, messages, turns }).map(({ name, text }) => [name, text]),
    );
    const read = toolCallsOf(row['conversation'] ?? '').map(({ name }) => name);
    assert.deepEqual(JSON.parse(row['expected_tools'] ?? ''), read);
    assert.deepEqual(read, ['get_order', 'get_policy']);
    assert.deepEqual(JSON.parse(row['tool_mocks'] ?? ''), {
      get_order: ['47 days ago'],
      get_policy: ['30 days'],
    });
    // A variable has that name.
    assert.deepEqual([row['Output'], row['chat output']], ['x', 'Too late.']);
  });

  it('is a row for each turn', () => {
    const { fields, rows } = turnRowsOf({ variables, messages, turns });
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['turn', 'input', 'tool_results', 'output', 'tool_calls', 'request_id'],
    );
    assert.deepEqual(
      rows.map(({ output, tool_calls: calls, request_id: request }) => [output, calls, request]),
      [
        ['', 'get_order {}', '17'],
        ['Too late.', '', '17'],
      ],
    );
  });
});
