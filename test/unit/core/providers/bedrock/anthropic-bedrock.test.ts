import assert from 'node:assert/strict';
import AnthropicBedrock from '@anthropic-ai/bedrock-sdk';
import { anthropicBedrock } from '../../../../../src/core/providers/bedrock/anthropic-bedrock.ts';
import { ProviderError } from '../../../../../src/core/providers/provider-error.ts';
import {
  awsChunk,
  awsEvent,
  awsException,
  awsStreamHeaders,
} from '../../../../support/providers/aws-stream.ts';
import { startFakeProvider } from '../../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../../support/providers/fake-service.ts';
import { assertCutsDoNotMatter, modelCall, replay } from '../../../../support/providers/replay.ts';
import { runOnce } from '../../../../support/providers/run-once.ts';
import { recorded, text } from '../anthropic/streams.ts';

const call = modelCall({ provider: 'anthropic.bedrock', model: 'anthropic.claude-test-v1:0' });
const messages = anthropicBedrock(call);
const bytesOf = (events: readonly object[]): Buffer => Buffer.concat(events.map(awsChunk));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

const kwargs = {
  model: call.model,
  max_tokens: 99,
  messages: [{ role: 'user', content: 'Say hello.' }],
};
const environment = (url: string) => ({
  AWS_ACCESS_KEY_ID: 'AKIACANARY',
  AWS_SECRET_ACCESS_KEY: 'secret-canary-1',
  AWS_ENDPOINT_URL: url,
});

describe('providers: Claude on Bedrock', () => {
  for (const [name, { events, whole }] of Object.entries(recorded)) {
    it(`puts a stream with ${name} together, however it is cut`, () => {
      const { response, isWhole } = replay(messages, call, bytesOf(events));
      assert.deepEqual(plain(response), plain(whole));
      assert.equal(isWhole, true);
      assertCutsDoNotMatter(messages, call, bytesOf(events), 20);
    });

    it(`comes to the same as Anthropic's own client for ${name}`, async () => {
      const provider = await startFakeProvider(({ path }) =>
        path.endsWith('-stream')
          ? { headers: awsStreamHeaders, pieces: [bytesOf(events)] }
          : { body: whole },
      );
      try {
        const client = new AnthropicBedrock({
          awsRegion: 'us-east-1',
          awsAccessKey: 'a',
          awsSecretKey: 'b',
          baseURL: provider.url,
          maxRetries: 0,
        });
        const body = { model: call.model, max_tokens: 9, messages: [] };
        const { parsed_output: _parsed, ...streamed } = await client.messages
          .stream(body)
          .finalMessage();
        assert.deepEqual(plain(streamed), plain(replay(messages, call, bytesOf(events)).response));
        assert.deepEqual(plain(await client.messages.create(body)), plain(whole));
      } finally {
        await provider.close();
      }
    });
  }

  it('sends what Bedrock wants in the body, and the model in the path', async () => {
    const { asked, result, tracked } = await runOnce({
      template: chatTemplate({
        provider: 'anthropic.bedrock',
        model: call.model,
        kwargs: { ...kwargs, betas: ['context-1m'], aws_region: 'eu-central-1' },
      }),
      script: () => ({ body: text.whole }),
      environment,
    });
    assert.equal(asked[0]?.path, '/model/anthropic.claude-test-v1%3A0/invoke');
    assert.deepEqual(asked[0].json, {
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['context-1m'],
      max_tokens: 99,
      messages: kwargs.messages,
    });
    assert.match(String(asked[0].headers.authorization), /\/us-east-1\/bedrock\/aws4_request/);
    assert.deepEqual(result?.raw_response, text.whole);
    assert.equal(tracked[0]?.['function_name'], 'anthropic.messages.create');
  });

  it('passes over chunks that are none, and reports an exception', async () => {
    const { error, chunks } = await runOnce({
      template: chatTemplate({ provider: 'anthropic.bedrock', model: call.model, kwargs }),
      script: () => ({
        headers: awsStreamHeaders,
        pieces: [
          bytesOf(text.events.slice(0, 4)),
          awsEvent('keepAlive', {}),
          awsException('modelStreamErrorException', { message: 'The model stumbled.' }),
        ],
      }),
      environment,
      stream: true,
    });
    assert.equal(chunks.length, 4);
    assert.ok(error instanceof ProviderError);
    assert.match(error.message, /stopped in the middle of its answer: The model stumbled\./);
    assert.equal(error.providerCode, 'modelStreamErrorException');
  });
});
