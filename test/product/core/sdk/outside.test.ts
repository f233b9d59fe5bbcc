import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { FakeProvider } from '../../../support/providers/fake-provider.ts';
import { startFakeProvider } from '../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../support/providers/fake-service.ts';
import { timeLimit } from '../../../support/time-limit.ts';

const dist = path.resolve('dist');

/** What somebody else writes against the SDK: every kind of result is used as its type says. */
const program = (core: string): string => `
import { Client, hasErrorCode, type RunChunk, type Template } from '${core}';
import type { ClientOptions, Logger, WorkflowProgress } from '${core}';

const [, , baseURL = '', providerURL = ''] = process.argv;
const lines: string[] = [];
const add = (message: string): void => void lines.push(message);
const logger: Logger = { debug: () => undefined, info: add, warn: add, error: add };
const options = {
  apiKey: 'outside-key',
  baseURL,
  logger,
  providerEnvironment: (name: string) =>
    ({ OPENAI_API_KEY: 'sk-outside', OPENAI_BASE_URL: providerURL } as Record<string, string>)[name],
} satisfies ClientOptions;

const client = new Client(options);
const template: Template = await client.templates.get('greeting', { inputVariables: { a: 1 } });
const version: number | null | undefined = template.version;
const { request_id, raw_response } = await client.run({ promptName: 'greeting' });
const id: number | null = request_id;
const texts: (number | null)[] = [];
for await (const chunk of await client.run({ promptName: 'greeting', stream: true })) {
  const seen: RunChunk = chunk;
  if (seen.request_id !== undefined) texts.push(seen.request_id);
}
const page = await client.tables.rows.page({ tableId: 't', sheetId: 's' });
const status: string | undefined = page.items[0]?.cells['k']?.status;
const progress: WorkflowProgress[] = [];
const result: unknown = await client.runWorkflow(
  { workflowName: 'w' },
  { timeoutMs: 10_000, onProgress: (told) => void progress.push(told) },
);
const tracked: true = await client.track.score({ requestId: 1, score: 50 });

const quiet = new Client({ ...options, throwOnError: false });
const none: Template | null = await quiet.templates.get('missing');
// @ts-expect-error null is possible when failures do not throw
const wrong: Template = await quiet.templates.get('missing');
const failure: unknown = await client.templates.get('missing').catch((error: unknown) => error);
// @ts-expect-error there is no such method
client.templates.nothing;

process.stdout.write(
  JSON.stringify({
    version, id, raw: typeof raw_response, texts, status, result, tracked,
    progress: progress.length, none, wrong,
    notFound: hasErrorCode(failure, 'not_found'), warnings: lines.length,
  }),
);
await Promise.all([client.close(), quiet.close()]);
`;

const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-test',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
};
const chunk = {
  ...completion,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
};

describe('the built SDK outside of this repository', function () {
  this.timeout(180_000);
  let folder = '';
  let service: FakeProvider;
  let provider: FakeProvider;
  const run = promisify(execFile);

  before(async () => {
    for (const name of ['core.mjs', 'core.d.mts', 'core.edge.mjs', 'core.edge.d.mts']) {
      if (!existsSync(path.join(dist, name)))
        throw new Error(`dist/${name} is missing: run node esbuild.mjs first.`);
    }
    folder = await mkdtemp(path.join(tmpdir(), 'prompt-tables-outside-'));
    await writeFile(path.join(folder, 'package.json'), '{"type":"module","private":true}');
    await mkdir(path.join(folder, 'node_modules'));
    await symlink(process.cwd(), path.join(folder, 'node_modules', 'prompt-tables'), 'junction');
    provider = await startFakeProvider(({ json }) =>
      json['stream'] === true
        ? { pieces: [`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`] }
        : { body: completion },
    );
    service = await startFakeProvider(({ path: asked }) => {
      if (asked.endsWith('/missing')) return { status: 404, body: { message: 'None.' } };
      if (asked.startsWith('/prompt-templates/')) return { body: chatTemplate() };
      if (asked === '/track-request') return { body: { request_id: 5, prompt_blueprint: {} } };
      if (asked.endsWith('/run'))
        return {
          status: 201,
          body: { success: true, message: '', workflow_version_execution_id: 1 },
        };
      if (asked.startsWith('/workflow-version')) return { body: ['done'] };
      if (asked.startsWith('/rest/track')) return { body: { success: true, message: '' } };
      if (asked.includes('/tables/'))
        return {
          body: '{"data":[{"row_index":0,"cells":{"k":{"id":"c","column_id":"k","row_index":0,"status":"stale"}}}]}',
        };
      return { status: 404, body: {} };
    });
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await Promise.all([service, provider].map((server) => server.close()));
  });

  it('type-checks with every library checked, and runs on every Node', async () => {
    const tsconfig = {
      compilerOptions: {
        module: 'nodenext',
        moduleResolution: 'nodenext',
        target: 'es2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        types: [],
        outDir: 'out',
      },
      files: ['program.ts', 'process.d.ts'],
    };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    await writeFile(path.join(folder, 'program.ts'), program(path.join(dist, 'core.mjs')));
    // Instead of Node's types, which a project of somebody else may or may not have.
    await writeFile(
      path.join(folder, 'process.d.ts'),
      'declare const process: { argv: string[]; stdout: { write(text: string): void } };',
    );
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    const checked = await run(process.execPath, [tsc, '-p', folder], {
      timeout: timeLimit(75_000),
    }).catch((error: unknown) => error as { readonly stdout: string });
    assert.equal(checked.stdout, '');
    for (const runtime of ['node', process.execPath]) {
      const { stdout, stderr } = await run(
        runtime,
        [path.join(folder, 'out', 'program.js'), service.url, `${provider.url}/v1`],
        { timeout: timeLimit(20_000), env: { PATH: process.env['PATH'] } },
      );
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), {
        version: 3,
        id: 5,
        raw: 'object',
        texts: [5],
        status: 'stale',
        result: ['done'],
        tracked: true,
        progress: 1,
        none: null,
        wrong: null,
        notFound: true,
        warnings: 2,
      });
    }
  });

  it('is found by its name, by Node and by what builds for browsers', async () => {
    const where = "process.stdout.write(import.meta.resolve('prompt-tables/core'))";
    const resolve = async (...flags: string[]): Promise<string> => {
      const args = [...flags, '--input-type=module', '--eval', where];
      return path.basename((await run(process.execPath, args, { cwd: folder })).stdout);
    };
    assert.equal(await resolve(), 'core.mjs');
    assert.equal(await resolve('--conditions=browser'), 'core.edge.mjs');
    assert.equal(await resolve('--conditions=worker'), 'core.edge.mjs');
  });

  it('runs the edge entry on plain Node too', async () => {
    const script = `
      const { Client } = await import('prompt-tables/core/edge');
      const client = new Client({ apiKey: 'k', baseURL: process.argv[1] });
      process.stdout.write(String((await client.templates.getRaw('greeting')).version));
      await client.close();
    `;
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '--eval', script, service.url],
      { cwd: folder, timeout: timeLimit(20_000) },
    );
    assert.equal(stdout, '3');
  });
});
