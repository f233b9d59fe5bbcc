import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { inRoot } from '../../../scripts/paths.mjs';
import type { ScriptedServer } from '../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../support/http/scripted-server.ts';
import { timeLimit } from '../../support/time-limit.ts';

const program = `
  const { Client, silentLogger, stringifyJson } = await import(process.argv[2]);
  const client = new Client({ apiKey: 'k', baseURL: process.argv[3], environment: {}, logger: silentLogger });
  const page = await client.tables.rows.page({ tableId: 't', sheetId: 's' });
  const failure = await client.tables.get('t').catch((error) => error.code);
  await client.close();
  process.stdout.write(stringifyJson([page.items[0].cells.k, failure]));
`;

describe('the core as one bundle', () => {
  let folder = '';
  let server: ScriptedServer;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prompt-tables-core-'));
    await writeFile(path.join(folder, 'program.mjs'), program);
  });

  afterEach(() => server.close());
  after(() => rm(folder, { recursive: true, force: true }));

  // `node` of the PATH is what SDK users have: any version from 20 on. Ours is the service's.
  for (const runtime of ['node', process.execPath]) {
    it(`imports and calls on ${runtime === 'node' ? 'the node of the PATH' : process.version}`, async () => {
      server = await startScriptedServer([
        {
          body: '{"data":[{"row_index":0,"cells":{"k":{"id":"c","column_id":"k","row_index":0,"status":"FAILED","value":9007199254740993}}}]}',
        },
        { status: 404 },
      ]);
      const { stdout, stderr } = await promisify(execFile)(
        runtime,
        [path.join(folder, 'program.mjs'), inRoot('dist', 'core.mjs'), server.url],
        { timeout: timeLimit(15_000) },
      );
      assert.equal(
        stdout,
        '[{"id":"c","column_id":"k","row_index":0,"status":"error","value":9007199254740993},"not_found"]',
      );
      assert.equal(stderr, '');
    });
  }
});
