import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestMcpServer } from '../support/mcp/mcp-server.ts';
import { startMcpServer } from '../support/mcp/mcp-server.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { SheetRun } from './support/sheet-run.ts';
import { until } from '../support/until.ts';

onEachBackend('MCP columns', (backend) => {
  let server: TestMcpServer;
  let older: TestMcpServer;
  let api: Api;
  const program = path.resolve(import.meta.dirname, '../support/mcp/program.ts');
  const folder = mkdtempSync(path.join(tmpdir(), 'pt-mcp-'));
  before(async () => {
    server = await startMcpServer();
    older = await startMcpServer('sse');
    const file = path.join(folder, 'servers.json');
    const headers = { Authorization: 'Bearer ${MCP_TOKEN}' };
    writeFileSync(
      file,
      JSON.stringify({
        mcpServers: {
          tools: { url: server.url, headers },
          old: { url: older.url },
          program: { command: process.execPath, args: [program], env: { SECRET: '${MCP_TOKEN}' } },
          broken: {
            command: process.execPath,
            args: [program, '--broken'],
            env: { SECRET: '${MCP_TOKEN}' },
          },
          absent: { command: path.join(folder, 'no-such-program') },
        },
      }),
    );
    ({ api } = await backend.start({
      environment: {
        PROMPT_TABLES_ALLOWED_HOSTS: [server, older].map(({ url }) => new URL(url).host).join(','),
        PROMPT_TABLES_MCP_SERVERS: file,
        MCP_TOKEN: 'canary-token',
      },
    }));
  });
  after(async () => {
    await server.close();
    await older.close();
    rmSync(folder, { recursive: true });
  });

  const tool = (name: string, input_mappings: object = {}, more: object = {}): object => ({
    mcp_server_id: 'tools',
    tool_name: name,
    input_mappings,
    ...more,
  });

  it('call a tool with the row, in the types that the tool wants', async () => {
    const sheet = await SheetRun.of(api, 'Left,Right,Word\n1,2.5,one\nx,2,two');
    const sum = await sheet.add('MCP', tool('add', { left: 'Left', right: 'Right' }), 'Sum');
    const loud = await sheet.add('MCP', tool('shout', { text: 'Word' }), 'Loud');
    const fixed = await sheet.add(
      'MCP',
      tool('add', { left: 'Left' }, { arguments: { right: 10 } }),
      'Fixed',
    );
    const picture = await sheet.add('MCP', tool('picture'), 'Picture');
    await sheet.run();
    assert.deepEqual(await sheet.value(sum), { sum: 3.5 });
    assert.deepEqual(await sheet.value(fixed), { sum: 11 });
    assert.equal(await sheet.value(loud), 'ONE!');
    assert.equal(await sheet.value(loud, 1), 'TWO!');
    assert.deepEqual(await sheet.value(picture), [
      { type: 'text', text: 'here' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]);
    assert.match(String(await sheet.value(sum, 1)), /^request_failed: .*left/s);
    assert.equal(server.headers.at(-1)?.authorization, 'Bearer canary-token');
    const before = server.sessionCount();
    await sheet.run({ statuses: [] });
    assert.equal(server.sessionCount(), before, 'Sessions are used again.');
    server.forget();
    await sheet.run({ statuses: [] });
    assert.equal(
      await sheet.value(loud),
      'ONE!',
      'A server that was started anew is connected anew.',
    );
  });

  // How servers and programs are reached is up to the worker, which knows of no database.
  if (backend.name !== 'SQLite') return;

  it('speak the older transport with a server that knows no other', async () => {
    const sheet = await SheetRun.of(api, 'Word\none');
    const config = { ...tool('shout', { text: 'Word' }), mcp_server_id: 'old' };
    const column = await sheet.add('MCP', config);
    await sheet.run();
    assert.equal(await sheet.value(column), 'ONE!');
  });

  it('start a program that the file names, once, with none of the keys of the service', async () => {
    const sheet = await SheetRun.of(api, 'Word\none\ntwo');
    const of = (name: string, more: object = {}): object => ({
      ...tool(name, {}, more),
      mcp_server_id: 'program',
    });
    const loud = await sheet.add('MCP', of('shout', { input_mappings: { text: 'Word' } }), 'Loud');
    const pid = await sheet.add('MCP', of('pid'), 'Pid');
    const seen = await sheet.add('MCP', of('environment'), 'Environment');
    await sheet.run();
    assert.deepEqual([await sheet.value(loud), await sheet.value(loud, 1)], ['ONE!', 'TWO!']);
    const names = String(await sheet.value(seen)).split(' ');
    assert.ok(names.includes('SECRET') && names.includes('PATH'), names.join());
    assert.deepEqual(
      names.filter((name) => /PROMPT_TABLES|MCP_TOKEN|DATABASE_URL/.test(name)),
      [],
    );
    const first = String(await sheet.value(pid));
    assert.match(first, /^\d+$/);
    // One that has died is started anew.
    for (const row of [0, 1]) {
      const found = Number(await sheet.value(pid, row));
      try {
        process.kill(found, 'SIGKILL');
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH', 'killed for the other row');
      }
    }
    await until('it answers again', async () => {
      await sheet.run({ statuses: [], column_ids: [loud] });
      return (await sheet.value(loud)) === 'ONE!';
    });
  });

  it('end a program when the operation is cancelled', async () => {
    const sheet = await SheetRun.of(api, 'Word\none');
    const column = await sheet.add('MCP', { ...tool('hang'), mcp_server_id: 'program' });
    const id = await sheet.start();
    await until('it runs', async () => (await sheet.cell(column)).status === 'running');
    await sheet.cancel(id);
    assert.equal((await sheet.cell(column)).status, 'stale');
  });

  it('say what went wrong, without keys', async () => {
    const sheet = await SheetRun.of(api, 'Word\none');
    const at = (server_id: string, name = 'shout'): object => ({
      ...tool(name, { text: 'Word' }),
      mcp_server_id: server_id,
      headers: { 'X-Key': 'canary-key' },
    });
    const cases: readonly (readonly [object, RegExp])[] = [
      [tool('fail', { text: 'Word' }), /^request_failed: The tool "fail" of .* failed: no one$/],
      [tool('nothing'), /^invalid_config: .*no tool "nothing"\. It has add, shout/],
      [at('broken'), /^request_failed: .*of broken could not be called: .*no licence for \*\*\*/],
      [at('absent'), /^request_failed: .*of absent could not be called: .*ENOENT/],
      [at('nobody'), /^invalid_config: .*"nobody".*PROMPT_TABLES_MCP_SERVERS/],
      [at('http://127.0.0.1:9/mcp'), /^not_allowed: .*PROMPT_TABLES_ALLOWED_HOSTS/],
      [at('http://169.254.169.254/mcp'), /^not_allowed/],
      [tool('hang', {}, { timeout_seconds: 1 }), /^timed_out: .*within 1 s/],
    ];
    const columns = [];
    for (const [config] of cases)
      columns.push(await sheet.add('MCP', config, JSON.stringify(config)));
    await sheet.run();
    for (const [index, [, message]] of cases.entries()) {
      const value = String(await sheet.value(columns[index]!));
      assert.match(value, message);
      assert.doesNotMatch(value, /canary/);
    }
    await sheet.refuse('MCP', { mcp_server_id: 'tools' });
    await sheet.refuse('MCP', { ...tool('add'), input_mappings: { left: 'No such column' } });
    await sheet.refuse('MCP', { ...tool('add'), headers: { Host: 'elsewhere' } });
  });

  it('end at the socket when the operation is cancelled', async () => {
    const sheet = await SheetRun.of(api, 'Word\none');
    const column = await sheet.add('MCP', tool('hang'));
    const count = server.hanging.length;
    const id = await sheet.start();
    await until('the server is asked', () => server.hanging.length > count);
    await sheet.cancel(id);
    await server.hanging.at(-1);
    assert.equal((await sheet.cell(column)).status, 'stale');
  });
});
