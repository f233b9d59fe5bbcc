import assert from 'node:assert/strict';
import { ChatAccumulator } from '../../../../../src/core/providers/openai/chat-accumulator.ts';
import { callOf } from '../../../../support/providers/playback.ts';
import { recordings } from '../../../../support/providers/recordings/all.ts';

const call = callOf(recordings[0]!);
const reported = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"x":1}' } };

/** The message inside the response, and the reply, of a stream of these choices. */
function accumulated(choices: readonly object[]): { message: unknown; reply: unknown } {
  const accumulator = new ChatAccumulator(call);
  for (const choice of choices)
    accumulator.add({ name: undefined, data: { choices: [{ index: 0, ...choice }] } });
  const response = accumulator.response() as { choices: { message: unknown }[] };
  return { message: response.choices[0]?.message, reply: accumulator.reply() };
}

describe('core: servers that send the message so far beside what is new', () => {
  const text = 'Hello world';
  for (const [title, choices] of [
    [
      'in every chunk',
      [
        { delta: { role: 'assistant', content: 'Hel' }, message: { content: 'Hel' } },
        { delta: { content: 'lo ' }, message: { content: 'Hello ' } },
        { delta: { content: 'world' }, message: { content: text }, finish_reason: 'stop' },
      ],
    ],
    [
      'in the last chunk, with a delta of nothing',
      [
        { delta: { content: 'Hello ' } },
        { delta: { content: 'world' } },
        { delta: {}, message: { role: 'assistant', content: text }, finish_reason: 'stop' },
      ],
    ],
    [
      'in the last chunk, without a delta',
      [{ delta: { content: text } }, { message: { content: text }, finish_reason: 'stop' }],
    ],
    [
      'without any delta, whole each time',
      [{ message: { content: 'Hello' } }, { message: { content: text }, finish_reason: 'stop' }],
    ],
    [
      'without any delta, in pieces',
      [{ message: { content: 'Hello ' } }, { message: { content: 'world' } }],
    ],
    [
      'once, at the end of deltas that say nothing',
      [{ delta: { role: 'assistant', content: '' } }, { delta: {}, message: { content: text } }],
    ],
    ['as null', [{ delta: { content: text }, message: null, finish_reason: 'stop' }]],
  ] as const) {
    it(`are read once: ${title}`, () => {
      const { message, reply } = accumulated(choices);
      assert.equal((message as { content: unknown }).content, text);
      assert.deepEqual(reply, { content: [{ type: 'text', text }], tool_calls: [] });
    });
  }

  it('have their tool calls read once', () => {
    const delta = { tool_calls: [{ index: 0, ...reported }] };
    for (const choices of [
      [{ delta, message: { tool_calls: [reported] } }],
      [{ delta }, { delta: {}, message: { tool_calls: [reported] } }],
      [{ message: { tool_calls: [reported] } }, { message: { tool_calls: [reported] } }],
    ]) {
      const { message, reply } = accumulated(choices);
      assert.deepEqual((message as { tool_calls: unknown }).tool_calls, [reported]);
      assert.deepEqual((reply as { tool_calls: unknown }).tool_calls, [reported]);
    }
  });
});
