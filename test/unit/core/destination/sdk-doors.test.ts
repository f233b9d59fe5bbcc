/** Over sockets: keys of every provider are set, and a listener that nobody has chosen waits for them. */
import assert from 'node:assert/strict';
import { Client } from '../../../../src/core/client.ts';
import type { WorkspaceAddress } from '../../../../src/core/options.ts';
import { providerNames } from '../../../../src/core/providers/registry.ts';
import { addressesAt, canaryKeys, canaryMark } from '../../../support/canaries/keys.ts';
import { everyParameter, nestings } from '../../../support/canaries/parameters.ts';
import { RecordingLogger } from '../../../support/http/recording-logger.ts';
import { canaryRows } from '../../../support/providers/canary-rows.ts';
import type { FakeProvider } from '../../../support/providers/fake-provider.ts';
import { startFakeProvider } from '../../../support/providers/fake-provider.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';
import { chatTemplate, startFakeService } from '../../../support/providers/fake-service.ts';

const own = 'key-of-the-service-55aa';
type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => value as Fields;

/** Credentials of Google's that are exchanged for a token at an address of ours. */
const accountAt = (url: string): string =>
  JSON.stringify({
    type: 'external_account',
    audience:
      '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${url}/token`,
    credential_source: { file: import.meta.filename, format: { type: 'text' } },
  });

describe('core: doors of the SDK', () => {
  /** Where the user has sent the providers, and where nobody has. */
  let chosen: FakeProvider;
  let stranger: FakeProvider;
  let service: FakeService;
  let logger: RecordingLogger;
  let variables: Record<string, string>;
  const templates: Record<string, object> = {};
  let row = canaryRows[0];

  before(async () => {
    chosen = await startFakeProvider(({ json, path }) =>
      path === '/token'
        ? {
            body: {
              access_token: `ya29.${canaryMark}`,
              expires_in: 3600,
              token_type: 'Bearer',
              issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
            },
          }
        : (row?.answer(json['stream'] === true || /stream/i.test(path), 'fine') ?? {}),
    );
    stranger = await startFakeProvider(() => ({ status: 400, body: { error: 'no' } }));
    service = await startFakeService(templates);
    variables = { ...canaryKeys, ...addressesAt(chosen.url) };
  });

  after(() => Promise.all([chosen.close(), stranger.close(), service.close()]));

  function clientWith(
    found: Readonly<Record<string, string>> = variables,
    allowAddress?: (address: WorkspaceAddress) => Promise<boolean>,
  ): Client {
    logger = new RecordingLogger();
    return new Client({
      ...{ apiKey: 'k-test', baseURL: service.url, environment: {}, proxy: false, logger },
      providerEnvironment: (name) => found[name],
      ...(allowAddress && { allowAddress }),
    });
  }

  const seen = (from: FakeProvider, since = 0): string =>
    from.requests
      .slice(since)
      .map(({ path, query, headers, text }) =>
        [path, query.toString(), JSON.stringify(headers), text].join('\n'),
      )
      .join('\n');

  for (const one of canaryRows) {
    it(`${one.provider} (${one.title}): parameters lead to nobody`, async () => {
      row = one;
      const bait = { url: stranger.url, mark: 'bait-7e1a' };
      const client = clientWith();
      const asked = chosen.requests.length;
      const strayed = stranger.requests.length;
      let runs = 0;
      try {
        for (const [at, nest] of Object.values(nestings).entries()) {
          const baits = nest(everyParameter(bait, at));
          const made = fieldsOf(one.template({ llm_kwargs: { ...baits, ...one.kwargs } }));
          const model = { ...fieldsOf(fieldsOf(made['metadata'])['model']), parameters: baits };
          const template = { ...made, metadata: { model } };
          service.templates.set('greeting', template);
          const stream = at % 2 === 0;
          const wants = [
            { promptName: 'greeting', modelParameterOverrides: baits },
            { promptName: 'draft', promptBlueprint: template },
          ];
          for (const runOptions of wants) {
            if (!stream) await client.run(runOptions);
            else
              for await (const chunk of await client.run({ ...runOptions, stream }))
                assert.ok(chunk);
            runs += 1;
          }
        }
      } finally {
        await client.close();
      }
      assert.equal(stranger.requests.length, strayed);
      assert.ok(chosen.requests.length >= asked + runs);
      assert.doesNotMatch(seen(chosen, asked), /bait/);
      assert.doesNotMatch(JSON.stringify(service.tracked), /bait-7e1a/);
      const warnings = logger.lines.filter((line) =>
        /Ignored parameters/.test(JSON.stringify(line)),
      );
      assert.ok(warnings.length >= runs, 'every run says so');
    });
  }

  it('signs in to Google for the provider itself', async () => {
    const { CLOUDSDK_AUTH_ACCESS_TOKEN: _, ...rest } = variables;
    row = canaryRows.find(({ title }) => title === 'Gemini on Vertex AI');
    service.templates.set('greeting', row?.template({}) ?? {});
    const client = clientWith({ ...rest, GOOGLE_APPLICATION_CREDENTIALS: accountAt(chosen.url) });
    await client.run({ promptName: 'greeting' });
    await client.close();
    assert.match(String(chosen.requests.at(-1)?.headers.authorization), new RegExp(canaryMark));
  });

  describe('a custom provider', () => {
    /** Signs in by token, or with the key of an account. */
    const ways = (): readonly Readonly<Record<string, string>>[] => {
      const { CLOUDSDK_AUTH_ACCESS_TOKEN: _, ...rest } = variables;
      return [
        variables,
        { ...rest, GOOGLE_APPLICATION_CREDENTIALS: accountAt(chosen.url) },
        Object.fromEntries(
          Object.entries(rest).filter(([name]) => !/BEARER|^GOOGLE_API|^GEMINI_API/.test(name)),
        ),
      ];
    };

    async function run(provider: string, custom: object, found: Fields): Promise<void> {
      const model = { 'amazon.bedrock': 'm', vertexai: 'gemini-1' }[provider] ?? 'm';
      for (const name of provider === 'vertexai' ? [model, 'claude-1'] : [model]) {
        service.templates.set(
          'greeting',
          chatTemplate({ provider, model: name, custom_provider: custom }),
        );
        const client = clientWith(found as Readonly<Record<string, string>>);
        // Refused there, or for want of a key: what counts is what arrives.
        await client.run({ promptName: 'greeting' }).catch((error: unknown) => assert.ok(error));
        await client.close();
      }
    }

    for (const provider of providerNames) {
      it(`${provider}: gets no key of the environment`, async () => {
        const before = stranger.requests.length;
        const base = { id: 1, name: 'mine', client: provider, base_url: `${stranger.url}/v1` };
        for (const found of ways()) {
          await run(provider, base, found);
          const sent = chosen.requests.length;
          // Without an address of its own, it is none of the provider's key either.
          await run(provider, { id: 1, name: 'mine', client: provider }, found);
          assert.doesNotMatch(
            JSON.stringify(chosen.requests.slice(sent).map(({ headers }) => headers)),
            new RegExp(canaryMark),
          );
          await run(provider, { ...base, api_key: own }, found);
        }
        const arrived = stranger.requests.slice(before);
        assert.ok(arrived.length > 0);
        assert.doesNotMatch(seen(stranger, before), new RegExp(canaryMark));
        assert.ok(arrived.some(({ headers }) => JSON.stringify(headers).includes(own)));
      });
    }
  });

  describe("the workspace's address for a provider", () => {
    const set = (): void => {
      row = canaryRows.find(({ provider }) => provider === 'openai');
      const base = { id: 1, name: 'Gateway', provider: 'openai', url: `${stranger.url}/v1` };
      service.templates.set('greeting', chatTemplate({ provider_base_url: base }));
    };

    it('is honored, as the program is told when it wants to be asked', async () => {
      set();
      const reported: WorkspaceAddress[] = [];
      const before = stranger.requests.length;
      const client = clientWith(variables, async (address) => reported.push(address) > 0);
      await assert.rejects(client.run({ promptName: 'greeting' }), { code: 'provider' });
      await client.close();
      assert.equal(stranger.requests.length, before + 1);
      assert.deepEqual(
        reported.map(({ url, ...rest }) => ({ ...rest, origin: url.origin })),
        [{ provider: 'openai', source: 'workspace', name: 'Gateway', origin: stranger.url }],
      );
    });

    it('gets nothing when the program declines', async () => {
      set();
      const before = stranger.requests.length;
      const tracked = service.tracked.length;
      const client = clientWith(variables, async () => false);
      for (const stream of [false, true]) {
        await assert.rejects(client.run({ promptName: 'greeting', stream }), {
          code: 'cancelled',
        });
      }
      await client.close();
      assert.equal(stranger.requests.length, before);
      assert.equal(service.tracked.length, tracked);
    });
  });
});
