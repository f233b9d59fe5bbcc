import assert from 'node:assert/strict';
import { ChatAccumulator } from '../../../../../src/core/providers/openai/chat-accumulator.ts';
import { replyOfChat } from '../../../../../src/core/providers/openai/chat-reply.ts';
import { callOf } from '../../../../support/providers/playback.ts';
import { recordings } from '../../../../support/providers/recordings/all.ts';

const call = callOf(recordings[0]!);

/** The calls that an accumulator makes of these deltas: in the response, and in the reply. */
function accumulated(deltas: readonly object[]): readonly [unknown, unknown] {
  const accumulator = new ChatAccumulator(call);
  for (const tools of deltas) {
    const choices = [{ index: 0, delta: { tool_calls: tools }, finish_reason: null }];
    accumulator.add({ name: undefined, data: { choices } });
  }
  const [choice] = (accumulator.response() as { choices: { message: { tool_calls: unknown } }[] })
    .choices;
  return [choice?.message.tool_calls, accumulator.reply().tool_calls];
}

const tool = (id: string, name: string, given: string): object => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});

describe('core: tool calls of servers with habits of their own', () => {
  const wanted = [tool('a', 'f', '{"x":1}'), tool('b', 'g', '{}')];

  for (const [title, deltas] of [
    [
      'without an index, each begun by an id',
      [
        [tool('a', 'f', '{"x"')],
        [{ function: { arguments: ':1}' } }],
        [tool('b', 'g', '')],
        [{ function: { arguments: '{}' } }],
      ],
    ],
    [
      'without an index, with the id in every piece',
      [
        [tool('a', 'f', '{"x"')],
        [{ id: 'a', function: { arguments: ':1}' } }],
        [tool('b', 'g', '{}')],
      ],
    ],
    [
      'all with the index 0',
      [
        [{ index: 0, ...tool('a', 'f', '{"x":1}') }],
        [{ index: 0, ...tool('b', 'g', '{') }],
        [{ index: 0, function: { arguments: '}' } }],
      ],
    ],
    [
      'with a new id in every piece',
      [
        [{ index: 0, ...tool('a', 'f', '{"x"') }],
        [{ index: 1, ...tool('b', 'g', '{') }],
        [{ index: 0, id: 'c', function: { arguments: ':1}' } }],
        [{ index: 1, id: 'd', function: { arguments: '}' } }],
      ],
    ],
    [
      'with an empty id and an empty name in later pieces',
      [
        [
          { index: 0, ...tool('a', 'f', '{"x"') },
          { index: 1, ...tool('b', 'g', '') },
        ],
        [{ index: 1, id: '', function: { name: '', arguments: '{}' } }],
        [{ index: 0, id: '', function: { name: null, arguments: ':1}' } }],
      ],
    ],
    [
      'with a name in pieces, or repeated',
      [
        [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }],
        [{ index: 0, function: { name: 'f', arguments: '{"x"' } }],
        [{ index: 0, function: { name: 'f', arguments: ':1}' } }],
        [{ index: 0, function: { name: 'f', arguments: '' } }],
        [{ index: 1, ...tool('b', 'g', '{}') }],
      ],
    ],
  ] as const) {
    it(`tells apart calls ${title}`, () => {
      const [raw, reply] = accumulated(deltas);
      assert.deepEqual(raw, wanted);
      assert.deepEqual(JSON.parse(JSON.stringify(reply)), wanted);
    });
  }

  const london = { name: 'get_weather', arguments: '{"city":"{Lon\\"don"}' };
  const utc = { name: 'get_time', arguments: '{"tz":"UTC"}' };
  const cut = (given: string): [string, string] => [given.slice(0, 5), given.slice(5)];
  for (const [title, marks] of [
    ['neither index nor id', {}],
    ['an empty id', { id: '' }],
    ['no index but null', { index: null }],
    ['the index 0 and an empty id', { index: 0, id: '' }],
    ['the word "null" for an id', { index: 0, id: 'null' }],
  ] as const) {
    const called = (value: unknown): unknown[] =>
      (value as { function: unknown }[]).map((one) => one.function);

    it(`tells apart whole calls with ${title}, in one delta or in two`, () => {
      const both = [
        { ...marks, function: london },
        { ...marks, function: utc },
      ];
      for (const deltas of [[both], [[both[0]!], [both[1]!]]])
        for (const calls of accumulated(deltas)) assert.deepEqual(called(calls), [london, utc]);
      const again = { ...marks, function: london };
      for (const calls of accumulated([[again], [again]]))
        assert.deepEqual(called(calls), [london, london]);
      // Of one name, and without arguments that could be complete.
      const bare = { ...marks, function: { name: 'now', arguments: '' } };
      for (const calls of accumulated([[bare, bare]])) assert.equal(called(calls).length, 2);
    });

    it(`tells apart calls in pieces with ${title}, their names once or repeated`, () => {
      for (const isRepeated of [false, true]) {
        const deltas = [london, utc].flatMap(({ name, arguments: given }) =>
          cut(given).map((piece, at) => [
            {
              ...marks,
              function: { ...((at === 0 || isRepeated) && { name }), arguments: piece },
            },
          ]),
        );
        for (const calls of accumulated(deltas)) assert.deepEqual(called(calls), [london, utc]);
      }
    });
  }

  it('joins a name that comes in pieces', () => {
    const deltas = ['get_', 'weather'].map((name) => [{ index: 0, function: { name } }]);
    const rest = [{ index: 0, function: { arguments: '{}' } }];
    for (const calls of accumulated([...deltas, rest]))
      assert.deepEqual((calls as { function: unknown }[])[0]?.function, {
        name: 'get_weather',
        arguments: '{}',
      });
  });

  it('keeps the arguments that come as an object', () => {
    const [raw, reply] = accumulated([
      [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: { x: 1 } } }],
    ]);
    assert.deepEqual(raw, [
      { id: 'a', type: 'function', function: { name: 'f', arguments: { x: 1 } } },
    ]);
    assert.deepEqual(JSON.parse(JSON.stringify(reply)), [tool('a', 'f', '{"x":1}')]);
  });

  it('puts a tool without a schema together from its input', () => {
    const [raw, reply] = accumulated([
      [{ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: 'select' } }],
      [{ index: 0, custom: { input: ' 1' } }],
    ]);
    assert.deepEqual(raw, [
      { id: 'a', type: 'custom', custom: { name: 'sql', input: 'select 1' } },
    ]);
    assert.deepEqual(JSON.parse(JSON.stringify(reply)), [tool('a', 'sql', 'select 1')]);
  });

  it('finds every call of a whole message, with ids or without', () => {
    const bare = [tool('', 'f', '{}'), tool('', 'g', '{}')].map((one) => ({
      ...one,
      id: undefined,
    }));
    const response = { choices: [{ index: 0, message: { role: 'assistant', tool_calls: bare } }] };
    assert.deepEqual(
      replyOfChat(response, call).tool_calls.map((one) => one.function.name),
      ['f', 'g'],
    );
  });
});
