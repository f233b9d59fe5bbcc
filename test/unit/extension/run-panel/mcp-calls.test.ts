import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { mcpServersOf } from '../../../../src/core/mcp/servers.ts';
import type { McpServer } from '../../../../src/core/mcp/servers.ts';
import {
  addressOf,
  configuredServers,
  McpCalls,
} from '../../../../src/extension/run-panel/chat/mcp-calls.ts';
import type { TestMcpServer } from '../../../support/mcp/mcp-server.ts';
import { startMcpServer } from '../../../support/mcp/mcp-server.ts';
import { timeLimit } from '../../../support/time-limit.ts';
import { until } from '../../../support/until.ts';

const t = (message: string, ...args: readonly (string | number)[]): string =>
  message.replace(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)]));
const program = fileURLToPath(new URL('../../../support/mcp/program.ts', import.meta.url));
const secret = 'a-secret-token';
const { signal } = new AbortController();

describe('run panel: MCP servers that answer calls of tools', function () {
  this.timeout(timeLimit(60_000));
  let http: TestMcpServer;
  let calls: McpCalls;

  before(async () => {
    http = await startMcpServer();
  });
  after(() => http.close());
  beforeEach(() => {
    calls = new McpCalls(t);
  });
  afterEach(() => calls.close());

  const serverOf = (id: string, described: object): McpServer => {
    const server = configuredServers({ [id]: described }, { TOKEN: secret }, t)[id];
    assert.ok(server);
    return server;
  };
  const web = (): McpServer =>
    serverOf('web', { url: http.url, headers: { Authorization: 'Bearer ${TOKEN}' } });
  const own = (...args: readonly string[]): McpServer =>
    serverOf('own', {
      ...{ command: process.execPath, args: [program, ...args], env: { SECRET: '${TOKEN}' } },
    });
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      // There is none of this number.
      return false;
    }
  };

  it('answer over HTTP, in one session, with the headers of the setting', async () => {
    const server = web();
    const before = http.sessionCount();
    assert.ok((await calls.toolsOf('web', server, signal)).includes('shout'));
    const ask = (text: string) =>
      calls.call({ id: 'web', server, tool: 'shout' }, { text }, signal);
    assert.deepEqual(await Promise.all([ask('a'), ask('b')]), ['A!', 'B!']);
    assert.equal(http.sessionCount() - before, 1);
    assert.equal(http.headers.at(-1)?.authorization, `Bearer ${secret}`);
    assert.equal(
      await calls.call({ id: 'web', server, tool: 'add' }, { left: 1, right: 2 }, signal),
      '3',
    );
  });

  it('answer as programs, which are started once, get no other variables, and end', async () => {
    const server = own();
    const ask = (tool: string) => calls.call({ id: 'own', server, tool }, {}, signal);
    // Before there is a session: both wait for the same one.
    const [one, two] = await Promise.all([ask('pid'), ask('pid')]);
    assert.equal(one, two);
    process.env['PT_NOT_FOR_SERVERS'] = '1';
    const names = (await ask('environment')).split(' ');
    delete process.env['PT_NOT_FOR_SERVERS'];
    assert.ok(names.includes('SECRET'));
    assert.ok(!names.includes('PT_NOT_FOR_SERVERS'));
    assert.ok(isAlive(Number(one)));
    await calls.close();
    await until('the program has ended', () => !isAlive(Number(one)));
  });

  it('fail in words, and answer again afterwards', async () => {
    const server = web();
    const ask = (tool: string, input: Readonly<Record<string, unknown>>) =>
      calls.call({ id: 'web', server, tool }, input, signal);
    await assert.rejects(ask('fail', { text: 'stock' }), /fail of web failed: no stock/);
    await assert.rejects(ask('shout', {}), /shout of web (failed|gave no answer): .*text/);
    await assert.rejects(ask('picture', {}), /something other than text/);
    http.forget();
    await assert.rejects(ask('shout', { text: 'a' }), /gave no answer/);
    assert.equal(await ask('shout', { text: 'a' }), 'A!');
  });

  it('end a call that nobody waits for, and are there for the next one', async () => {
    const server = web();
    const stop = new AbortController();
    const hung = calls.call({ id: 'web', server, tool: 'hang' }, {}, stop.signal);
    await until('it hangs', () => http.hanging.length > 0);
    stop.abort();
    await assert.rejects(hung);
    await http.hanging[0];
    const text = 'still there';
    assert.equal(
      await calls.call({ id: 'web', server, tool: 'shout' }, { text }, signal),
      'STILL THERE!',
    );
  });

  it('that end at once, or are nowhere, are named without their secrets', async () => {
    await assert.rejects(calls.toolsOf('own', own('--broken'), signal), (error: Error) => {
      assert.match(error.message, /The MCP server own can't be reached: .*no licence for \*\*\*/);
      return true;
    });
    const nowhere = serverOf('away', { url: 'http://127.0.0.1:9/mcp' });
    await assert.rejects(calls.toolsOf('away', nowhere, signal), /away can't be reached/);
    const missing = serverOf('none', { command: 'no-such-program-of-tests' });
    await assert.rejects(calls.toolsOf('none', missing, signal), /none can't be reached/);
  });

  it('are described rightly, or the setting is named', () => {
    const read = (setting: unknown) => configuredServers(setting, {}, t);
    assert.throws(
      () => read({ x: {} }),
      /promptTables\.mcpServers can't be used.*\n?.*either the url/s,
    );
    assert.throws(() => read({ x: { url: 'file:///etc/passwd' } }), /http or https/);
    assert.throws(() => read({ x: { command: 'a', args: ['${NONE}'] } }), /variable NONE/);
    assert.equal(addressOf(own('--flag')), `${process.execPath} ${program} --flag`);
    assert.doesNotMatch(addressOf(web()), new RegExp(secret));
    assert.deepEqual(
      mcpServersOf({}, {}, (reason) => new Error(reason)),
      {},
    );
  });
});
