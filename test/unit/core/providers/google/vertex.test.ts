import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import AnthropicVertex from '@anthropic-ai/vertex-sdk';
import { isPromptTablesError } from '../../../../../src/core/errors.ts';
import { silentLogger } from '../../../../../src/core/logger.ts';
import { ProviderError } from '../../../../../src/core/providers/provider-error.ts';
import { findProvider } from '../../../../../src/core/providers/registry.ts';
import type {
  ProviderContext,
  ProviderRequest,
} from '../../../../../src/core/providers/provider.ts';
import { FakeClock } from '../../../../support/http/fake-clock.ts';
import { sse, startFakeProvider } from '../../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../../support/providers/fake-service.ts';
import { modelCall, replay } from '../../../../support/providers/replay.ts';
import { runOnce } from '../../../../support/providers/run-once.ts';
import * as claude from '../anthropic/streams.ts';
import { text } from './streams.ts';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** Surroundings of one call, whose requests for tokens a test answers. */
function contextOf(
  environment: Readonly<Record<string, string>>,
  answer: (request: ProviderRequest) => unknown = () => assert.fail('nothing is to be sent'),
) {
  const hidden: string[] = [];
  const variable = async (...names: readonly string[]) =>
    names.map((name) => environment[name]).find((value) => value !== undefined);
  const context: ProviderContext = {
    clock: new FakeClock(),
    // Tokens are kept by logger: one of its own for each context.
    logger: { ...silentLogger },
    signal: undefined,
    isStranger: false,
    variable,
    secret: variable,
    requireSecret: async () => assert.fail('no key is wanted'),
    hide: (secret) => hidden.push(secret),
    fetchJson: async (request) => answer(request),
    fetchBytes: async () => assert.fail('no bytes are wanted'),
  };
  return { context, hidden };
}

const gemini = modelCall({
  provider: 'vertexai',
  model: 'gemini-test-1',
  kwargs: { model: 'gemini-test-1', contents: 'Hi' },
  stream: false,
});
const haiku = modelCall({
  provider: 'vertexai',
  model: 'claude-test@1',
  kwargs: { model: 'claude-test@1', max_tokens: 9, messages: [], betas: ['b1'] },
});
const project = { VERTEX_AI_PROJECT_ID: 'my-project', CLOUDSDK_AUTH_ACCESS_TOKEN: 'ya29.token' };

async function request(
  call: typeof gemini,
  environment: Readonly<Record<string, string>>,
): Promise<ProviderRequest> {
  const provider = await findProvider(call);
  return provider.prepare(call, contextOf(environment).context);
}

describe('providers: Vertex AI', () => {
  it('finds the host of each location', async () => {
    for (const [location, host] of [
      ['global', 'aiplatform.googleapis.com'],
      ['us', 'aiplatform.us.rep.googleapis.com'],
      ['europe-west4', 'europe-west4-aiplatform.googleapis.com'],
    ] as const) {
      const { url, headers } = await request(gemini, {
        ...project,
        GOOGLE_CLOUD_PROJECT_LOCATION: location,
      });
      assert.equal(
        url,
        `https://${host}/v1beta1/projects/my-project/locations/${location}/publishers/google/models/gemini-test-1:generateContent`,
      );
      assert.equal(headers['authorization'], 'Bearer ya29.token');
    }
    const { url, headers } = await request({ ...gemini, apiKey: 'AIza-own' }, project);
    assert.match(url, /\/locations\/global\//);
    assert.deepEqual(
      [headers['x-goog-api-key'], headers['authorization']],
      ['AIza-own', undefined],
    );
  });

  it('asks a tuned model at its own place, and Claude in the words of Anthropic', async () => {
    const tuned = 'projects/other/locations/us-east4/endpoints/12';
    const { url } = await request(
      { ...gemini, model: tuned, kwargs: { ...gemini.kwargs, model: tuned } },
      project,
    );
    assert.equal(url, `https://aiplatform.googleapis.com/v1beta1/${tuned}:generateContent`);
    const asked = await request(haiku, { ...project, CLOUD_ML_REGION: 'us-east5' });
    assert.equal(
      asked.url,
      'https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/publishers/anthropic/models/claude-test%401:streamRawPredict',
    );
    assert.equal(asked.headers['anthropic-beta'], 'b1');
    assert.deepEqual(JSON.parse(String(asked.body)), {
      anthropic_version: 'vertex-2023-10-16',
      max_tokens: 9,
      messages: [],
      stream: true,
    });
  });

  it('uses the Gemini API with a key only where there is no project', async () => {
    const key = { GOOGLE_API_KEY: 'AIza-1' };
    assert.match((await request(gemini, { ...project, ...key })).url, /aiplatform/);
    assert.match((await request(gemini, key)).url, /generativelanguage/);
    const google = { ...gemini, provider: 'google' };
    assert.match((await request(google, { ...project, ...key })).url, /generativelanguage/);
    assert.match((await request(google, project)).url, /aiplatform/);
  });

  it('says which models it can call, and which setting is missing', async () => {
    const refused = async (call: typeof gemini, environment: Readonly<Record<string, string>>) => {
      try {
        await request(call, environment);
      } catch (error) {
        assert.ok(isPromptTablesError(error));
        assert.equal(error.code, 'configuration');
        return `${error.message} ${error.hint ?? ''}`;
      }
      return assert.fail('not refused');
    };
    assert.match(
      await refused({ ...gemini, model: 'llama-4' }, project),
      /"llama-4" isn't supported on vertexai/,
    );
    assert.match(
      await refused({ ...haiku, templateType: 'completion' }, project),
      /chat templates only/,
    );
    assert.match(await refused(gemini, {}), /VERTEX_AI_PROJECT_ID/);
    const { VERTEX_AI_PROJECT_ID: _project, ...token } = project;
    assert.match(await refused(haiku, token), /ANTHROPIC_VERTEX_PROJECT_ID/);
    assert.match(
      await refused(gemini, { ...project, GOOGLE_CLOUD_LOCATION: 'evil.example.com/' }),
      /not the name of a location/,
    );
    for (const broken of ['{"private_key": "canary', '/nowhere/canary.json']) {
      const { CLOUDSDK_AUTH_ACCESS_TOKEN: _token, ...rest } = project;
      const words = await refused(gemini, { ...rest, GOOGLE_APPLICATION_CREDENTIALS: broken });
      assert.match(words, /GOOGLE_APPLICATION_CREDENTIALS/);
      assert.doesNotMatch(words, /private_key/);
    }
  });

  describe('with the key of a service account', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const account = {
      type: 'service_account',
      project_id: 'project-of-key',
      private_key_id: 'k1',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: 'me@project-of-key.iam.gserviceaccount.com',
      token_uri: 'https://oauth2.googleapis.com/token',
    };
    let folder = '';
    before(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'vertex-'));
      writeFileSync(path.join(folder, 'key.json'), JSON.stringify(account));
    });
    after(() => rmSync(folder, { recursive: true }));

    it('signs in once for many calls, by file or by content, through our own connections', async () => {
      for (const source of [path.join(folder, 'key.json'), JSON.stringify(account)]) {
        const requests: ProviderRequest[] = [];
        const { context, hidden } = contextOf(
          { GOOGLE_APPLICATION_CREDENTIALS: source },
          (sent) => {
            requests.push(sent);
            return { access_token: 'ya29.signed', expires_in: 3600, token_type: 'Bearer' };
          },
        );
        const provider = await findProvider(gemini);
        const asked = await Promise.all([
          ...Array.from({ length: 20 }, () => provider.prepare(gemini, context)),
        ]);
        for (const { url, headers } of [...asked, await provider.prepare(gemini, context)]) {
          assert.equal(headers['authorization'], 'Bearer ya29.signed');
          assert.match(url, /\/projects\/project-of-key\/locations\/global\//);
        }
        assert.equal(requests.length, 1);
        assert.ok(hidden.includes('ya29.signed'));
        const [sent] = requests;
        assert.equal(sent?.url, 'https://oauth2.googleapis.com/token');
        const assertion = new URLSearchParams(String(sent.body)).get('assertion') ?? '';
        const [head = '', claims = '', signature = ''] = assertion.split('.');
        assert.ok(
          verify(
            'sha256',
            Buffer.from(`${head}.${claims}`),
            publicKey,
            Buffer.from(signature, 'base64url'),
          ),
        );
        const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string };
        assert.equal(iss, account.client_email);
      }
    });

    it('gives the error of the exchange as it is, and tries anew the next time', async () => {
      let count = 0;
      const { context } = contextOf(
        { GOOGLE_APPLICATION_CREDENTIALS: JSON.stringify(account) },
        () => {
          count += 1;
          if (count === 1) throw new ProviderError('No such account.', { provider: 'vertexai' });
          return { access_token: 'ya29.second', expires_in: 3600 };
        },
      );
      const provider = await findProvider(gemini);
      await assert.rejects(provider.prepare(gemini, context), /No such account/);
      const { headers } = await provider.prepare(gemini, context);
      assert.equal(headers['authorization'], 'Bearer ya29.second');
    });
  });

  it("comes to the same as Anthropic's own client for Claude", async () => {
    const { events, whole } = claude.thinkingAndTool;
    const wire = sse(events, { named: true });
    const provider = await startFakeProvider(({ path: asked }) =>
      asked.endsWith(':streamRawPredict') ? { pieces: [wire] } : { body: whole },
    );
    try {
      const client = new AnthropicVertex({
        region: 'us-east5',
        projectId: 'p',
        baseURL: `${provider.url}/v1`,
        maxRetries: 0,
        authClient: {
          getRequestHeaders: async () => new Headers({ authorization: 'Bearer t' }),
        } as never,
      });
      const body = { model: 'claude-test@1', max_tokens: 9, messages: [] };
      const { parsed_output: _parsed, ...streamed } = await client.messages
        .stream(body)
        .finalMessage();
      const ours = replay(await findProvider(haiku), haiku, Buffer.from(wire));
      assert.deepEqual(plain(streamed), plain(ours.response));
      assert.deepEqual(plain(await client.messages.create(body)), plain(whole));
      const { url } = await request(haiku, {
        ...project,
        VERTEX_AI_PROJECT_ID: 'p',
        CLOUD_ML_REGION: 'us-east5',
        ANTHROPIC_VERTEX_BASE_URL: `${provider.url}/v1`,
      });
      assert.equal(
        decodeURIComponent(new URL(url).pathname),
        decodeURIComponent(provider.requests[0]?.path ?? ''),
      );
    } finally {
      await provider.close();
    }
  });

  it('runs a template with Gemini, its token in no body, address or log', async () => {
    const { asked, result, toService, log } = await runOnce({
      template: chatTemplate({ provider: 'vertexai', kwargs: gemini.kwargs }),
      script: () => ({ body: text.whole }),
      environment: (url) => ({
        GOOGLE_PROJECT_ID: 'p',
        GOOGLE_VERTEX_BASE_URL: url,
        CLOUDSDK_AUTH_ACCESS_TOKEN: 'ya29.canary-token',
      }),
    });
    assert.equal(asked[0]?.headers.authorization, 'Bearer ya29.canary-token');
    assert.deepEqual(result?.raw_response, text.whole);
    assert.doesNotMatch(`${asked[0].path}${asked[0].text}${toService}${log.join()}`, /canary/);
  });
});
