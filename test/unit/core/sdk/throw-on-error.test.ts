import assert from 'node:assert/strict';
import { Client } from '../../../../src/core/client.ts';
import { isPromptTablesError } from '../../../../src/core/errors.ts';
import { FakeClock } from '../../../support/http/fake-clock.ts';
import { RecordingLogger } from '../../../support/http/recording-logger.ts';
import type { ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';
import type { FakeProvider } from '../../../support/providers/fake-provider.ts';
import { startFakeProvider } from '../../../support/providers/fake-provider.ts';
import { chatTemplate, startFakeService } from '../../../support/providers/fake-service.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';

/** Both kinds of client have these; what they answer is what is tested. */
type AnyClient = Pick<
  Client,
  | 'templates'
  | 'workflows'
  | 'folders'
  | 'requests'
  | 'track'
  | 'group'
  | 'tables'
  | 'logRequest'
  | 'runWorkflow'
  | 'run'
>;

const sheet = { tableId: 't', sheetId: 's' };
const prompt = { type: 'chat', messages: [] };
const times = { requestStartTime: 1, requestEndTime: 2 };

/** Every method that asks the service, by what it answers instead of throwing. */
const methods: Readonly<
  Record<'null' | 'false', Readonly<Record<string, (client: AnyClient) => Promise<unknown>>>>
> = {
  null: {
    'templates.get': ({ templates }) => templates.get('p'),
    'templates.getRaw': ({ templates }) => templates.getRaw('p'),
    'templates.publish': ({ templates }) =>
      templates.publish({ promptName: 'p', promptTemplate: prompt }),
    'templates.patch': ({ templates }) => templates.patch('p', { version: 1 }),
    'templates.labels.list': ({ templates }) => templates.labels.list(1),
    'templates.labels.create': ({ templates }) =>
      templates.labels.create(1, { name: 'prod', versionNumber: 1 }),
    'templates.snippetUsage': ({ templates }) => templates.snippetUsage(1),
    logRequest: (client) =>
      client.logRequest({ provider: 'p', model: 'm', input: prompt, output: prompt, ...times }),
    'requests.get': ({ requests }) => requests.get(1),
    'requests.search': ({ requests }) => requests.search(),
    'requests.suggestions': ({ requests }) => requests.suggestions({ field: 'tags' }),
    'requests.analytics': ({ requests }) => requests.analytics(),
    'workflows.get': ({ workflows }) => workflows.get('w'),
    'workflows.labels': ({ workflows }) => workflows.labels('w'),
    'workflows.create': ({ workflows }) => workflows.create({ nodes: [] }),
    'workflows.patch': ({ workflows }) => workflows.patch('w', {}),
    runWorkflow: (client) => client.runWorkflow({ workflowName: 'w' }),
    'folders.create': ({ folders }) => folders.create({ name: 'f' }),
    'folders.entities': ({ folders }) => folders.entities({ workspaceId: 1 }),
    'folders.workspaceId': ({ folders }) => folders.workspaceId(),
    'folders.move': ({ folders }) => folders.move({ entities: [] }),
    'tables.get': ({ tables }) => tables.get('t'),
    'tables.rows.page': ({ tables }) => tables.rows.page(sheet),
    'tables.operations.cancel': ({ tables }) => tables.operations.cancel(sheet, 'o'),
  },
  false: {
    'track.metadata': ({ track }) => track.metadata({ requestId: 1, metadata: {} }),
    'track.score': ({ track }) => track.score({ requestId: 1, score: 1 }),
    'track.prompt': ({ track }) =>
      track.prompt({ requestId: 1, promptName: 'p', promptInputVariables: {} }),
    'track.group': ({ track }) => track.group({ requestId: 1, groupId: 1 }),
    'group.create': ({ group }) => group.create(),
    'tables.delete': ({ tables }) => tables.delete('t'),
    'tables.sheets.delete': ({ tables }) => tables.sheets.delete(sheet),
    'templates.labels.delete': ({ templates }) => templates.labels.delete(1),
  },
};

describe('core: throwOnError, method by method', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function start(steps: readonly Step[], throwOnError: boolean, options: object = {}) {
    const server: ScriptedServer = await startScriptedServer(steps);
    const logger = new RecordingLogger();
    const client = new Client({
      apiKey: 'k',
      baseURL: server.url,
      environment: {},
      clock: new FakeClock(),
      logger,
      ...options,
      throwOnError,
    });
    closers.push(
      () => server.close(),
      () => client.close(),
    );
    return { server, logger, client: client as unknown as AnyClient };
  }
  const refusal: Step = { status: 403, body: { success: false, message: 'Not yours.' } };

  for (const [otherwise, group] of Object.entries(methods)) {
    for (const [name, call] of Object.entries(group)) {
      it(`${name} throws, or warns once and answers ${otherwise}`, async () => {
        const loud = await start([refusal], true);
        await assert.rejects(call(loud.client), { code: 'authentication', status: 403 });
        assert.deepEqual(loud.logger.lines, []);
        const quiet = await start([refusal], false);
        assert.equal(await call(quiet.client), JSON.parse(otherwise));
        assert.equal(quiet.logger.messages('warn').length, 1);
        assert.match(quiet.logger.messages('warn')[0] ?? '', /403: Not yours\. .*API key/);
        assert.equal(quiet.server.requests.length, 1);
      });

      it(`${name}: the same when the service is away, after four attempts`, async () => {
        const quiet = await start(['reset'], false);
        assert.equal(await call(quiet.client), JSON.parse(otherwise));
        assert.equal(quiet.server.requests.length, 4);
        assert.equal(quiet.logger.messages('warn').length, 1);
        assert.equal(quiet.logger.messages('info').length, 3);
      });
    }
  }

  for (const [name, list] of [
    ['templates.list', ({ templates }: AnyClient) => templates.list()],
    ['workflows.list', ({ workflows }: AnyClient) => workflows.list()],
    ['tables.list', ({ tables }: AnyClient) => tables.list()],
  ] as const) {
    it(`${name} throws, or ends with a warning`, async () => {
      const read = async (client: AnyClient): Promise<number> => {
        let count = 0;
        for await (const item of list(client)) count += typeof item === 'object' ? 1 : 0;
        return count;
      };
      const loud = await start([refusal], true);
      await assert.rejects(read(loud.client), { code: 'authentication' });
      const quiet = await start([refusal], false);
      assert.equal(await read(quiet.client), 0);
      assert.equal(quiet.logger.messages('warn').length, 1);
    });
  }

  it('forgets a template that was published, also when that failed', async () => {
    const template = { body: chatTemplate() };
    const quiet = await start([template, template, refusal, template], false, {
      cacheTtlSeconds: 60,
    });
    const { templates } = quiet.client;
    await templates.get('greeting');
    await templates.get('greeting');
    assert.equal(quiet.server.requests.length, 1);
    await templates.publish({ promptName: 'greeting', promptTemplate: prompt });
    await templates.get('greeting');
    assert.equal(quiet.server.requests.length, 3);
  });

  for (const step of ['reset', 'drop', 'half-body', { status: 429 }, { status: 503 }] as const) {
    it(`serves a stale template after ${JSON.stringify(step)}, whatever throwOnError says`, async () => {
      for (const throwOnError of [true, false]) {
        const clock = new FakeClock();
        const { client, logger } = await start([{ body: chatTemplate() }, step], throwOnError, {
          cacheTtlSeconds: 60,
          clock,
        });
        const first = await client.templates.get('greeting');
        clock.pass(60_000);
        assert.equal(await client.templates.get('greeting'), first);
        assert.equal(logger.messages('warn').length, 1);
      }
    });
  }

  for (const status of [401, 403, 404, 422]) {
    it(`does not hide ${status} behind a stale template`, async () => {
      const clock = new FakeClock();
      const steps: readonly Step[] = [{ body: chatTemplate() }, { status }];
      const options = { cacheTtlSeconds: 60, clock };
      const loud = await start(steps, true, options);
      await loud.client.templates.get('greeting');
      clock.pass(60_000);
      await assert.rejects(loud.client.templates.get('greeting'), { status });
      const quiet = await start(steps, false, options);
      await quiet.client.templates.get('greeting');
      clock.pass(60_000);
      assert.equal(await quiet.client.templates.get('greeting'), null);
      assert.equal(quiet.logger.messages('warn').length, 1);
    });
  }

  describe('run', () => {
    const whole = {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    };
    let service: FakeService;
    let provider: FakeProvider;

    async function startRun(throwOnError: boolean, template: object = chatTemplate()) {
      const ownService = await startFakeService({ greeting: template });
      const ownProvider = await startFakeProvider(() => ({ body: whole }));
      service = ownService;
      provider = ownProvider;
      const logger = new RecordingLogger();
      const client = new Client({
        apiKey: 'k',
        baseURL: ownService.url,
        clock: new FakeClock(),
        logger,
        throwOnError,
        providerEnvironment: (name) =>
          ({ OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: `${ownProvider.url}/v1` })[name],
      });
      closers.push(
        () => ownService.close(),
        () => ownProvider.close(),
        () => client.close(),
      );
      return { client, logger };
    }
    const codeOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'no error',
        (error: unknown) => (isPromptTablesError(error) ? error.code : error),
      );

    for (const throwOnError of [true, false]) {
      it(`throws for a missing template (throwOnError ${throwOnError})`, async () => {
        const { client, logger } = await startRun(throwOnError);
        assert.equal(await codeOf(client.run({ promptName: 'missing' })), 'not_found');
        assert.equal(logger.messages('warn').length, throwOnError ? 0 : 1);
        assert.equal(provider.requests.length, 0);
      });

      for (const [what, template] of [
        ['no metadata', chatTemplate({ metadata: null })],
        ['no model', chatTemplate({ metadata: {} })],
      ] as const) {
        it(`throws for a template with ${what} (throwOnError ${throwOnError})`, async () => {
          const { client } = await startRun(throwOnError, template);
          assert.equal(await codeOf(client.run({ promptName: 'greeting' })), 'template');
          assert.equal(provider.requests.length, 0);
        });
      }

      it(`throws for a provider that nobody knows (throwOnError ${throwOnError})`, async () => {
        const { client } = await startRun(throwOnError, chatTemplate({ provider: 'nobody' }));
        assert.equal(await codeOf(client.run({ promptName: 'greeting' })), 'configuration');
      });
    }

    it('throws for a template without arguments, or warns and goes on', async () => {
      const template = chatTemplate({ llm_kwargs: null });
      const loud = await startRun(true, template);
      assert.equal(await codeOf(loud.client.run({ promptName: 'greeting' })), 'template');
      const quiet = await startRun(false, template);
      assert.deepEqual((await quiet.client.run({ promptName: 'greeting' })).raw_response, whole);
      assert.equal(quiet.logger.messages('warn').length, 1);
    });

    it('keeps an answer that is not logged: in the error, or with a warning', async () => {
      const loud = await startRun(true);
      service.trackStatus = 422;
      assert.equal(await codeOf(loud.client.run({ promptName: 'greeting' })), 'not_logged');
      const quiet = await startRun(false);
      service.trackStatus = 422;
      const { request_id, raw_response } = await quiet.client.run({ promptName: 'greeting' });
      assert.deepEqual([request_id, raw_response], [null, whole]);
      assert.equal(quiet.logger.messages('warn').length, 1);
    });
  });
});
