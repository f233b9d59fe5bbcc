import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { inModules, inRoot } from '../../../../scripts/paths.mjs';

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
    it(`has types that a strict project checks, as ${resolution} finds them`, () => {
      const options = ['--strict', '--noEmit', '--target', 'es2022', '--types', 'node'];
      options.push('--typeRoots', inModules('@types'), '--skipLibCheck', 'false');
      options.push('--module', module, '--moduleResolution', resolution);
      const tsc = inModules('typescript-native/bin/tsc');
      execFileSync(process.execPath, [tsc, ...options, 'program.mts'], { cwd: folder });
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
