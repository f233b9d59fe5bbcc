import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { anthropic } from '../../../../../src/core/providers/anthropic/anthropic.ts';
import { ProviderError } from '../../../../../src/core/providers/provider-error.ts';
import { cut, sse, startFakeProvider } from '../../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../../support/providers/fake-service.ts';
import { assertCutsDoNotMatter, modelCall, replay } from '../../../../support/providers/replay.ts';
import { runOnce } from '../../../../support/providers/run-once.ts';
import {
  interleaved,
  recorded,
  search,
  searchAnnotations,
  text,
  thinkingAndTool,
} from './streams.ts';

const call = modelCall({ provider: 'anthropic' });
const messages = anthropic(call);
const bytesOf = (events: readonly object[]): Uint8Array =>
  Buffer.from(sse(events, { named: true }));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

const kwargs = {
  model: 'claude-test-1',
  max_tokens: 256,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }],
};
const template = chatTemplate({ provider: 'anthropic', model: 'claude-test-1', kwargs });
const environment = (url: string) => ({
  ANTHROPIC_API_KEY: 'sk-ant-canary-1',
  ANTHROPIC_BASE_URL: url,
});

describe('providers: Anthropic messages', () => {
  for (const [name, { events, whole }] of Object.entries(recorded)) {
    it(`puts a stream with ${name} together as the whole answer`, () => {
      const { response, isWhole, replies } = replay(messages, call, bytesOf(events));
      assert.deepEqual(plain(response), plain(whole));
      assert.equal(isWhole, true);
      const last = replies.at(-1);
      const own = messages.replyOf(whole, call);
      assert.deepEqual(last?.content, own.content);
      assert.deepEqual(
        last.tool_calls.map(({ function: { arguments: given, ...rest }, ...other }) => ({
          ...other,
          function: { ...rest, arguments: JSON.stringify(JSON.parse(given)) },
        })),
        own.tool_calls,
      );
    });

    it(`does not care where a stream with ${name} is cut`, () => {
      assertCutsDoNotMatter(messages, call, bytesOf(events));
    });

    it(`comes to the same as Anthropic's own client for ${name}`, async () => {
      const provider = await startFakeProvider(({ json }) =>
        json['stream'] === true
          ? { pieces: cut(sse(events, { named: true }), 50) }
          : { body: whole },
      );
      try {
        const client = new Anthropic({ apiKey: 'k', baseURL: provider.url, maxRetries: 0 });
        const body = { model: 'm', max_tokens: 9, messages: [] };
        // The client adds a field of its own.
        const { parsed_output: _parsed, ...streamed } = await client.messages
          .stream(body)
          .finalMessage();
        const { response } = replay(messages, call, bytesOf(events));
        assert.deepEqual(plain(streamed), plain(response));
        const answered = await client.messages.create(body);
        assert.deepEqual(plain(answered), plain(whole));
      } finally {
        await provider.close();
      }
    });
  }

  it('shows thinking, hidden thinking, text and the call of a tool as parts', () => {
    const { replies } = replay(messages, call, bytesOf(thinkingAndTool.events));
    assert.deepEqual(replies.at(-1), {
      content: [
        { type: 'thinking', thinking: 'The place matters.', signature: 'EqQBCgIYAhIM' },
        { type: 'redacted_thinking', data: 'EmwKAhgBEgy3' },
        { type: 'text', text: 'I look it up.' },
      ],
      tool_calls: [
        {
          id: 'toolu_1',
          type: 'function',
          function: { name: 'weather', arguments: '{"place": "Köln", "days": [1, 2]}' },
        },
      ],
    });
  });

  it('shows a search, its results and what the text cites', () => {
    const { replies } = replay(messages, call, bytesOf(search.events));
    const [use, result, said] = replies.at(-1)?.content ?? [];
    assert.deepEqual(use, {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'web_search',
      input: { query: 'rain' },
    });
    assert.equal(result?.['type'], 'web_search_tool_result');
    assert.deepEqual(said, { type: 'text', text: 'It rains.', annotations: searchAnnotations });
  });

  it('grows the arguments of each call on their own', () => {
    const { replies } = replay(messages, call, bytesOf(interleaved.events));
    const seen = replies.map(({ tool_calls }) =>
      tool_calls.map(({ function: { arguments: given } }) => given).join('|'),
    );
    assert.deepEqual(
      [...new Set(seen)],
      [
        '',
        '|',
        '{"x"|',
        '{"x"|{"y":',
        '{"x":1}|{"y":',
        '{"x":1}|{"y":2}',
        '{"x":1}|{"y":2}|',
        '{"x":1}|{"y":2}|{}',
      ],
    );
  });

  it('leaves out an argument that was cut off, and keeps what came of it in the reply', () => {
    const events = [
      ...thinkingAndTool.events.slice(0, 14),
      { type: 'content_block_stop', index: 3 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'max_tokens', stop_sequence: null },
        usage: { output_tokens: 256 },
      },
    ];
    const { response, replies, isWhole } = replay(messages, call, bytesOf(events));
    const { content, stop_reason } = response as { content: object[]; stop_reason: string };
    assert.deepEqual(content.at(-1), {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'weather',
      input: {},
    });
    assert.equal(stop_reason, 'max_tokens');
    assert.equal(isWhole, true);
    assert.equal(replies.at(-1)?.tool_calls[0]?.function.arguments, '{"place": "Köl');
  });

  it('keeps blocks and deltas that are newer than itself', () => {
    const events = [
      text.events[0],
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'compaction', content: null },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'compaction_delta', content: 'Short.' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'something_new', index: 0 },
    ] as object[];
    const { response, replies } = replay(messages, call, bytesOf(events));
    assert.deepEqual((response as { content: unknown }).content, [
      { type: 'compaction', content: 'Short.' },
    ]);
    assert.deepEqual(replies.at(-1)?.content, [{ type: 'compaction', content: 'Short.' }]);
  });

  it('takes a whole message in place of a stream, and blocks whose start is missing', () => {
    const { whole } = thinkingAndTool;
    const answered = replay(messages, call, Buffer.from(JSON.stringify(whole)));
    assert.deepEqual(plain(answered.response), plain(whole));
    assert.equal(answered.isWhole, true);
    assert.deepEqual(answered.replies.at(-1), messages.replyOf(whole, call));
    const events = text.events.filter((event) => !JSON.stringify(event).includes('block_start'));
    const { response } = replay(messages, call, bytesOf(events));
    assert.deepEqual(plain(response), plain(text.whole));
  });

  it('merges any order of pieces of any blocks as their own order has it', () => {
    const piece = fc.record({
      index: fc.nat({ max: 3 }),
      text: fc.string({ unit: 'grapheme', maxLength: 6 }),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const events = [
          text.events[0] as object,
          ...[0, 1, 2, 3].map((index) => ({
            type: 'content_block_start',
            index,
            content_block: { type: 'text', text: '' },
          })),
          ...pieces.map(({ index, text: more }) => ({
            type: 'content_block_delta',
            index,
            delta: { type: 'text_delta', text: more },
          })),
        ];
        const { response } = replay(messages, call, bytesOf(events));
        assert.deepEqual(
          (response as { content: unknown }).content,
          [0, 1, 2, 3].map((at) => ({
            type: 'text',
            text: pieces.flatMap(({ index, text: more }) => (index === at ? more : [])).join(''),
          })),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('sends the key in a header, names the version and the betas', async () => {
    const { asked, result, tracked } = await runOnce({
      template: chatTemplate({
        provider: 'anthropic',
        kwargs: {
          ...kwargs,
          betas: ['context-1m', 'x\r\nx-api-key: other', 'skills'],
          api_key: 'sk-ant-other',
        },
      }),
      script: () => ({ body: text.whole }),
      environment,
    });
    const [request] = asked;
    assert.equal(request?.path, '/v1/messages');
    // A key of the template is none.
    assert.equal(request.headers['x-api-key'], 'sk-ant-canary-1');
    assert.equal(request.headers['anthropic-version'], '2023-06-01');
    assert.equal(request.headers['anthropic-beta'], 'context-1m,skills');
    assert.deepEqual(request.json, { ...kwargs, stream: false });
    assert.deepEqual(result?.raw_response, text.whole);
    assert.equal(tracked[0]?.['function_name'], 'anthropic.messages.create');
    assert.equal(tracked[0]['provider_type'], 'anthropic');
  });

  it('streams a run, and logs the answer put together', async () => {
    const { chunks, tracked, asked } = await runOnce({
      template,
      script: () => ({ pieces: cut(sse(search.events, { named: true }), 33) }),
      environment,
      stream: true,
    });
    assert.equal(asked[0]?.json['stream'], true);
    assert.equal(chunks.length, search.events.length + 1);
    assert.deepEqual(plain(chunks.at(-1)?.raw_response), plain(search.whole));
    assert.deepEqual(tracked[0]?.['request_response'], plain(search.whole));
  });

  it('reports an error in the stream with what had come before', async () => {
    const { error, tracked } = await runOnce({
      template,
      script: () => ({
        pieces: [
          sse(text.events.slice(0, 4), { named: true }),
          sse([{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }], {
            named: true,
          }),
        ],
      }),
      environment,
      stream: true,
    });
    assert.ok(error instanceof ProviderError);
    assert.match(error.message, /anthropic stopped in the middle of its answer: Overloaded/);
    assert.equal(error.providerCode, 'overloaded_error');
    assert.match(JSON.stringify(error.partial?.raw_response), /Grüß/);
    assert.equal(tracked[0]?.['status'], 'WARNING');
  });

  it('calls a stream broken off that ends before the message does', async () => {
    const { error } = await runOnce({
      template,
      script: () => ({ pieces: [sse(text.events.slice(0, 5), { named: true })] }),
      environment,
      stream: true,
    });
    assert.ok(error instanceof ProviderError);
    assert.match(error.message, /closed the connection before its answer was complete/);
  });

  it('explains a refusal in the words of Anthropic', async () => {
    const { error, tracked } = await runOnce({
      template,
      script: () => ({
        status: 401,
        headers: { 'request-id': 'req_1' },
        body: {
          type: 'error',
          error: { type: 'authentication_error', message: 'invalid x-api-key' },
        },
      }),
      environment,
    });
    assert.ok(error instanceof ProviderError);
    assert.equal(error.errorType, 'PROVIDER_AUTH_ERROR');
    assert.equal(error.requestId, 'req_1');
    assert.equal(tracked[0]?.['error_type'], 'PROVIDER_AUTH_ERROR');
  });
});
