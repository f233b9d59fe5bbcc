import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import { Client } from '../../../../src/core/client.ts';
import type { ClientOptions } from '../../../../src/core/options.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import { FakeClock } from '../../../support/http/fake-clock.ts';
import { RecordingLogger } from '../../../support/http/recording-logger.ts';
import type { ScriptedServer, SeenRequest, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

let server: ScriptedServer;
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(steps: readonly Step[], options: ClientOptions = {}) {
  const own = await startScriptedServer(steps);
  server = own;
  const made = makeTestClient({ baseURL: own.url, ...options });
  closers.push(
    () => made.client.close(),
    () => own.close(),
  );
  return made;
}

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const bodyOf = (request: SeenRequest | undefined): unknown => JSON.parse(request?.body ?? '');

const stored = (text = 'Hello {name}', extra: object = {}) => ({
  id: 3,
  prompt_name: 'greet/all?',
  version: 2,
  prompt_template: {
    type: 'chat',
    messages: [
      { role: 'user', template_format: 'f-string', content: [{ type: 'text', text }] },
      { role: 'assistant', content: [{ type: 'hologram', beam: { deep: [1, null] } }] },
    ],
    from_the_future: { a: 1 },
  },
  metadata: { model: { provider: 'openai', name: 'm', parameters: { x: 1 } }, mine: 'y' },
  tags: ['t'],
  llm_kwargs: { model: 'm', messages: [{ role: 'user', content: text }] },
  unheard_of: true,
  ...extra,
});

/** Renders as the service does, as far as these tests go. */
const serve = (request: SeenRequest) => {
  const body = JSON.parse(request.body) as {
    skip_input_variable_rendering?: boolean;
    input_variables?: { name?: string };
  };
  if (body.skip_input_variable_rendering === true) return { body: stored() };
  return { body: stored(`Hello ${body.input_variables?.name ?? ''}`) };
};

describe('templates.get', () => {
  it('posts the options in snake case to the encoded name, and keeps unknown fields', async () => {
    const { client } = await start([{ body: stored() }]);
    const template = await client.templates.get('greet/all? #1%', {
      version: 2,
      label: 'prod',
      provider: 'openai',
      model: 'm',
      inputVariables: { name: 'Ann', deepKey: { innerKey: 1 } },
      metadataFilters: { tier: 'a' },
      modelParameterOverrides: { maxTokens: 5 },
    });
    assert.deepEqual(template, stored());
    const [request] = server.requests;
    assert.equal(request?.method, 'POST');
    assert.equal(request.url, '/prompt-templates/greet%2Fall%3F%20%231%25');
    assert.equal(request.headers['x-api-key'], 'test-key');
    assert.deepEqual(bodyOf(request), {
      version: 2,
      label: 'prod',
      provider: 'openai',
      model: 'm',
      input_variables: { name: 'Ann', deepKey: { innerKey: 1 } },
      metadata_filters: { tier: 'a' },
      model_parameter_overrides: { maxTokens: 5 },
    });
    await client.templates.get('p', { input_variables: { a: 1 }, workspace_id: 4 });
    assert.deepEqual(bodyOf(server.requests[1]), { input_variables: { a: 1 }, workspace_id: 4 });
  });

  it('logs the warning of the service and goes on', async () => {
    const { client, logger } = await start([{ body: stored('x', { warning: 'old model' }) }]);
    await client.templates.get('p');
    assert.match(logger.messages('warn').join(), /"p": old model/);
  });

  it('renders from memory what the service would have rendered', async () => {
    const { client, clock } = await start([serve], { cacheTtlSeconds: 60 });
    const expected = stored('Hello Ann');
    for (let turn = 0; turn < 3; turn += 1) {
      assert.deepEqual(
        await client.templates.get('p', { inputVariables: { name: 'Ann' } }),
        expected,
      );
    }
    assert.equal(server.requests.length, 1);
    clock.pass(60_000);
    await client.templates.get('p');
    assert.equal(server.requests.length, 2);
  });

  it('leaves the cache out for filters and overrides, also when they are empty', async () => {
    const { client } = await start([serve], { cacheTtlSeconds: 60 });
    const named = { inputVariables: { name: 'Ann' } };
    await client.templates.get('p', { ...named, metadataFilters: {} });
    await client.templates.get('p', { ...named, modelParameterOverrides: {} });
    await client.templates.get('p', { metadata_filters: {} });
    assert.equal(server.requests.length, 3);
    assert.ok(server.requests.every(({ body }) => !body.includes('skip_input')));
    await client.templates.get('p', { ...named, modelParameterOverrides: null });
    await client.templates.get('p', named);
    assert.equal(server.requests.length, 4);
  });

  it('keeps versions, labels, providers and models apart', async () => {
    const { client } = await start([serve], { cacheTtlSeconds: 60 });
    const options = [{}, { version: 1 }, { label: '1' }, { provider: '1' }, { model: '1' }];
    for (const each of [...options, ...options]) await client.templates.get('p', each);
    assert.equal(server.requests.length, 5);
  });

  it('lets the service render what it cannot, its errors included', async () => {
    const { client } = await start(
      [
        { body: stored('@@@footer@@@ {name}') },
        { body: stored('Footer Ann') },
        { status: 422, body: { message: 'unexpected end of template' } },
      ],
      { cacheTtlSeconds: 60 },
    );
    const named = { inputVariables: { name: 'Ann' } };
    assert.deepEqual(await client.templates.get('p', named), stored('Footer Ann'));
    assert.deepEqual(bodyOf(server.requests[1]), { input_variables: { name: 'Ann' } });
    await assert.rejects(client.templates.get('p', named), /unexpected end of template/);
  });

  it('serves a stale template while the service is down, after all attempts', async () => {
    for (const failure of [{ status: 503 }, { status: 429 }, 'reset', 'half-body'] as const) {
      const { client, clock, logger } = await start([serve, failure], { cacheTtlSeconds: 60 });
      await client.templates.get('p');
      clock.pass(60_000);
      assert.equal((await client.templates.get('p')).version, 2);
      assert.equal(server.requests.length, 5);
      assert.deepEqual(clock.waits, [2_000, 4_000, 8_000]);
      assert.equal(logger.messages('warn').length, 1);
      assert.equal(logger.messages('info').length, 3);
    }
  });

  it('forgets after publish, patch, labels and invalidate', async () => {
    const published = { ...stored(), version_number: 3 };
    const label = { id: 1, name: 'l', prompt_id: 3, prompt_version_id: 9 };
    const { client } = await start(
      [
        (request) => {
          if (request.method === 'POST' && request.path.startsWith('/prompt-templates')) {
            return serve(request);
          }
          if (request.method === 'DELETE') return { status: 204 };
          return { status: 201, body: request.path.includes('label') ? label : published };
        },
      ],
      { cacheTtlSeconds: 60 },
    );
    const changes: (() => unknown)[] = [
      () =>
        client.templates.publish({ promptName: 'greet/all?', promptTemplate: { type: 'chat' } }),
      () => client.templates.patch(3, { commit_message: 'x' }),
      () => client.templates.labels.create(3, { name: 'l', versionNumber: 2 }),
      () => client.templates.labels.move(1, 2),
      () => client.templates.labels.delete(1),
      () => client.invalidate('greet/all?'),
      () => client.invalidate(3),
      () => client.invalidate(),
    ];
    const fetches = (): number =>
      server.requests.filter(({ body }) => body.includes('skip')).length;
    for (const [index, change] of changes.entries()) {
      await client.templates.get('greet/all?');
      await client.templates.get('greet/all?');
      assert.equal(fetches(), index + 1);
      await change();
    }
  });
});

describe('templates', () => {
  it('come back equal when they are published as they were fetched', async () => {
    let kept: unknown;
    const { client } = await start([
      { body: stored() },
      (request) => {
        const { prompt_template: outer, prompt_version: inner } = JSON.parse(request.body) as {
          readonly prompt_template: object;
          readonly prompt_version: object;
        };
        kept = { id: 3, version: 3, unheard_of: true, llm_kwargs: null, ...outer, ...inner };
        return { body: { ...(kept as object), version_number: 3 } };
      },
      () => ({ body: kept }),
    ]);
    const before = await client.templates.getRaw('greet/all?', { resolveSnippets: false });
    await client.templates.publish(before);
    const after = await client.templates.getRaw('greet/all?');
    assert.deepEqual({ ...after, version: 2, llm_kwargs: before.llm_kwargs }, before);
    assert.equal(
      server.requests[0]?.url,
      '/prompt-templates/greet%2Fall%3F?resolve_snippets=false',
    );
    assert.doesNotMatch(server.requests[1]?.body ?? '', /llm_kwargs|"version"|unheard/);
  });

  it('are published from camelCase, and from the body itself', async () => {
    const { client } = await start([{ status: 201, body: { ...stored(), version_number: 3 } }]);
    const promptTemplate = { type: 'completion', content: [] };
    const published = await client.templates.publish({
      promptName: 'p',
      promptTemplate,
      tags: ['t'],
      folderId: 4,
      commitMessage: 'why',
      releaseLabels: ['prod'],
    });
    assert.equal(published.version_number, 3);
    const body = {
      prompt_template: { prompt_name: 'p', tags: ['t'], folder_id: 4 },
      prompt_version: { prompt_template: promptTemplate, commit_message: 'why' },
      release_labels: ['prod'],
    };
    assert.deepEqual(bodyOf(server.requests[0]), body);
    await client.templates.publish(body);
    assert.deepEqual(bodyOf(server.requests[1]), body);
    const nameless = { promptName: '', promptTemplate };
    await assert.rejects(client.templates.publish(nameless), { code: 'validation' });
  });

  it('are listed over all pages, each once', async () => {
    const page = (ids: readonly number[], fields: object) => ({
      body: { items: ids.map((id) => ({ ...stored(), id })), ...fields },
    });
    const { client } = await start([
      page([1, 2], { page: 1, pages: 3, has_next: true, next_num: 2 }),
      page([2, 3], { page: 2, pages: 3, has_next: true, next_num: 3 }),
      page([4], { page: 3, pages: 3, has_next: false, next_num: null }),
    ]);
    const ids: number[] = [];
    for await (const { id } of client.templates.list({ perPage: 2, tags: ['a', 'b'] }))
      ids.push(id);
    assert.deepEqual(ids, [1, 2, 3, 4]);
    assert.deepEqual(server.requests[0]?.query.getAll('tags'), ['a', 'b']);
    assert.deepEqual(
      server.requests.map(({ query }) => [query.get('page'), query.get('per_page')]),
      [
        ['1', '2'],
        ['2', '2'],
        ['3', '2'],
      ],
    );
  });

  it('stop at a list that goes round in circles', async () => {
    const { client } = await start([{ body: { items: [stored()], has_next: true, next_num: 1 } }]);
    await assert.rejects(listed(client.templates.list()), { code: 'response_format' });
    assert.equal(server.requests.length, 2);
  });

  it('tell their labels and the users of a snippet', async () => {
    const label = {
      prompt_version_id: 1,
      prompt_version_number: 2,
      release_label: 'prod',
      release_label_id: 5,
    };
    const usage = { snippet_name: 's', snippet_usage: [], total_prompts_using_snippet: 0 };
    const { client } = await start([{ body: { release_labels: [label] } }, { body: usage }]);
    assert.deepEqual(await client.templates.labels.list(3), [label]);
    assert.deepEqual(await client.templates.snippetUsage(3, { versionNumber: 2 }), usage);
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      ['/prompt-templates/3/labels', '/prompt-templates/3/snippet-usage?prompt_version_number=2'],
    );
  });
});

describe('templates with throwOnError: false', () => {
  for (const cacheTtlSeconds of [0, 60]) {
    it(`a missing template is null and one warning (cache ${cacheTtlSeconds})`, async () => {
      server = await startScriptedServer([{ status: 404, body: { message: 'no such prompt' } }]);
      const logger = new RecordingLogger();
      const client = new Client({
        apiKey: 'canary-key-0123456789',
        baseURL: server.url,
        environment: {},
        throwOnError: false,
        clock: new FakeClock(),
        cacheTtlSeconds,
        logger,
      });
      closers.push(
        () => client.close(),
        () => server.close(),
      );
      assert.equal(await client.templates.get('p'), null);
      assert.equal(await client.templates.get('p'), null);
      assert.equal(logger.messages('warn').length, 2);
      assert.match(logger.messages('warn')[0] ?? '', /404: no such prompt/);
      assert.equal(await client.templates.getRaw('p'), null);
      const template = { promptName: 'p', promptTemplate: { type: 'chat' } };
      assert.equal(await client.templates.publish(template), null);
      assert.deepEqual(await listed(client.templates.list()), []);
      assert.equal(await client.templates.labels.delete(1), false);
    });
  }

  it('a wrong time to live is refused at once', () => {
    for (const cacheTtlSeconds of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(
        () => new Client({ apiKey: 'k', environment: {}, cacheTtlSeconds, throwOnError: false }),
        { code: 'configuration' },
      );
    }
  });
});

describe('secrets around templates', () => {
  it('are in no message: neither our key nor one that came with a template', async () => {
    const ours = 'canary-key-0123456789';
    const theirs = 'canary-provider-9876543210';
    const template = stored('{name}', {
      custom_provider: { id: 1, api_key: theirs, base_url: 'http://x' },
    });
    const { client, clock, logger } = await start(
      [{ body: template }, { status: 503, body: { message: `key ${ours} refused` } }],
      { apiKey: ours, cacheTtlSeconds: 60 },
    );
    const fetched = await client.templates.get('p', { inputVariables: { name: 'x' } });
    clock.pass(60_000);
    await client.templates.get('p');
    const failure: unknown = await client.templates
      .publish(fetched)
      .catch((error: unknown) => error);
    assert.ok(failure instanceof Error);
    const said = inspect([logger.lines, failure, client], { depth: Infinity, showHidden: true });
    assert.ok(!said.includes(ours) && !inspect(logger.lines).includes(theirs));
    for (const request of server.requests) {
      assert.ok(!request.url.includes(ours) && !request.body.includes(ours));
      assert.ok(!request.body.includes(theirs));
    }
  });
});
