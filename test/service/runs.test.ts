import assert from 'node:assert/strict';
import { Client } from '../../src/core/client.ts';
import { silentLogger } from '../../src/core/logger.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';

const text = (value: string) => [{ type: 'text', text: value }];

const chatAnswer = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
};

interface Case {
  readonly provider: string;
  readonly model: string;
  readonly apiType?: string;
  readonly answer: object;
  /** Where in the provider's own request the user's words stand. */
  readonly asked: (body: Loose) => unknown;
  /** Where the limit of tokens stands. */
  readonly limit: (body: Loose) => unknown;
}

const cases: readonly Case[] = [
  ...['openai', 'mistral', 'openrouter', 'groq', 'xai', 'deepseek', 'ollama'].map(
    (provider): Case => ({
      provider,
      model: 'm',
      answer: chatAnswer,
      asked: (body) => body.messages[1].content,
      limit: (body) => body.max_tokens,
    }),
  ),
  {
    provider: 'openai.azure',
    model: 'gpt-5-mini',
    answer: chatAnswer,
    asked: (body) => body.messages[1].content,
    limit: (body) => body.max_completion_tokens,
  },
  {
    provider: 'openai',
    model: 'm',
    apiType: 'responses',
    answer: {
      id: 'r',
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [
        {
          type: 'message',
          id: 'msg',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
        },
      ],
      usage: { input_tokens: 7, output_tokens: 2, total_tokens: 9 },
    },
    asked: (body) => body.input[1].content[0].text,
    limit: (body) => body.max_output_tokens,
  },
  {
    provider: 'anthropic',
    model: 'm',
    answer: {
      id: 'a',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hello.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, output_tokens: 2 },
    },
    asked: (body) => body.messages[0].content[0].text,
    limit: (body) => body.max_tokens,
  },
  {
    provider: 'google',
    model: 'gemini-x',
    answer: {
      candidates: [
        { index: 0, finishReason: 'STOP', content: { role: 'model', parts: [{ text: 'Hello.' }] } },
      ],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 9 },
      modelVersion: 'gemini-x',
    },
    asked: (body) => body.contents[0].parts[0].text,
    limit: (body) => body.generationConfig.maxOutputTokens,
  },
  {
    provider: 'amazon.bedrock',
    model: 'm',
    answer: {
      output: { message: { role: 'assistant', content: [{ text: 'Hello.' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 7, outputTokens: 2, totalTokens: 9 },
      metrics: { latencyMs: 1 },
    },
    asked: (body) => body.messages[0].content[0].text,
    limit: (body) => body.inferenceConfig.maxTokens,
  },
  {
    provider: 'cohere',
    model: 'm',
    answer: {
      id: 'co',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
      usage: { tokens: { input_tokens: 7, output_tokens: 2 } },
    },
    asked: (body) => body.messages[1].content,
    limit: (body) => body.max_tokens,
  },
];

/** The service makes the arguments, the client asks the provider and has it logged. */
onEachBackend('A prompt of the local service, run by the client', (backend) => {
  let api: Api;
  let client: Client;
  let provider: FakeProvider;
  let answer: object = {};
  before(async () => {
    provider = await startFakeProvider(() => ({ body: answer }));
    const service = await backend.share();
    ({ api } = service);
    const environment: Record<string, string> = {
      AZURE_OPENAI_ENDPOINT: provider.url,
      AWS_ENDPOINT_URL: provider.url,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret-canary',
      GOOGLE_GEMINI_BASE_URL: provider.url,
      GOOGLE_API_KEY: 'key-canary',
    };
    for (const name of [
      'OPENAI',
      'MISTRAL',
      'OPENROUTER',
      'GROQ',
      'XAI',
      'DEEPSEEK',
      'OLLAMA',
      'ANTHROPIC',
      'COHERE',
    ]) {
      environment[`${name}_BASE_URL`] = `${provider.url}${name === 'ANTHROPIC' ? '' : '/v1'}`;
      environment[`${name}_API_KEY`] = 'key-canary';
    }
    environment['AZURE_OPENAI_API_KEY'] = 'key-canary';
    client = new Client({
      apiKey: service.key,
      baseURL: service.url,
      logger: silentLogger,
      providerEnvironment: (name) => environment[name],
    });
  });
  after(async () => {
    await client.close();
    await provider.close();
  });

  for (const one of cases) {
    const name = `${one.provider} ${one.apiType ?? ''}`.trim();
    it(`reaches ${name}`, async () => {
      ({ answer } = one);
      await api.expect(200, 'POST', '/rest/prompt-templates', {
        prompt_template: { prompt_name: name },
        prompt_version: {
          prompt_template: {
            type: 'chat',
            messages: [
              { role: 'system', content: text('Be brief.') },
              { role: 'user', content: text('Hi {who}') },
            ],
          },
          metadata: {
            model: {
              provider: one.provider,
              name: one.model,
              api_type: one.apiType ?? null,
              parameters: { maxOutputTokens: 9 },
            },
          },
        },
      });
      const result = await client.run({ promptName: name, inputVariables: { who: 'Ada' } });
      const body = provider.requests.at(-1)!.json;
      assert.equal(one.asked(body), 'Hi Ada', JSON.stringify(body));
      assert.equal(one.limit(body), 9, JSON.stringify(body));
      assert.match(JSON.stringify(body), /Be brief\./);
      const { messages }: Loose = result.prompt_blueprint['prompt_template'];
      assert.deepEqual(
        messages.map((message: Loose) => [message.role, message.content[0].text]),
        [
          ['system', 'Be brief.'],
          ['user', 'Hi Ada'],
          ['assistant', 'Hello.'],
        ],
      );
      const logged: Loose = await api.get(`/api/public/v2/requests/${String(result.request_id)}`);
      assert.deepEqual([logged.input_tokens, logged.output_tokens], [7, 2]);
      assert.equal(logged.provider, one.provider);
      assert.doesNotMatch(JSON.stringify(logged), /canary/);
    });
  }
});
