/** Requests of OpenAI's chat API in the words of VS Code's language models. */
import assert from 'node:assert/strict';
import { chatOf, UnsentPart } from '../../../../src/extension/language-models/chat.ts';

const png = Buffer.from('picture').toString('base64');
const call = {
  id: 'call-1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Oslo"}' },
};
const tool = (name: string): object => ({
  type: 'function',
  function: { name, description: 'd', parameters: { type: 'object' }, strict: true },
});

describe('a chat for a model of VS Code', () => {
  it('keeps every message in its place: what the system says is said by the user', () => {
    const { turns } = chatOf({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Look:' }, imagePart(png)] },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call-1', content: [{ type: 'text', text: '12 degrees' }] },
        { role: 'assistant', content: 'Cold.' },
        { role: 'user', content: '' },
        { role: 'developer', content: 'Now end.' },
      ],
    });
    assert.deepEqual(turns, [
      { role: 'user', parts: [{ kind: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'Look:' },
          { kind: 'image', mime: 'image/png', bytes: Buffer.from('picture') },
        ],
      },
      {
        role: 'assistant',
        parts: [{ kind: 'call', id: 'call-1', name: 'weather', input: { city: 'Oslo' } }],
      },
      { role: 'user', parts: [{ kind: 'result', id: 'call-1', text: '12 degrees' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'Cold.' }] },
      { role: 'user', parts: [{ kind: 'text', text: '' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'Now end.' }] },
    ]);
  });

  it('hands on the tools that may be used, and the parameters', () => {
    const tools = [tool('a'), tool('b')];
    const names = (choice?: unknown): unknown => {
      const chat = chatOf({ messages: [], tools, tool_choice: choice });
      return [chat.tools.map(({ name }) => name), chat.isToolRequired];
    };
    assert.deepEqual(names(), [['a', 'b'], false]);
    assert.deepEqual(names('auto'), [['a', 'b'], false]);
    assert.deepEqual(names('required'), [['a', 'b'], true]);
    assert.deepEqual(names('none'), [[], false]);
    assert.deepEqual(names({ type: 'function', function: { name: 'b' } }), [['b'], true]);
    const body = { model: 'm/x', messages: [], tools, stream: true, stream_options: {} };
    assert.deepEqual(chatOf({ ...body, temperature: 0, top_p: 1 }).options, {
      temperature: 0,
      top_p: 1,
    });
    assert.deepEqual(chatOf(body).tools[0], {
      name: 'a',
      description: 'd',
      inputSchema: { type: 'object' },
    });
  });

  it('refuses what such a model would not get: nothing is left out unseen', () => {
    const user = (...content: object[]): object => ({ messages: [{ role: 'user', content }] });
    const calling = (given: string): object => {
      const broken = { ...call, function: { name: 'weather', arguments: given } };
      return { messages: [{ role: 'assistant', tool_calls: [broken] }] };
    };
    for (const [body, kind] of [
      [user({ type: 'image_url', image_url: { url: 'https://x.example/a.png' } }), 'image-address'],
      [user({ type: 'input_audio', input_audio: { data: '', format: 'wav' } }), 'content'],
      [user({ type: 'file', file: { file_id: 'f' } }), 'content'],
      [calling('{"city":'), 'arguments'],
      [calling('[1]'), 'arguments'],
      [{ messages: [], tools: [tool('a'), { type: 'web_search' }] }, 'tool'],
    ] as const) {
      assert.throws(
        () => chatOf(body as Record<string, unknown>),
        (error) => error instanceof UnsentPart && error.kind === kind,
        JSON.stringify(body),
      );
    }
    assert.deepEqual(chatOf(calling('') as Record<string, unknown>).turns[0]?.parts[0], {
      ...{ kind: 'call', id: 'call-1', name: 'weather', input: {} },
    });
  });
});

const imagePart = (data: string): object => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}`, detail: 'low' },
});
