import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { inModules, inRoot } from '../../../../scripts/paths.mjs';
import type { PromptType } from '../../../../src/core/prompt-types/read.ts';
import { typescriptOf } from '../../../../src/core/prompt-types/typescript.ts';

const program = `
import { Client, type ClientOptions } from 'prompt-tables-sdk';
const options = { apiKey: 'package-key', baseURL: process.argv[2] ?? '' } satisfies ClientOptions;
const client = new Client(options);
for await (const { title, sheet_count } of client.tables.list({ name: 'words' })) {
  const count: number | undefined = sheet_count;
  console.log(title, count);
}
await client.close();
`;

/** Right and wrong callers of a client whose prompts have types. */
const caller = `
import { Client, type RunOptions, type RunResult, type RunStream } from 'prompt-tables-sdk';
import { typed } from './prompts.gen.mts';
declare const name: string;
declare const wide: RunOptions;
const client = new Client();
const question = 'Why?';
const inputVariables = { question, tone: 'kind' };
export const whole: Promise<RunResult>[] = [
  client.run({ promptName: 'support/answer', inputVariables }),
  client.run({ promptName: 'support/answer', promptReleaseLabel: 'prod', groupId: 3, inputVariables: { question, tone: 1, photos: ['x'] } }),
  client.run({ prompt_name: 'support/answer', prompt_release_label: 'dev', input_variables: inputVariables }),
  client.run({ promptName: 'plain', stream: false, answerCache: true }, {}),
  client.run({ promptName: 'of another workspace', promptReleaseLabel: 'any', inputVariables: { any: 1 } }),
  client.run({ promptName: name, inputVariables: { any: 1 } }),
  client.run({ promptName: 'support/answer', promptBlueprint: {}, inputVariables: { any: 1 } }),
];
export const chunks: Promise<RunStream> = client.run({ promptName: 'support/answer', inputVariables, stream: true });
export const either: Promise<RunResult | RunStream> = client.run(wide);
void typed(client).run({ promptName: 'plain', groupId: 3 });
// @ts-expect-error a variable is missing
void client.run({ promptName: 'support/answer', inputVariables: { question } });
// @ts-expect-error all variables are missing
void client.run({ promptName: 'support/answer' });
// @ts-expect-error a variable is misspelt
void client.run({ promptName: 'support/answer', inputVariables: { question, tone: '', qestion: '' } });
// @ts-expect-error a variable is misspelt, of a stream
void client.run({ promptName: 'support/answer', inputVariables: { question, tone: '', qestion: '' }, stream: true });
// @ts-expect-error a variable is misspelt in snake_case
void client.run({ prompt_name: 'support/answer', input_variables: { question, tne: '' } });
// @ts-expect-error a list is given as a text
void client.run({ promptName: 'support/answer', inputVariables: { question, tone: '', photos: 'x' } });
// @ts-expect-error no such label
void client.run({ promptName: 'support/answer', promptReleaseLabel: 'prd', inputVariables });
// @ts-expect-error it has no labels
void client.run({ promptName: 'plain', promptReleaseLabel: 'prod' });
// @ts-expect-error it has no variables
void client.run({ promptName: 'plain', inputVariables: { a: 1 } });
// @ts-expect-error another option is misspelt
void client.run({ promptName: 'plain', streaming: true });
// @ts-expect-error another option is misspelt where the name has no types
void client.run({ promptName: name, promptReleaseLable: 'prod' });
// @ts-expect-error the wrapper takes only names that there are
void typed(client).run({ promptName: 'of another workspace' });
`;

const prompts: readonly PromptType[] = [
  { name: 'plain', variables: [], labels: [], output: undefined },
  {
    name: 'support/answer',
    variables: [
      { name: 'photos', form: 'media', isOptional: true },
      { name: 'question', form: 'text', isOptional: false },
      { name: 'tone', form: 'text', isOptional: false },
    ],
    labels: ['dev', 'prod'],
    output: undefined,
  },
];

describe('The SDK as a package', function () {
  this.timeout(120_000);
  let folder: string;

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-sdk-'));
    const packed = execFileSync(
      process.execPath,
      [inRoot('scripts', 'sdk.mjs'), '--without-build', '--out', folder],
      { encoding: 'utf8' },
    ).trim();
    fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], {
      cwd: folder,
    });
    fs.writeFileSync(path.join(folder, 'program.mts'), program);
    fs.writeFileSync(path.join(folder, 'prompts.gen.mts'), typescriptOf(prompts).text);
    fs.writeFileSync(path.join(folder, 'caller.mts'), caller);
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('is all that a project needs: nothing else is installed with it', () => {
    assert.deepEqual(
      fs.readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['prompt-tables-sdk'],
    );
  });

  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    it(`has types that a strict project checks, also those of its prompts, as ${resolution} finds them`, () => {
      const options = ['--strict', '--noEmit', '--target', 'es2022', '--types', 'node'];
      options.push('--typeRoots', inModules('@types'), '--skipLibCheck', 'false');
      options.push('--module', module, '--moduleResolution', resolution);
      const tsc = inModules('typescript-native/bin/tsc');
      const files = ['program.mts', 'caller.mts'];
      options.push('--allowImportingTsExtensions', '--exactOptionalPropertyTypes');
      const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, ...files], {
        cwd: folder,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stdout);
    });
  }

  it('runs, and so do its commands', async () => {
    const table = { id: 't', title: 'Words', sheet_count: 2 };
    const server = http.createServer((request, response) => {
      const isOurs = request.headers['x-api-key'] === 'package-key';
      const body = {
        success: true,
        tables: [table],
        data: [table],
        has_more: false,
        next_cursor: null,
      };
      response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--experimental-strip-types', 'program.mts', `http://127.0.0.1:${String(port)}`],
        { cwd: folder },
      );
      assert.equal(stdout.trim(), 'Words 2');
    } finally {
      server.close();
    }
    for (const command of ['evals', 'mcp']) {
      const bin = path.join(folder, 'node_modules', '.bin', `prompt-tables-${command}`);
      assert.match(execFileSync(bin, ['--help'], { encoding: 'utf8' }), /Usage|usage|--/);
    }
  });
});
