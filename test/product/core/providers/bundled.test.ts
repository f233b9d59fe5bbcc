/** Providers that lean on packages of others, out of the bundle that users get. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { inRoot } from '../../../../scripts/paths.mjs';
import type { FakeProvider } from '../../../support/providers/fake-provider.ts';
import { startFakeProvider } from '../../../support/providers/fake-provider.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';
import { chatTemplate, startFakeService } from '../../../support/providers/fake-service.ts';
import { verifySignature } from '../../../support/providers/verify-signature.ts';
import { timeLimit } from '../../../support/time-limit.ts';

const program = `
  const [, , core, service, environment] = process.argv;
  const { Client, silentLogger } = await import(core);
  const found = JSON.parse(environment);
  const client = new Client({
    apiKey: 'k', baseURL: service, environment: {}, logger: silentLogger, providerEnvironment: (name) => found[name],
  });
  const said = [];
  for (const promptName of ['bedrock', 'token', 'file']) {
    if (promptName === 'file') delete found.CLOUDSDK_AUTH_ACCESS_TOKEN;
    await client.run({ promptName }).then(
      ({ request_id }) => said.push(request_id),
      (error) => said.push(error.code, error.message),
    );
  }
  await client.close();
  process.stdout.write(JSON.stringify(said));
`;

const vertex: object = chatTemplate({
  provider: 'vertexai',
  kwargs: { model: 'gemini-test-1', contents: 'Hi' },
});

describe('providers: signing in, out of the bundle', () => {
  let folder = '';
  let provider: FakeProvider;
  let service: FakeService;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prompt-tables-providers-'));
    await writeFile(path.join(folder, 'program.mjs'), program);
    provider = await startFakeProvider(() => ({ body: {} }));
    service = await startFakeService({
      bedrock: chatTemplate({ provider: 'amazon.bedrock', kwargs: { model: 'm', messages: [] } }),
      token: vertex,
      file: vertex,
    });
  });

  after(async () => {
    await provider.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const runtime of ['node', process.execPath]) {
    it(`works on ${runtime === 'node' ? 'the node of the PATH' : process.version}`, async () => {
      const environment = {
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_ENDPOINT_URL: provider.url,
        GOOGLE_VERTEX_BASE_URL: provider.url,
        GOOGLE_PROJECT_ID: 'p',
        CLOUDSDK_AUTH_ACCESS_TOKEN: 'ya29.token',
        GOOGLE_APPLICATION_CREDENTIALS: path.join(folder, 'missing.json'),
      };
      const before = provider.requests.length;
      const { stdout, stderr } = await promisify(execFile)(
        runtime,
        [
          path.join(folder, 'program.mjs'),
          inRoot('dist', 'core.mjs'),
          service.url,
          JSON.stringify(environment),
        ],
        { timeout: timeLimit(15_000) },
      );
      assert.equal(stderr, '');
      const [first, second, code, message] = JSON.parse(stdout) as [number, number, string, string];
      assert.equal(second, first + 1);
      // Google's own library has looked for the file.
      assert.equal(code, 'configuration');
      assert.match(message, /missing\.json/);
      const [signed, opened] = provider.requests.slice(before);
      assert.ok(signed && opened);
      assert.equal(verifySignature(signed, 'secret').isValid, true);
      assert.equal(opened.headers.authorization, 'Bearer ya29.token');
    });
  }
});
