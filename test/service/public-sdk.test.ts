import assert from 'node:assert/strict';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { PublicClient, PublicClientClass } from '../support/public-sdk/public-sdk.ts';
import { loadPublicSdk } from '../support/public-sdk/public-sdk.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import type { SharedService } from './support/shared-service.ts';
import { until } from '../support/until.ts';

const text = (value: string) => [{ type: 'text', text: value }];
const template = (provider: string, name: string, rest: object = {}) => ({
  promptName: `sdk ${provider}`,
  tags: ['sdk'],
  prompt_template: {
    type: 'chat',
    messages: [
      { role: 'system', content: text('Be brief.') },
      { role: 'user', content: text('Hi {who}') },
    ],
  },
  metadata: { model: { provider, name, parameters: { max_tokens: 9 }, ...rest } },
});

const openAiAnswer = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
};
const anthropicAnswer = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-20250514',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 7, output_tokens: 2 },
};

type WrapWithSpan = (
  name: string,
  work: (argument: string) => Promise<unknown>,
) => (argument: string) => Promise<unknown>;

/** The public client, unmodified, does its whole work with the local service. */
onEachBackend('The public SDK', (backend) => {
  let service: SharedService;
  let api: Api;
  let Sdk: PublicClientClass;
  let sdk: PublicClient;
  let provider: FakeProvider;
  const environment: Record<string, string> = {
    OPENAI_API_KEY: 'sk-canary-openai',
    ANTHROPIC_API_KEY: 'sk-canary-anthropic',
  };
  const environmentBefore = { ...process.env };
  before(async function () {
    this.timeout(120_000);
    Sdk = await loadPublicSdk();
    provider = await startFakeProvider(({ path }) => ({
      body: path.endsWith('/messages') ? anthropicAnswer : openAiAnswer,
    }));
    service = await backend.share();
    ({ api } = service);
    environment['OPENAI_BASE_URL'] = `${provider.url}/v1`;
    environment['ANTHROPIC_BASE_URL'] = provider.url;
    Object.assign(process.env, environment);
    sdk = new Sdk({ apiKey: service.key, baseURL: service.url });
  });
  after(async () => {
    for (const name of Object.keys(environment)) {
      if (environmentBefore[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = environmentBefore[name];
    }
    await provider.close();
  });

  it('traces what it runs: the spans are kept, and the run is the request of one of them', async function () {
    // It registers one exporter for the whole process: that of the first client stays.
    if (backend.name !== 'SQLite') this.skip();
    const prompt = template('openai', 'gpt-4o', { api_type: 'chat-completions' });
    const named = { ...prompt, promptName: 'sdk traced', prompt_name: 'sdk traced' };
    await sdk.templates.publish(named);
    const options = { apiKey: service.key, baseURL: service.url, enableTracing: true };
    const traced = new Sdk(options) as PublicClient & { readonly wrapWithSpan: WrapWithSpan };
    const step = traced.wrapWithSpan('my step', async (who: string) =>
      traced.run({ promptName: 'sdk traced', inputVariables: { who } }),
    );
    const { request_id: id } = (await step('Ada')) as Loose;
    const requestPath = `/api/public/v2/requests/${String(id)}`;
    // Spans are sent when they have ended, beside the work.
    let spans: Loose[] = [];
    await until(
      () => `“my step” is among ${JSON.stringify(spans)}`,
      async () => {
        const { trace_id: traceId }: Loose = await api.get(requestPath);
        if (traceId === null) return false;
        spans = ((await api.get(`/api/public/v2/traces/${traceId}`)) as Loose).spans;
        return spans.some((span) => span.name === 'my step');
      },
    );
    const mine = spans.find((span) => span.name === 'my step');
    const run = spans.find((span) => span.request_log_id === id);
    assert.equal(mine?.parent_id, null);
    assert.notEqual(run, undefined, JSON.stringify(spans));
    assert.equal(spans.filter((span) => span.request_log_id !== null).length, 1);
    assert.equal(mine?.resource.attributes['service.name'], 'prompt-layer-js');
  });

  for (const [name, model, rest] of [
    ['openai', 'gpt-4o', { api_type: 'chat-completions' }],
    ['anthropic', 'claude-sonnet-4-20250514', {}],
  ] as const) {
    it(`publishes, gets and runs a prompt of ${name}, which is logged`, async () => {
      const prompt = template(name, model, rest);
      const published = (await sdk.templates.publish({
        ...prompt,
        prompt_name: prompt.promptName,
      })) as Loose;
      assert.equal(published.prompt_name, prompt.promptName);
      const got = (await sdk.templates.get(prompt.promptName, {
        input_variables: { who: 'Ada' },
      })) as Loose;
      assert.equal(got.prompt_template.messages[1].content[0].text, 'Hi Ada');
      const all = (await sdk.templates.all()) as Loose;
      assert.ok(all.some((one: Loose) => one.prompt_name === prompt.promptName));
      const result = (await sdk.run({
        promptName: prompt.promptName,
        inputVariables: { who: 'Ada' },
        tags: ['run'],
        metadata: { user: 'ada' },
      })) as Loose;
      const reply = result.prompt_blueprint.prompt_template.messages.at(-1);
      assert.deepEqual([reply.role, reply.content[0].text], ['assistant', 'Hello.']);
      assert.equal(result.prompt_blueprint.prompt_template.messages.length, 3);
      const logged: Loose = await api.get(`/api/public/v2/requests/${String(result.request_id)}`);
      assert.deepEqual(
        [logged.model, logged.input_tokens, logged.output_tokens, logged.metadata, logged.tags],
        [model, 7, 2, { user: 'ada' }, ['run']],
      );
      assert.ok(logged.price > 0);
      assert.doesNotMatch(JSON.stringify(logged), /sk-canary/);
      assert.equal(logged.prompt_id, published.id);

      assert.equal(
        await sdk.track.metadata({ request_id: result.request_id, metadata: { more: 'yes' } }),
        true,
      );
      assert.equal(await sdk.track.score({ request_id: result.request_id, score: 90 }), true);
      assert.equal(
        await sdk.track.prompt({
          request_id: result.request_id,
          prompt_name: prompt.promptName,
          prompt_input_variables: { who: 'Bob' },
        }),
        true,
      );
      const group = await sdk.group.create();
      assert.equal(await sdk.track.group({ request_id: result.request_id, group_id: group }), true);
      const tracked: Loose = await api.get(`/api/public/v2/requests/${String(result.request_id)}`);
      assert.deepEqual(
        [tracked.metadata, tracked.scores, tracked.prompt_input_variables, tracked.group_id],
        [{ user: 'ada', more: 'yes' }, { default: 90 }, { who: 'Bob' }, group],
      );
    });
  }

  it('logs what its proxies of OpenAI and Anthropic are asked, and gives the answers', async () => {
    const Proxied = (name: string) => Reflect.get(sdk, name) as new (options: object) => Loose;
    const openai = new (Proxied('OpenAI'))({ baseURL: `${provider.url}/v1` });
    const asked = { messages: [{ role: 'user', content: 'Hi' }], pl_tags: ['proxy'] };
    const [answer, id] = await openai.chat.completions.create({
      ...asked,
      ...{ model: 'gpt-4o', return_pl_id: true },
    });
    assert.equal(answer.choices[0].message.content, 'Hello.');
    const claude = new (Proxied('Anthropic'))({ baseURL: provider.url });
    const [said, second] = await claude.messages.create({
      ...asked,
      ...{ model: 'claude-sonnet-4-20250514', max_tokens: 9, return_pl_id: true },
    });
    assert.equal(said.content[0].text, 'Hello.');
    for (const [request, model] of [
      [id, 'gpt-4o'],
      [second, 'claude-sonnet-4-20250514'],
    ] as const) {
      const logged: Loose = await api.get(`/api/public/v2/requests/${String(request)}`);
      assert.deepEqual(
        [logged.model, logged.input_tokens, logged.output_tokens, logged.tags, logged.status],
        [model, 7, 2, ['proxy'], 'SUCCESS'],
      );
    }
  });

  it('logs a request of another client', async () => {
    const logged = (await sdk.logRequest({
      provider: 'openai',
      model: 'gpt-4o',
      input: { type: 'chat', messages: [{ role: 'user', content: text('Hi') }] },
      output: { type: 'chat', messages: [{ role: 'assistant', content: text('Yo') }] },
      request_start_time: Date.now() - 1000,
      request_end_time: Date.now(),
    })) as Loose;
    assert.equal(typeof logged.id, 'number');
  });

  it('runs a workflow, and is told by the realtime channel', async () => {
    await api.expect(201, 'POST', '/rest/workflows', {
      name: 'sdk workflow',
      nodes: [
        {
          name: 'double',
          node_type: 'CODE_EXECUTION',
          configuration: { code: 'return data.x * 2', language: 'JAVASCRIPT' },
          dependencies: ['x'],
          is_output_node: true,
        },
      ],
      required_input_variables: { x: 'number' },
      release_labels: ['prod'],
    });
    const workflow = { workflowName: 'sdk workflow' };
    assert.equal(await sdk.runWorkflow({ ...workflow, inputVariables: { x: 21 } }), 42);
    const all = (await sdk.runWorkflow({
      ...workflow,
      inputVariables: { x: 2 },
      workflowLabelName: 'prod',
      returnAllOutputs: true,
    })) as Loose;
    assert.deepEqual([all.double.value, all.double.is_output_node], [4, true]);
    const missing = (await sdk.runWorkflow({ workflowName: 'nobody' })) as Loose;
    assert.equal(missing.success, false);
  });

  it('gives newer clients the statuses and fields that they insist on', async () => {
    const named = { prompt_name: 'newer/client', tags: [] };
    await api.expect(200, 'POST', '/rest/prompt-templates', {
      prompt_template: named,
      prompt_version: { prompt_template: { type: 'completion', content: text('Hi {who}') } },
    });
    // The name as it is, the key in the body as well as in the header.
    const got: Loose = await api.expect(200, 'POST', '/prompt-templates/newer/client', {
      api_key: service.key,
      input_variables: { who: 'Ada' },
    });
    assert.equal(got.prompt_template.content[0].text, 'Hi Ada');
    for (const field of ['metadata', 'llm_kwargs']) assert.ok(field in got, field);
    const { items }: Loose = await api.get('/prompt-templates');
    assert.ok(Array.isArray(items));

    const logged: Loose = await api.expect(201, 'POST', '/log-request', {
      provider: 'openai',
      model: 'gpt-4o',
      input: { type: 'completion', content: text('Hi') },
      output: { type: 'completion', content: text('Yo') },
      request_start_time: '2026-03-01T10:00:00Z',
      request_end_time: '2026-03-01T10:00:01Z',
    });
    const keyless = api.withoutKey();
    const ofRequest = { api_key: service.key, request_id: logged.id };
    const group: Loose = await keyless.expect(200, 'POST', '/create-group', {
      api_key: service.key,
    });
    for (const [path, body] of [
      ['/library-track-metadata', { metadata: { a: 'b' } }],
      ['/library-track-score', { score: 5 }],
      ['/library-track-prompt', { prompt_name: 'newer/client', prompt_input_variables: {} }],
      ['/track-group', { group_id: group.id }],
    ] as const) {
      await keyless.expect(200, 'POST', path, { ...ofRequest, ...body });
      await keyless.expect(401, 'POST', path, { ...ofRequest, ...body, api_key: 'wrong' });
    }

    const sheet = await api.newSheet();
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 3 });
    for (const list of [`${sheet.path}/rows?limit=2`, `/api/public/v2/tables?limit=1`]) {
      const page: Loose = await api.get(list);
      assert.equal(page.pagination.next_cursor, page.next_cursor);
    }
    await api.get(`${sheet.path}/status-counts`);
    const found: Loose = await api.expect(200, 'POST', '/api/public/v2/requests/search', {});
    assert.ok(found.total > 0);
  });
});
