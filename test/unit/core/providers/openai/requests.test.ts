import assert from 'node:assert/strict';
import { azureUrl } from '../../../../../src/core/providers/azure/azure.ts';
import { snakeCased } from '../../../../../src/core/providers/openai/snake-case.ts';
import { recordings } from '../../../../support/providers/recordings/all.ts';
import type { Recording } from '../../../../support/providers/recordings/recording.ts';
import { question } from '../../../../support/providers/recordings/recording.ts';
import type { Stage } from '../../../../support/providers/stage.ts';
import { setStage, streamed, templateOf } from '../../../../support/providers/stage.ts';

const first = (provider: string, path = '/chat/completions'): Recording => {
  const found = recordings.find((known) => known.provider === provider && known.path === path);
  assert.ok(found, `${provider} ${path}`);
  return found;
};

describe('core: requests to the family of OpenAI', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  async function asked(
    recording: Recording,
    options: Parameters<typeof setStage>[1] = {},
    stream = false,
  ) {
    stage = await setStage(recording, options);
    if (stream) await streamed(stage.client);
    else await stage.client.run({ promptName: 'greeting' });
    const [request] = stage.provider.requests;
    assert.ok(request);
    return request;
  }

  const loggedName = (): unknown => stage.service.tracked[0]?.['function_name'];

  for (const [recording, path, name] of [
    [first('openai'), '/v1/chat/completions', 'openai.chat.completions.create'],
    [first('openai', '/completions'), '/v1/completions', 'openai.completions.create'],
    [first('openai', '/responses'), '/v1/responses', 'openai.responses.create'],
    [first('openai', '/images/generations'), '/v1/images/generations', 'openai.images.generate'],
    [
      first('openai.azure'),
      '/openai/deployments/my-deployment/chat/completions',
      'openai.AzureOpenAI.chat.completions.create',
    ],
    [first('mistral'), '/v1/chat/completions', 'mistral.client.chat'],
    [first('openrouter'), '/api/v1/chat/completions', 'openrouter.chat.send'],
    [first('groq'), '/openai/v1/chat/completions', 'openai.chat.completions.create'],
    [first('xai'), '/v1/chat/completions', 'openai.chat.completions.create'],
    [first('deepseek'), '/chat/completions', 'openai.chat.completions.create'],
    [first('ollama'), '/v1/chat/completions', 'openai.chat.completions.create'],
    [first('cohere', '/v2/chat'), '/v2/chat', 'cohere.chat'],
  ] as const) {
    it(`asks ${recording.provider} at ${path} and logs ${name}`, async () => {
      const request = await asked(recording);
      assert.equal(request.path, path);
      assert.equal(loggedName(), name);
    });
  }

  it('takes the chat of OpenAI where a template names no API, or writes it with a dot', async () => {
    for (const apiType of [null, 'chat.completions', 'chat-completions']) {
      const recording = first('openai');
      const template = () =>
        templateOf(recording, {
          metadata: { model: { provider: 'openai', name: 'm', api_type: apiType } },
        });
      const request = await asked(recording, { template });
      assert.equal(request.path, '/v1/chat/completions');
      await stage.close();
    }
    stage = await setStage(first('openai'));
  });

  it('names the APIs that it knows when it knows another', async () => {
    const recording = { ...first('openai'), apiType: 'telepathy' };
    stage = await setStage(recording);
    await assert.rejects(stage.client.run({ promptName: 'greeting' }), {
      code: 'configuration',
      message: /"telepathy"/,
      hint: /responses/,
    });
  });

  it('asks a stream for its tokens, and keeps the other options of it', async () => {
    const kwargs = { ...first('openai').kwargs, stream_options: { include_obfuscation: false } };
    const request = await asked({ ...first('openai'), kwargs }, {}, true);
    assert.deepEqual(request.json['stream_options'], {
      include_obfuscation: false,
      include_usage: true,
    });
    assert.equal(request.headers['accept'], 'text/event-stream');
    await stage.close();
    const whole = await asked({ ...first('openai'), kwargs });
    assert.ok(!('stream_options' in whole.json));
  });

  it('does not ask Mistral, which would refuse', async () => {
    const request = await asked(first('mistral'), {}, true);
    assert.ok(!('stream_options' in request.json));
    assert.equal(request.json['stream'], true);
  });

  it("sends what Mistral's client calls by other names as it travels", async () => {
    const kwargs = {
      model: 'mistral-large-latest',
      messages: [
        {
          role: 'assistant',
          toolCalls: [{ id: 'x', function: { name: 'f', arguments: { aB: 1 } } }],
        },
        { role: 'tool', toolCallId: 'x', content: [{ type: 'image_url', imageUrl: 'https://i' }] },
      ],
      maxTokens: 9,
      tools: [{ type: 'function', function: { name: 'f', parameters: { someName: {} } } }],
      responseFormat: {
        type: 'json_schema',
        jsonSchema: { name: 's', schemaDefinition: { aB: { cD: 1 } } },
      },
    };
    const { json } = await asked({ ...first('mistral'), kwargs });
    assert.deepEqual(json, {
      model: 'mistral-large-latest',
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ id: 'x', function: { name: 'f', arguments: { aB: 1 } } }],
        },
        {
          role: 'tool',
          tool_call_id: 'x',
          content: [{ type: 'image_url', image_url: 'https://i' }],
        },
      ],
      max_tokens: 9,
      tools: [{ type: 'function', function: { name: 'f', parameters: { someName: {} } } }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 's', schema: { aB: { cD: 1 } } },
      },
      stream: false,
    });
  });

  it('asks OpenRouter for the cost', async () => {
    const { json } = await asked(first('openrouter'), {}, true);
    assert.deepEqual(json['usage'], { include: true });
    assert.deepEqual(json['stream_options'], { include_usage: true });
  });

  it('sends organization and project of OpenAI as headers', async () => {
    const environment = (url: string): Record<string, string> => ({
      OPENAI_API_KEY: 'k-test-provider',
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_ORG_ID: 'org-1',
      OPENAI_PROJECT_ID: 'proj-1',
    });
    const { headers } = await asked(first('openai'), { environment });
    assert.equal(headers['openai-organization'], 'org-1');
    assert.equal(headers['openai-project'], 'proj-1');
  });

  it('calls a server of one’s own without a key', async () => {
    const recording = first('openai');
    const template = (url: string): object =>
      templateOf(recording, { custom_provider: { client: 'openai', base_url: `${url}/mine/v1` } });
    const request = await asked(recording, { template, environment: () => ({}) });
    assert.equal(request.path, '/mine/v1/chat/completions');
    assert.equal(request.headers['authorization'], undefined);
  });

  it('keeps the keys of the environment from a custom provider, whoever has set its address', async () => {
    const recording = first('openai');
    const template = (url: string): object =>
      templateOf(recording, { custom_provider: { client: 'openai', base_url: `${url}/v1` } });
    const { headers } = await asked(recording, { template });
    assert.equal(headers['authorization'], undefined);
  });

  it('keeps the keys of the environment from the service, also when it calls itself a provider', async () => {
    stage = await setStage(first('openai'));
    const { service, client } = stage;
    const base = { id: 1, name: 'mine', provider: 'openai', url: `${service.url}/v1` };
    service.templates.set('greeting', templateOf(first('openai'), { provider_base_url: base }));
    await assert.rejects(client.run({ promptName: 'greeting' }));
    assert.ok(service.requests.some(({ path }) => path === '/v1/chat/completions'));
    assert.doesNotMatch(
      JSON.stringify(service.requests.map(({ headers }) => headers)),
      /test-provider-key/,
    );
  });

  it('sets the key of a custom provider above the one of the environment', async () => {
    const recording = first('openai');
    const template = (url: string): object =>
      templateOf(recording, {
        custom_provider: { client: 'openai', base_url: `${url}/v1`, api_key: 'k-of-the-service' },
      });
    const { headers } = await asked(recording, { template });
    assert.equal(headers['authorization'], 'Bearer k-of-the-service');
  });

  it('says which address is none', async () => {
    const recording = first('openai');
    stage = await setStage(recording, {
      environment: () => ({ OPENAI_API_KEY: 'k-test-provider', OPENAI_BASE_URL: 'my server' }),
    });
    await assert.rejects(stage.client.run({ promptName: 'greeting' }), {
      code: 'configuration',
      message: /base URL of openai/,
    });
  });

  it('does not stream the models of images that can not', async () => {
    const kwargs = { model: 'dall-e-3', prompt: 'A cat' };
    const request = await asked({ ...first('openai', '/images/generations'), kwargs }, {}, true);
    assert.ok(!('stream' in request.json));
  });

  it('sends a model that only the template’s metadata name', async () => {
    const recording = { ...first('openai'), kwargs: { messages: question } };
    const template = (): object =>
      templateOf(recording, {
        metadata: { model: { provider: 'openai', name: 'gpt-of-metadata' } },
      });
    const request = await asked(recording, { template });
    assert.equal(request.json['model'], 'gpt-of-metadata');
  });

  describe('at Azure', () => {
    const azure = first('openai.azure');

    it('takes the address of the environment first, then that of the workspace', async () => {
      const template = (): object =>
        templateOf(azure, {
          provider_base_url: { id: 1, name: 'x', provider: 'x', url: 'http://127.0.0.1:9' },
        });
      const request = await asked(azure, { template });
      assert.equal(request.query.get('api-version'), '2025-04-01-preview');
      await stage.close();
      const own = (url: string): object =>
        templateOf(azure, {
          provider_base_url: { id: 1, name: 'x', provider: 'x', url },
          llm_kwargs: {
            ...azure.kwargs,
            model: 'blue/green',
            apiVersion: '2024-10-21',
            azure_deployment: 'red',
          },
        });
      const second = await asked(azure, {
        template: own,
        environment: () => ({
          AZURE_OPENAI_API_KEY: 'k-test-provider',
          OPENAI_API_VERSION: '2025-04-01-preview',
        }),
      });
      assert.equal(second.query.get('api-version'), '2025-04-01-preview');
      assert.equal(second.path, '/openai/deployments/blue%2Fgreen/chat/completions');
      assert.deepEqual(Object.keys(second.json).sort(), ['messages', 'model', 'stream']);
    });

    it('keeps the key of the environment from an address that brings its own', async () => {
      const template = (url: string): object =>
        templateOf(azure, {
          custom_provider: { client: 'openai.azure', base_url: url, api_key: 'k-of-the-service' },
        });
      const environment = (): Record<string, string> => ({
        AZURE_OPENAI_API_KEY: 'k-of-the-environment',
      });
      const { headers } = await asked(azure, { template, environment });
      assert.equal(headers['api-key'], 'k-of-the-service');
    });

    it('takes a token instead of a key', async () => {
      const environment = (url: string): Record<string, string> => ({
        AZURE_OPENAI_ENDPOINT: url,
        AZURE_OPENAI_AD_TOKEN: 'token-of-entra',
      });
      const { headers, path } = await asked(azure, { environment });
      assert.equal(headers['authorization'], 'Bearer token-of-entra');
      assert.equal(headers['api-key'], undefined);
      assert.equal(path, '/openai/v1/chat/completions');
    });

    it('names the variable of the endpoint', async () => {
      stage = await setStage(azure, {
        environment: () => ({ AZURE_OPENAI_API_KEY: 'k-test-provider' }),
      });
      await assert.rejects(stage.client.run({ promptName: 'greeting' }), {
        code: 'configuration',
        hint: /AZURE_OPENAI_ENDPOINT/,
      });
    });
  });
});

describe('core: spelling of arguments', () => {
  it('leaves schemas and documents alone', () => {
    const own = { additionalProperties: false, properties: { aB: {} } };
    assert.deepEqual(
      snakeCased({
        responseFormat: { type: 'json_object', jsonSchema: own },
        documents: [{ data: { someTitle: 'x' } }],
      }),
      {
        response_format: { type: 'json_object', json_schema: own },
        documents: [{ data: { someTitle: 'x' } }],
      },
    );
  });

  it('leaves what is spelled as it travels alone', () => {
    const body = { top_p: 1, GUARD: 2, messages: [{ content: 'camelCase' }] };
    assert.deepEqual(snakeCased(body), body);
  });
});

describe('core: addresses at Azure', () => {
  const host = 'https://x.openai.azure.com';
  for (const [endpoint, path, version, expected] of [
    [host, 'chat/completions', undefined, `${host}/openai/v1/chat/completions`],
    [`${host}/`, 'responses', 'v', `${host}/openai/responses?api-version=v`],
    [host, 'completions', 'v', `${host}/openai/deployments/d%20d/completions?api-version=v`],
    [
      `${host}/openai`,
      'images/generations',
      'v',
      `${host}/openai/deployments/d%20d/images/generations?api-version=v`,
    ],
    [
      `${host}/openai/v1/`,
      'chat/completions',
      'preview',
      `${host}/openai/v1/chat/completions?api-version=preview`,
    ],
    [
      `${host}/openai/deployments/z`,
      'chat/completions',
      undefined,
      `${host}/openai/deployments/z/chat/completions`,
    ],
    [
      'https://gate.example/ai',
      'responses',
      undefined,
      'https://gate.example/ai/openai/v1/responses',
    ],
  ] as const) {
    it(`finds ${path} at ${endpoint}, version ${version ?? 'none'}`, () => {
      assert.equal(azureUrl(endpoint, path, { version, deployment: 'd d' }), expected);
    });
  }
});
