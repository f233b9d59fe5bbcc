import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { isPromptTablesError } from '../../../../src/core/errors.ts';
import type { ProviderError } from '../../../../src/core/providers/provider-error.ts';
import type { RunChunk, RunOptions } from '../../../../src/core/run/options.ts';
import { Client } from '../../../../src/core/client.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { TestClient } from '../../../support/http/client.ts';
import type { FakeProvider, ProviderScript } from '../../../support/providers/fake-provider.ts';
import { cut, sse, startFakeProvider } from '../../../support/providers/fake-provider.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';
import { chatTemplate, startFakeService } from '../../../support/providers/fake-service.ts';
import { until } from '../../../support/until.ts';

const chunk = (delta: object, rest: object = {}): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'gpt-test-1',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
  ...rest,
});
const lastChunk = {
  ...chunk({}),
  choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }],
};
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const stream = [
  chunk({ role: 'assistant', content: '', refusal: null }),
  chunk({ content: 'Hel' }),
  chunk({ content: 'lo.' }),
  lastChunk,
  { ...chunk({}), choices: [], usage },
];
const whole = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-test-1',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello.', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage,
};

const textOf = ({ prompt_blueprint: blueprint }: Pick<RunChunk, 'prompt_blueprint'>): unknown => {
  const { messages } = blueprint['prompt_template'] as {
    messages: { content: { text: string }[] }[];
  };
  return messages
    .at(-1)
    ?.content.map(({ text }) => text)
    .join('');
};

describe('core: run', () => {
  let service: FakeService;
  let provider: FakeProvider;
  let test: TestClient;

  const start = async (script: ProviderScript, template: object = chatTemplate()) => {
    service = await startFakeService({ greeting: template });
    provider = await startFakeProvider(script);
    const { url } = provider;
    test = makeTestClient({
      baseURL: service.url,
      providerEnvironment: (name) =>
        ({ OPENAI_API_KEY: 'sk-canary-key', OPENAI_BASE_URL: `${url}/v1` })[name],
    });
    return test.client;
  };
  afterEach(async () => {
    await test.client.close();
    await service.close();
    await provider.close();
  });

  const collect = async (
    client: Pick<Client, 'run'>,
    options: object = {},
  ): Promise<RunChunk[]> => {
    const chunks: RunChunk[] = [];
    for await (const item of await client.run({ promptName: 'greeting', stream: true, ...options }))
      chunks.push(item);
    return chunks;
  };

  it('fetches, asks and logs, in that order', async () => {
    const client = await start(() => ({ body: whole }));
    const result = await client.run({
      promptName: 'greeting',
      inputVariables: { name: 'Ada' },
      tags: ['t'],
      metadata: { user: 'u1' },
      groupId: 9,
    });
    assert.equal(result.request_id, 1001);
    assert.deepEqual(result.raw_response, whole);
    assert.deepEqual(result.prompt_blueprint, {
      prompt_template: { type: 'chat', messages: [] },
      logged: true,
    });
    const [asked] = provider.requests;
    assert.equal(asked?.path, '/v1/chat/completions');
    assert.equal(asked.headers['authorization'], 'Bearer sk-canary-key');
    assert.deepEqual(asked.json, {
      model: 'gpt-test',
      messages: [{ role: 'user', content: 'Say hello.' }],
      stream: false,
    });
    const [tracked] = service.tracked;
    const { request_start_time: began, request_end_time: ended, ...rest } = tracked ?? {};
    assert.ok(Date.parse(String(began)) <= Date.parse(String(ended)));
    assert.deepEqual(rest, {
      api_key: 'test-key',
      function_name: 'openai.chat.completions.create',
      provider_type: 'openai',
      args: [],
      kwargs: {
        model: 'gpt-test',
        messages: [{ role: 'user', content: 'Say hello.' }],
        stream: false,
      },
      tags: ['t'],
      metadata: { user: 'u1' },
      prompt_id: 7,
      prompt_version: 3,
      prompt_input_variables: { name: 'Ada' },
      group_id: 9,
      return_prompt_blueprint: true,
      request_response: whole,
    });
  });

  it('runs a prompt that is not published, and logs no version of one', async () => {
    const client = await start(() => ({ body: whole }));
    service.templates.set(
      'tone',
      chatTemplate({
        prompt_template: { type: 'completion', content: [{ type: 'text', text: 'kindly' }] },
      }),
    );
    const result = await client.run({
      promptName: 'draft',
      promptBlueprint: {
        prompt_template: {
          type: 'chat',
          messages: [
            { role: 'system', content: 'Answer @@@tone@@@.' },
            { role: 'placeholder', name: 'history' },
            {
              role: 'user',
              template_format: 'jinja2',
              content: [{ type: 'text', text: 'Hello {{ name }}.' }],
            },
          ],
        },
        metadata: {
          model: { provider: 'openai', name: 'gpt-test', parameters: { temperature: 0 } },
        },
      },
      inputVariables: { name: 'Ada', history: [{ role: 'assistant', content: 'Yes?' }] },
      tags: ['t'],
    });
    assert.equal(result.request_id, 1001);
    assert.deepEqual(
      service.requests.map(({ path }) => path),
      ['/prompt-templates/tone', '/track-request'],
    );
    const asked = {
      model: 'gpt-test',
      messages: [
        { role: 'system', content: 'Answer kindly.' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'Hello Ada.' },
      ],
      temperature: 0,
      stream: false,
    };
    assert.deepEqual(provider.requests[0]?.json, asked);
    const [tracked] = service.tracked;
    assert.deepEqual(tracked?.['kwargs'], asked);
    assert.equal('prompt_id' in tracked || 'prompt_version' in tracked, false);
    assert.deepEqual(tracked['tags'], ['t']);
  });

  it('runs a prompt that is not published with another model, as a stream', async () => {
    const client = await start(() => ({ pieces: [sse(stream, { done: true })] }));
    const chunks = await collect(client, {
      promptName: 'draft',
      provider: 'openai',
      model: 'gpt-other',
      promptBlueprint: {
        promptTemplate: { type: 'completion', content: 'Say {word}.' },
        metadata: { model: { provider: 'anthropic', name: 'claude-test' } },
      },
      inputVariables: { word: 'hello' },
    });
    assert.equal(chunks.at(-1)?.request_id, 1001);
    assert.equal(provider.requests[0]?.json['model'], 'gpt-other');
    assert.equal(provider.requests[0].json['prompt'], 'Say hello.');
  });

  it('takes a blueprint as it is when it is given no variables', async () => {
    const client = await start(() => ({ body: whole }));
    const content = 'Say {this} and @@@that@@@.';
    await client.run({
      promptName: 'as asked',
      promptBlueprint: {
        prompt_template: { type: 'chat', messages: [{ role: 'user', content }] },
        metadata: { model: { provider: 'openai', name: 'gpt-test' } },
      },
    });
    assert.deepEqual(provider.requests[0]?.json['messages'], [{ role: 'user', content }]);
  });

  it('refuses what is no blueprint, and what only a published prompt can be', async () => {
    const client = await start(() => ({ body: whole }));
    const prompt = { type: 'chat', messages: [{ role: 'user', content: 'Hello.' }] };
    const metadata = { model: { provider: 'openai', name: 'gpt-test' } };
    const message = (promptBlueprint: object, rest: object = {}): Promise<string> =>
      client.run({ promptName: 'draft', promptBlueprint: { ...promptBlueprint }, ...rest }).then(
        () => 'has run',
        (error: unknown) => String(error),
      );
    assert.match(await message({ metadata }), /no prompt_template/);
    const both = { promptVersion: 1 };
    assert.match(await message({ prompt_template: prompt, metadata }, both), /and a version/);
    assert.match(await message({ prompt_template: prompt }), /no arguments for a model/);
    const tools = [{ type: 'registry', tool_registry_id: 1 }];
    const withTool = { prompt_template: { ...prompt, tools }, metadata };
    assert.match(await message(withTool), /tool registry/);
    const placeholder = { type: 'chat', messages: [{ role: 'placeholder', name: 'p' }] };
    const filled = { inputVariables: { p: 'no list' } };
    const fault = await message({ prompt_template: placeholder, metadata }, filled);
    assert.match(fault, /"p" fills a placeholder/);
    assert.deepEqual([...provider.requests, ...service.tracked], []);
  });

  it('streams immutable chunks with the blueprint so far, the id in the last one', async () => {
    const client = await start(() => ({ pieces: cut(sse(stream, { done: true }), 7) }));
    const chunks = await collect(client);
    assert.equal(chunks.length, stream.length + 1);
    assert.deepEqual(
      chunks.slice(0, -1).map((item) => item.raw_response),
      stream,
    );
    assert.deepEqual(chunks.slice(0, -1).map(textOf), ['', 'Hel', 'Hello.', 'Hello.', 'Hello.']);
    assert.ok(chunks.slice(0, -1).every((item) => !('request_id' in item)));
    const last = chunks.at(-1);
    assert.equal(last?.request_id, 1001);
    assert.deepEqual(last.raw_response, whole);
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    assert.ok(chunks.every(isFrozen), 'all the way down');
    assert.deepEqual(service.tracked[0]?.['request_response'], whole);
    assert.deepEqual(provider.requests[0]?.json['stream_options'], { include_usage: true });
  });

  it('stops the provider and logs what came when the reader leaves', async () => {
    const client = await start(() => ({ pieces: [sse(stream.slice(0, 2))], then: 'hang' }));
    for await (const item of await client.run({ promptName: 'greeting', stream: true })) {
      if (textOf(item) === 'Hel') break;
    }
    await provider.requests[0]?.closed;
    const [tracked] = service.tracked;
    assert.equal(tracked?.['status'], 'WARNING');
    assert.equal(tracked['error_type'], 'PROVIDER_PARTIAL_RESPONSE');
    assert.match(JSON.stringify(tracked['request_response']), /"content":"Hel"/);
  });

  it('closes the socket of a stream that is given up before it is read', async () => {
    const client = await start(() => ({ pieces: [sse(stream.slice(0, 1))], then: 'hang' }));
    const chunks = await client.run({ promptName: 'greeting', stream: true });
    await chunks.return();
    await provider.requests[0]?.closed;
    assert.equal(service.tracked.length, 1);
  });

  it('keeps what came when the provider breaks off', async () => {
    const client = await start(() => ({ pieces: [sse(stream.slice(0, 3))], then: 'end' }));
    await assert.rejects(collect(client), (error: ProviderError) => {
      assert.equal(error.code, 'provider');
      assert.equal(error.partial?.request_id, 1001);
      assert.equal(textOf({ prompt_blueprint: error.partial.prompt_blueprint }), 'Hello.');
      return true;
    });
    assert.equal(service.tracked[0]?.['error_type'], 'PROVIDER_PARTIAL_RESPONSE');
  });

  it("logs a refusal and throws the provider's words, without the key", async () => {
    const client = await start(() => ({
      status: 401,
      body: { error: { message: 'Incorrect API key: sk-canary-key', code: 'invalid_api_key' } },
    }));
    await assert.rejects(client.run({ promptName: 'greeting' }), (error: ProviderError) => {
      assert.equal(error.errorType, 'PROVIDER_AUTH_ERROR');
      assert.equal(error.status, 401);
      assert.doesNotMatch(JSON.stringify([error, error.message, error.stack]), /canary/);
      return true;
    });
    const [tracked] = service.tracked;
    assert.equal(tracked?.['status'], 'ERROR');
    assert.deepEqual(tracked['request_response'], {});
    assert.doesNotMatch(JSON.stringify(service.requests.map(({ text }) => text)), /canary/);
  });

  it('tries the provider three times, then gives up', async () => {
    const client = await start(() => ({ status: 503, body: {} }));
    await assert.rejects(client.run({ promptName: 'greeting' }), { status: 503 });
    assert.equal(provider.requests.length, 3);
    assert.deepEqual(test.clock.waits, [500, 1000]);
  });

  it('names the variable of a missing key before anything is sent', async () => {
    const client = await start(() => ({ body: whole }));
    await client.close();
    test = makeTestClient({ baseURL: service.url, providerEnvironment: () => undefined });
    await assert.rejects(test.client.run({ promptName: 'greeting' }), {
      code: 'configuration',
      hint: 'Set OPENAI_API_KEY.',
    });
    assert.equal(provider.requests.length, 0);
    assert.equal(service.tracked.length, 0);
  });

  it('never loses an answer that cannot be logged', async () => {
    const client = await start(() => ({ body: whole }));
    service.trackStatus = 400;
    await assert.rejects(client.run({ promptName: 'greeting' }), (error: unknown) => {
      assert.ok(isPromptTablesError(error) && error.code === 'not_logged' && 'result' in error);
      assert.deepEqual((error.result as { raw_response: unknown }).raw_response, whole);
      return true;
    });
  });

  describe('which template it asks for', () => {
    const bodyOf = (at = 0): unknown => {
      const { prompt_template: _given, ...body } = service.requests[at]?.json ?? {};
      return body;
    };

    it('sends overrides, filters and variables to the service', async () => {
      const client = await start(() => ({ body: whole }));
      await client.run({
        prompt_name: 'greeting',
        prompt_release_label: 'prod',
        metadata: { plan: 'pro' },
        provider: 'openai',
        model: 'gpt-test',
        model_parameter_overrides: { temperature: 0 },
        input_variables: { a: 1 },
      });
      assert.deepEqual(bodyOf(), {
        label: 'prod',
        provider: 'openai',
        model: 'gpt-test',
        input_variables: { a: 1 },
        // A label may lead to a variant, which the metadata of the run choose.
        metadata_filters: { plan: 'pro' },
        model_parameter_overrides: { temperature: 0 },
      });
    });

    it('uses the cache, also for a run with metadata, unless a label has variants', async () => {
      const client = await start(() => ({ body: whole }));
      await client.close();
      const { url } = provider;
      test = makeTestClient({
        baseURL: service.url,
        cacheTtlSeconds: 60,
        providerEnvironment: (name) =>
          ({ OPENAI_API_KEY: 'sk-canary-key', OPENAI_BASE_URL: `${url}/v1` })[name],
      });
      const asked = (): number =>
        service.requests.filter(({ path }) => path.startsWith('/prompt-templates')).length;
      await test.client.run({ promptName: 'greeting', metadata: { user: '1' } });
      await test.client.run({ promptName: 'greeting', metadata: { user: '2' } });
      assert.equal(asked(), 1);
      const labelled = { promptName: 'greeting', promptReleaseLabel: 'prod' };
      await test.client.run({ ...labelled, metadata: { user: '1' } });
      await test.client.run({ ...labelled, metadata: { user: '1' } });
      assert.equal(asked(), 3);
      await test.client.run({ ...labelled, metadata: { user: '1' }, metadataFilters: null });
      await test.client.run({ ...labelled, metadata: { user: '2' }, metadataFilters: null });
      assert.equal(asked(), 4);
      await test.client.run({ promptName: 'greeting', modelParameterOverrides: {} });
      assert.equal(asked(), 5);
    });

    it('refuses options of the wrong kind, before anything is sent', async () => {
      const client = await start(() => ({ body: whole }));
      for (const wrong of [
        { metadata: { count: 1 } },
        { metadataFilters: ['a'] },
        { inputVariables: new Map([['name', 'Ada']]) },
        { inputVariables: ['Ada'] },
        { input_variables: 'Ada' },
        { modelParameterOverrides: 'temperature' },
        { tags: 'demo' },
        { tags: [1] },
        { promptVersion: '3' },
        { promptReleaseLabel: 3 },
        { provider: {} },
        { groupId: 'g' },
        { promptName: '' },
      ]) {
        const options = { promptName: 'greeting', ...wrong } as unknown as RunOptions;
        await assert.rejects(client.run(options), { code: 'validation' }, JSON.stringify(wrong));
      }
      assert.equal(service.requests.length, 0);
    });

    it('takes null for what is not given', async () => {
      const client = await start(() => ({ body: whole }));
      const nothing = Object.fromEntries(
        [
          'promptVersion',
          'promptReleaseLabel',
          'inputVariables',
          'tags',
          'metadata',
          'modelParameterOverrides',
          'provider',
          'model',
          'groupId',
        ].map((name) => [name, null]),
      );
      const { request_id: id } = await client.run({ promptName: 'greeting', ...nothing });
      assert.equal(id, 1001);
      assert.deepEqual(bodyOf(), { input_variables: {} });
      assert.equal(service.tracked[0]?.['tags'], undefined);
    });
  });

  describe('templates that can not be run', () => {
    const cases: readonly (readonly [string, object, RegExp])[] = [
      ['has no arguments', chatTemplate({ llm_kwargs: null }), /no arguments/],
      ['has no metadata', chatTemplate({ metadata: null }), /no metadata/],
      ['has no model', chatTemplate({ metadata: {} }), /no model/],
      ['names nobody', chatTemplate({ metadata: { model: { name: 'm' } } }), /no provider/],
      ['names somebody unknown', chatTemplate({ provider: 'acme' }), /"acme"/],
    ];
    for (const [what, template, message] of cases) {
      it(`says that it ${what}`, async () => {
        const client = await start(() => ({ body: whole }), template);
        await assert.rejects(client.run({ promptName: 'greeting' }), { message });
        assert.equal(provider.requests.length, 0);
        assert.equal(service.tracked.length, 0);
      });
    }
  });

  describe('cancelling', () => {
    it('reaches the provider before the answer, and in the middle of it', async () => {
      const client = await start((_request, count) =>
        count === 1
          ? new Promise(() => undefined)
          : { pieces: [sse(stream.slice(0, 2))], then: 'hang' },
      );
      const early = new AbortController();
      const answer = client.run({ promptName: 'greeting' }, { signal: early.signal });
      await until('the provider is asked', () => provider.requests.length > 0);
      early.abort();
      await assert.rejects(answer, { code: 'cancelled' });
      await provider.requests[0]?.closed;

      const late = new AbortController();
      const chunks = await client.run(
        { promptName: 'greeting', stream: true },
        { signal: late.signal },
      );
      await chunks.next();
      await chunks.next();
      const next = chunks.next();
      late.abort();
      await assert.rejects(next, { code: 'cancelled' });
      await provider.requests[1]?.closed;
      // Both are in the log: the provider may have counted them.
      assert.deepEqual(
        service.tracked.map(({ status, error_type }) => [status, error_type]),
        [
          ['ERROR', 'UNKNOWN_ERROR'],
          ['WARNING', 'PROVIDER_PARTIAL_RESPONSE'],
        ],
      );
    });

    it('takes listeners off the signal', async () => {
      const client = await start(() => ({ body: whole }));
      const { signal } = new AbortController();
      for (let at = 0; at < 3; at += 1) await client.run({ promptName: 'greeting' }, { signal });
      assert.equal(getEventListeners(signal, 'abort').length, 0);
    });

    it('ends a stream when the client is closed', async () => {
      const client = await start(() => ({ pieces: [sse(stream.slice(0, 2))], then: 'hang' }));
      const chunks = await client.run({ promptName: 'greeting', stream: true });
      await chunks.next();
      await chunks.next();
      const next = assert.rejects(chunks.next(), { code: 'cancelled' });
      await client.close();
      await next;
      await provider.requests[0]?.closed;
    });

    it('lets what is under way come to its end before a client closes that has retired', async () => {
      const client = await start(() => ({ pieces: [sse([...stream, '[DONE]'])] }));
      let isClosed = false;
      const chunks = await client.run({ promptName: 'greeting', stream: true });
      const retired = client.closeWhenIdle(20_000).then(() => (isClosed = true));
      await chunks.next();
      test.clock.pass(25_000);
      await new Promise(setImmediate);
      assert.equal(isClosed, false);
      const ids: unknown[] = [];
      for await (const { request_id: id } of chunks) ids.push(id);
      assert.equal(ids.at(-1), 1001);
      // Also between two pieces of work, and for calls that come later.
      test.clock.pass(19_000);
      await client.templates.get('greeting');
      test.clock.pass(19_000);
      await new Promise(setImmediate);
      assert.equal(isClosed, false);
      test.clock.pass(1_000);
      await retired;
      await assert.rejects(client.tables.get('t'), { code: 'cancelled' });
    });
  });

  describe('with throwOnError false', () => {
    let calm: Client<false>;
    const quiet = async (script: ProviderScript, template?: object): Promise<Client<false>> => {
      await start(script, template);
      const { url } = provider;
      calm = new Client({
        apiKey: 'test-key',
        environment: {},
        clock: test.clock,
        logger: test.logger,
        baseURL: service.url,
        throwOnError: false,
        providerEnvironment: (name) =>
          ({ OPENAI_API_KEY: 'sk-canary-key', OPENAI_BASE_URL: `${url}/v1` })[name],
      });
      return calm;
    };
    afterEach(() => calm.close());

    it('gives the answer that could not be logged, and a warning', async () => {
      const client = await quiet((_request, count) =>
        count === 1 ? { body: whole } : { pieces: [sse(stream, { done: true })] },
      );
      service.trackStatus = 400;
      const result = await client.run({ promptName: 'greeting' });
      assert.equal(result.request_id, null);
      assert.deepEqual(result.raw_response, whole);
      assert.equal(textOf(result), 'Hello.');
      const last = (await collect(client)).at(-1);
      assert.equal(last?.request_id, null);
      assert.deepEqual(last.raw_response, whole);
      assert.equal(test.logger.messages('warn').length, 2);
    });

    it('runs a template without arguments, with a warning', async () => {
      const client = await quiet(() => ({ body: whole }), chatTemplate({ llm_kwargs: null }));
      await client.run({ promptName: 'greeting' });
      assert.match(test.logger.messages('warn').join(), /no arguments/);
    });

    it('still throws what leaves nothing to give', async () => {
      const client = await quiet(() => ({ status: 400, body: { error: { message: 'No.' } } }));
      await assert.rejects(client.run({ promptName: 'greeting' }), { code: 'provider' });
      await assert.rejects(client.run({ promptName: 'missing' }), { code: 'not_found' });
      assert.match(test.logger.messages('warn').join(), /404/);
    });
  });
});
