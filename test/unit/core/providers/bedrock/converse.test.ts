import assert from 'node:assert/strict';
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { converse } from '../../../../../src/core/providers/bedrock/converse.ts';
import { ProviderError } from '../../../../../src/core/providers/provider-error.ts';
import {
  awsEvent,
  awsException,
  awsStreamHeaders,
} from '../../../../support/providers/aws-stream.ts';
import { startFakeProvider } from '../../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../../support/providers/fake-service.ts';
import { assertCutsDoNotMatter, modelCall, replay } from '../../../../support/providers/replay.ts';
import { runOnce } from '../../../../support/providers/run-once.ts';
import { citations, reasoningAndTools, recorded, text } from './streams.ts';

const call = modelCall({ provider: 'amazon.bedrock' });
const bytesOf = (events: (typeof text)['events']): Buffer =>
  Buffer.concat(events.map(([type, payload]) => awsEvent(type, payload)));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

const body = {
  messages: [{ role: 'user' as const, content: [{ text: 'Say hello.' }] }],
  inferenceConfig: { maxTokens: 99 },
};
const template = chatTemplate({
  provider: 'amazon.bedrock',
  model: 'amazon.nova-pro-v1:0',
  kwargs: { modelId: 'amazon.nova-pro-v1:0', ...body },
});
const environment = (url: string) => ({
  AWS_ACCESS_KEY_ID: 'AKIACANARY',
  AWS_SECRET_ACCESS_KEY: 'secret-canary-1',
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
});

describe('providers: Bedrock Converse', () => {
  for (const [name, { events, whole }] of Object.entries(recorded)) {
    it(`puts a stream with ${name} together as the whole answer`, () => {
      const { response, isWhole, replies } = replay(converse, call, bytesOf(events));
      assert.deepEqual(response, whole);
      assert.equal(isWhole, true);
      const own = converse.replyOf(whole, call);
      assert.deepEqual(replies.at(-1)?.content, own.content);
      assert.deepEqual(
        replies.at(-1)?.tool_calls.map(({ id }) => id),
        own.tool_calls.map(({ id }) => id),
      );
    });

    it(`does not care where a stream with ${name} is cut`, () => {
      assertCutsDoNotMatter(converse, call, bytesOf(events));
    });

    it(`gives the events and the answer that Amazon's own client gives for ${name}`, async () => {
      const provider = await startFakeProvider(({ path }) =>
        path.endsWith('converse-stream')
          ? { headers: awsStreamHeaders, pieces: [bytesOf(events)] }
          : { body: whole },
      );
      const client = new BedrockRuntimeClient({
        endpoint: provider.url,
        region: 'eu-west-1',
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
        requestHandler: new NodeHttpHandler(),
        maxAttempts: 1,
      });
      try {
        const input = { modelId: 'm', ...body };
        const { stream } = await client.send(new ConverseStreamCommand(input));
        const seen: unknown[] = [];
        for await (const event of stream ?? []) seen.push(plain(event));
        const ours = replay(converse, call, bytesOf(events));
        assert.deepEqual(
          ours.events.map(({ data }) => data),
          seen,
        );
        const { $metadata: _metadata, ...answered } = await client.send(new ConverseCommand(input));
        assert.deepEqual(plain(ours.response), plain(answered));
      } finally {
        client.destroy();
        await provider.close();
      }
    });
  }

  it('shows reasoning, text and calls of tools as parts', () => {
    const { replies } = replay(converse, call, bytesOf(reasoningAndTools.events));
    assert.deepEqual(replies.at(-1), {
      content: [
        { type: 'thinking', thinking: 'The place matters.', signature: 'EqQBCgIYAhIM' },
        { type: 'text', text: 'I look.' },
      ],
      tool_calls: [
        {
          id: 'tooluse_1',
          type: 'function',
          function: { name: 'weather', arguments: '{"place": "Köln"}' },
        },
        { id: 'tooluse_2', type: 'function', function: { name: 'now', arguments: '{}' } },
      ],
    });
  });

  it('shows where a text comes from', () => {
    const { replies } = replay(converse, call, bytesOf(citations.events));
    assert.deepEqual(replies.at(-1)?.content.at(-1), {
      type: 'text',
      text: 'It rains.',
      annotations: [
        {
          type: 'url_citation',
          url: 'https://example.com/rain',
          title: 'Rain',
          start_index: 0,
          end_index: 9,
          cited_text: 'It rains.',
        },
      ],
    });
  });

  it('keeps hidden reasoning, images and kinds that it does not know', () => {
    const { response, replies } = replay(
      converse,
      call,
      bytesOf([
        [
          'contentBlockDelta',
          { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent: 'AQID' } } },
        ],
        ['contentBlockStop', { contentBlockIndex: 0 }],
        ['contentBlockStart', { contentBlockIndex: 1, start: { image: { format: 'png' } } }],
        [
          'contentBlockDelta',
          { contentBlockIndex: 1, delta: { image: { source: { bytes: 'iVBO' } } } },
        ],
        ['contentBlockStop', { contentBlockIndex: 1 }],
        ['contentBlockDelta', { contentBlockIndex: 2, delta: { novelty: { a: 1 } } }],
        ['contentBlockStop', { contentBlockIndex: 2 }],
        ['messageStop', { stopReason: 'end_turn', additionalModelResponseFields: { x: 1 } }],
      ]),
    );
    assert.deepEqual(response, {
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { redactedContent: 'AQID' } },
            { image: { format: 'png', source: { bytes: 'iVBO' } } },
            { novelty: { a: 1 } },
          ],
        },
      },
      stopReason: 'end_turn',
      additionalModelResponseFields: { x: 1 },
    });
    assert.deepEqual(replies.at(-1)?.content, [
      { type: 'redacted_thinking', data: 'AQID' },
      { type: 'output_media', url: 'iVBO', mime_type: 'image/png', media_type: 'image' },
      { type: 'novelty', novelty: { a: 1 } },
    ]);
  });

  it('asks the model of the template, whole', async () => {
    const { asked, result, tracked } = await runOnce({
      template,
      script: () => ({ body: text.whole }),
      environment,
    });
    assert.equal(asked[0]?.path, '/model/amazon.nova-pro-v1%3A0/converse');
    assert.deepEqual(asked[0].json, body);
    assert.deepEqual(result?.raw_response, text.whole);
    assert.equal(tracked[0]?.['function_name'], 'boto3.bedrock-runtime.converse');
  });

  it('streams a run, and logs the answer put together', async () => {
    const { asked, chunks, tracked } = await runOnce({
      template,
      script: () => ({
        headers: awsStreamHeaders,
        pieces: [bytesOf(text.events).subarray(0, 101), bytesOf(text.events).subarray(101)],
      }),
      environment,
      stream: true,
    });
    assert.equal(asked[0]?.path, '/model/amazon.nova-pro-v1%3A0/converse-stream');
    assert.equal(chunks.length, text.events.length + 1);
    assert.deepEqual(chunks[1]?.raw_response, {
      contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Grüß' } },
    });
    assert.deepEqual(tracked[0]?.['request_response'], text.whole);
  });

  it('reports an exception in the stream with what had come before', async () => {
    const { error, tracked } = await runOnce({
      template,
      script: () => ({
        headers: awsStreamHeaders,
        pieces: [
          Buffer.concat([
            bytesOf(text.events.slice(0, 2)),
            awsException('throttlingException', { message: 'Too many tokens.' }),
          ]),
        ],
      }),
      environment,
      stream: true,
    });
    assert.ok(error instanceof ProviderError);
    assert.match(
      error.message,
      /amazon\.bedrock stopped in the middle of its answer: Too many tokens\./,
    );
    assert.equal(error.providerCode, 'throttlingException');
    assert.equal(error.errorType, 'PROVIDER_RATE_LIMIT');
    assert.match(JSON.stringify(error.partial?.raw_response), /Grüß/);
    assert.equal(tracked[0]?.['status'], 'WARNING');
  });

  it('says so when what comes is no event stream', async () => {
    const { error } = await runOnce({
      template,
      script: () => ({ pieces: ['<html>Welcome to the hotel</html>'] }),
      environment,
      stream: true,
    });
    assert.ok(error instanceof ProviderError);
    assert.match(error.message, /not its own protocol/);
  });

  it('explains a refusal by the type that AWS puts into a header', async () => {
    const { error } = await runOnce({
      template,
      script: () => ({
        status: 400,
        headers: { 'x-amzn-errortype': 'ValidationException:http://amazon' },
        body: { message: 'The model is not there.' },
      }),
      environment,
    });
    assert.ok(error instanceof ProviderError);
    assert.equal(error.providerCode, 'ValidationException');
    assert.match(error.message, /The model is not there\./);
  });
});
