/** Keys of providers go to their provider, in a header, and nowhere else. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { makeTestClient } from '../../../support/http/client.ts';
import type { TestClient } from '../../../support/http/client.ts';
import type { CanaryRow } from '../../../support/providers/canary-rows.ts';
import { canaryRows } from '../../../support/providers/canary-rows.ts';
import type {
  FakeProvider,
  ProviderAnswerScript,
  ProviderRequestSeen,
} from '../../../support/providers/fake-provider.ts';
import { startFakeProvider } from '../../../support/providers/fake-provider.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';
import { startFakeService } from '../../../support/providers/fake-service.ts';

const canary = 'canary+KEY/4f9d2c71="=\\end';
/** Also as it looks in a URL, in JSON, in base64. */
const traces = [
  canary,
  encodeURIComponent(canary),
  JSON.stringify(canary).slice(1, -1),
  Buffer.from(canary).toString('base64'),
  '4f9d2c71',
];

function assertNoTrace(what: string, text: string): void {
  for (const trace of traces) {
    const at = text.indexOf(trace);
    assert.ok(at < 0, `${what} holds the key: ${text.slice(Math.max(0, at - 60), at + 60)}`);
  }
}

const everything = ({ method, path, query, headers, text }: ProviderRequestSeen): string =>
  [method, path, query.toString(), JSON.stringify(headers), text].join('\n');

/** How the key comes to the client. */
type Origin = 'the environment' | 'the service';

interface Scene {
  readonly test: TestClient;
  readonly provider: FakeProvider;
  readonly service: FakeService;
}

describe('core: keys of providers', () => {
  let scene: Scene;

  async function setScene(
    row: CanaryRow,
    origin: Origin,
    script: (isStream: boolean) => ProviderAnswerScript,
  ): Promise<Scene> {
    const provider = await startFakeProvider(({ json, path }) =>
      script(json['stream'] === true || /stream/i.test(path)),
    );
    const { url } = provider;
    const at = row.at(url);
    const [base = url] = Object.values(at);
    const template = row.template({
      ...(origin === 'the service' && {
        custom_provider: {
          id: 1,
          name: 'mine',
          client: row.provider,
          base_url: base,
          workspace_id: 1,
          api_key: canary,
        },
      }),
    });
    const variables: Record<string, string> = { ...at };
    if (origin === 'the environment') for (const name of row.secrets) variables[name] = canary;
    const service = await startFakeService({ greeting: template });
    const test = makeTestClient({
      baseURL: service.url,
      providerEnvironment: (name) => variables[name],
    });
    return { test, provider, service };
  }

  afterEach(async () => {
    const { test, provider, service } = scene;
    await test.client.close();
    await provider.close();
    await service.close();
  });

  async function run(stream: boolean): Promise<void> {
    const { client } = scene.test;
    if (!stream) {
      await client.run({ promptName: 'greeting' });
      return;
    }
    for await (const chunk of await client.run({ promptName: 'greeting', stream: true })) {
      assert.ok(chunk.prompt_blueprint);
    }
  }

  /** Nothing that was sent to the service or written to the log holds the key. */
  function assertKept(): void {
    const { service, test, provider } = scene;
    assert.ok(service.requests.length > 0);
    for (const request of service.requests) assertNoTrace('the service', everything(request));
    assertNoTrace('the log', inspect(test.logger.lines, { depth: 10 }));
    for (const { path, query, text, headers } of provider.requests) {
      assertNoTrace('the address or the body', [path, query.toString(), text].join('\n'));
      assert.doesNotMatch(JSON.stringify(headers), /test-key/, 'the key of the service');
    }
  }

  async function assertFails(stream: boolean): Promise<void> {
    await assert.rejects(run(stream), (error: Error) => {
      assertNoTrace('the error', inspect(error, { depth: 12, showHidden: true }));
      assertNoTrace('the error', JSON.stringify([error, error.message, error.stack]));
      return true;
    });
    assertKept();
  }

  for (const row of canaryRows) {
    describe(row.title, () => {
      const origins: Origin[] = row.takesKeyOfTemplate
        ? ['the environment', 'the service']
        : ['the environment'];
      for (const origin of origins) {
        for (const stream of [false, true]) {
          const how = `from ${origin}, ${stream ? 'streamed' : 'whole'}`;

          it(`${how}: reaches its provider and nobody else`, async () => {
            scene = await setScene(row, origin, (isStream) => row.answer(isStream, 'fine'));
            await run(stream);
            assert.ok(scene.provider.requests.length > 0);
            for (const { headers } of scene.provider.requests) {
              const carried = Object.values(headers).some((value) => value?.includes(canary));
              assert.ok(carried || row.secrets.length > 1, 'a header carries the key');
            }
            assertKept();
          });

          it(`${how}: is not logged when the model repeats it`, async () => {
            scene = await setScene(row, origin, (isStream) => row.answer(isStream, canary));
            await run(stream);
            assert.equal(scene.service.tracked.length, 1);
            assertKept();
          });

          it(`${how}: is in no error that repeats it`, async () => {
            scene = await setScene(row, origin, () => ({
              status: 401,
              body: { error: { message: `Bad key: ${canary}`, code: canary } },
              headers: { 'x-request-id': 'r1' },
            }));
            await assertFails(stream);
          });

          it(`${how}: is in no error of a broken connection`, async () => {
            scene = await setScene(row, origin, () => ({ pieces: [], then: 'reset' }));
            await assertFails(stream);
          });
        }

        const { failure } = row;
        if (failure === undefined) continue;
        it(`from ${origin}: is in no error that a stream ends with`, async () => {
          scene = await setScene(row, origin, () => failure(`Bad key: ${canary}`));
          await assertFails(true);
        });
      }

      const { missing } = row;
      if (missing === undefined) return;
      it('is asked for by the name of its variable before anything is sent', async () => {
        scene = await setScene(row, 'the environment', (isStream) => row.answer(isStream, 'fine'));
        await scene.test.client.close();
        const test = makeTestClient({
          baseURL: scene.service.url,
          providerEnvironment: () => undefined,
        });
        scene = { ...scene, test };
        for (const stream of [false, true]) {
          await assert.rejects(run(stream), (error: Error & { hint?: string; code?: string }) => {
            assert.equal(error.code, 'configuration');
            assert.match(`${error.message} ${error.hint ?? ''}`, missing);
            return true;
          });
        }
        assert.equal(scene.provider.requests.length, 0);
        assert.equal(scene.service.tracked.length, 0);
      });
    });
  }
});
