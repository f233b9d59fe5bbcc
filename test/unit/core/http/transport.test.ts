import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterEach, describe, it } from 'mocha';
import { MockAgent } from 'undici';
import type { Client } from '../../../../src/core/client.ts';
import type { ResponseFormatError } from '../../../../src/core/errors.ts';
import type { ClientOptions } from '../../../../src/core/options.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

const text = JSON.stringify({ success: true, table: { id: 't1', title: 'Wörter 词 🦉' } });
const bytes = Buffer.from(text);

describe('transport', () => {
  const servers: ScriptedServer[] = [];
  const clients: Client[] = [];

  async function start(steps: readonly Step[], options: ClientOptions = {}) {
    const server = await startScriptedServer(steps);
    servers.push(server);
    const made = makeTestClient({ baseURL: server.url, ...options });
    clients.push(made.client);
    return { ...made, server };
  }

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  it('sends key, agent and encodings, and no body or content type with a GET', async () => {
    const { client, server } = await start([{ body: text }], { userAgent: 'test/1' });
    await client.tables.get('t1');
    const [request] = server.requests;
    assert.equal(request?.headers['x-api-key'], 'test-key');
    assert.equal(request.headers['user-agent'], 'test/1');
    assert.equal(request.headers['accept-encoding'], 'gzip, deflate, br');
    assert.equal(request.headers['content-type'], undefined);
    assert.equal(request.body, '');
  });

  it('keeps connections for calls that follow each other', async () => {
    const { client, server } = await start([{ body: text }]);
    for (let call = 0; call < 20; call += 1) await client.tables.get('t1');
    // Two, because a socket is free again only a tick after its answer is whole.
    assert.ok(server.connections.opened <= 2, String(server.connections.opened));
  });

  it('opens a bounded number of connections for many calls at once', async () => {
    const { client, server } = await start([{ body: text }]);
    await Promise.all(Array.from({ length: 100 }, () => client.tables.get('t1')));
    assert.ok(server.connections.opened <= 32, String(server.connections.opened));
    assert.equal(server.requests.length, 100);
  });

  it('keeps the path of the base URL and encodes what goes into the path', async () => {
    const server = await startScriptedServer([{ body: text }]);
    servers.push(server);
    const { client } = makeTestClient({ baseURL: `${server.url}/proxy/v1/` });
    clients.push(client);
    await client.tables.get('a/b?c#d e%');
    assert.equal(server.requests[0]?.url, '/proxy/v1/api/public/v2/tables/a%2Fb%3Fc%23d%20e%25');
  });

  it('refuses an empty or dotted id, which would address something else', async () => {
    const { client, server } = await start([{ body: text }]);
    for (const id of ['', '.', '..']) {
      await assert.rejects(client.tables.delete(id), { code: 'validation' });
    }
    assert.equal(server.requests.length, 0);
  });

  const encodings: Readonly<Record<string, Buffer>> = {
    gzip: zlib.gzipSync(bytes),
    deflate: zlib.deflateSync(bytes),
    'deflate without header': zlib.deflateRawSync(bytes),
    br: zlib.brotliCompressSync(bytes),
    'gzip, br': zlib.brotliCompressSync(zlib.gzipSync(bytes)),
    identity: bytes,
  };
  for (const [name, body] of Object.entries(encodings)) {
    it(`decodes ${name}`, async () => {
      const encoding = name.split(' without')[0] ?? '';
      const { client } = await start([{ headers: { 'content-encoding': encoding }, body }]);
      assert.equal((await client.tables.get('t1')).title, 'Wörter 词 🦉');
    });
  }

  it('takes gzip that ends too early for a broken connection, and tries again', async () => {
    const whole = zlib.gzipSync(bytes);
    const headers = { 'content-encoding': 'gzip' };
    const { client, server } = await start([
      { headers, body: whole.subarray(0, whole.length - 12) },
      { headers, body: whole },
    ]);
    await client.tables.get('t1');
    assert.equal(server.requests.length, 2);
  });

  it('refuses data that is not what its encoding says', async () => {
    for (const encoding of ['gzip', 'br', 'snappy']) {
      const { client } = await start([{ headers: { 'content-encoding': encoding }, body: text }]);
      await assert.rejects(client.tables.get('t1'), { code: 'response_format' });
    }
  });

  it('stops at the size limit, announced, streamed or unpacked', async () => {
    const large = Buffer.alloc(200_000, 'a');
    const replies: Step[] = [
      { body: large },
      { headers: { 'transfer-encoding': 'chunked' }, body: large },
      { headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync(large) },
      { headers: { 'content-encoding': 'br' }, body: zlib.brotliCompressSync(large) },
      {
        headers: { 'content-encoding': 'gzip, gzip' },
        body: zlib.gzipSync(zlib.gzipSync(Buffer.alloc(50_000_000))),
      },
    ];
    for (const reply of replies) {
      const { client, server } = await start([reply], { maxBodyBytes: 100_000 });
      await assert.rejects(client.tables.get('t1'), (error: ResponseFormatError) => {
        assert.equal(error.code, 'response_format');
        assert.match(error.message, /larger than the limit of 100000 bytes/);
        assert.match(error.hint ?? '', /maxBodyBytes/);
        return true;
      });
      assert.equal(server.requests.length, 1, 'not retried');
    }
  });

  it('keeps to the status of a failure whose body is too large or unreadable', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(20_000_000));
    const replies: Step[] = [
      { status: 500, body: Buffer.alloc(2_000_000, 'a') },
      { status: 500, headers: { 'content-encoding': 'gzip' }, body: bomb },
      { status: 500, headers: { 'content-encoding': 'gzip' }, body: 'no gzip' },
      { status: 404, body: Buffer.from([0xff, 0xfe]) },
    ];
    const { client } = await start(replies);
    await assert.rejects(client.tables.get('t1'), { code: 'not_found' });
  });

  it('does not unpack a bomb beyond the limit', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(300_000_000));
    const { client } = await start([{ headers: { 'content-encoding': 'gzip' }, body: bomb }], {
      maxBodyBytes: 1_000_000,
    });
    const before = process.memoryUsage().rss;
    await assert.rejects(client.tables.get('t1'), { code: 'response_format' });
    assert.ok(process.memoryUsage().rss - before < 150_000_000);
  }).timeout(30_000);

  it('skips a byte order mark and refuses bytes that are not UTF-8', async () => {
    const marked = await start([{ body: `\ufeff${text}` }]);
    assert.equal((await marked.client.tables.get('t1')).id, 't1');
    const broken = await start([{ body: Buffer.from([0x7b, 0xff, 0x7d]) }]);
    await assert.rejects(broken.client.tables.get('t1'), /is not UTF-8/);
  });

  it('speaks over a unix socket, without base URL or proxy', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'prompt-tables-'));
    const socketPath = path.join(folder, 's.sock');
    const server = await startScriptedServer([{ body: text }], socketPath);
    servers.push(server);
    const { client } = makeTestClient({
      socketPath,
      baseURL: 'https://unused.invalid',
      environment: { HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' },
    });
    clients.push(client);
    assert.equal((await client.tables.get('t1')).id, 't1');
    assert.equal(server.requests[0]?.headers.host, 'localhost');
    await rm(folder, { recursive: true, force: true });
  });

  it("goes through a dispatcher of the caller's own, and leaves it open", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const answers = agent.get('https://tables.test');
    const asked = { path: '/v9/api/public/v2/tables/t1', method: 'GET' };
    answers.intercept({ ...asked, headers: { 'x-api-key': 'test-key' } }).reply(200, text);
    answers.intercept(asked).replyWithError(Object.assign(new Error('gone'), { code: 'EPIPE' }));
    answers.intercept(asked).reply(200, text);
    const open = () =>
      makeTestClient({
        baseURL: 'https://tables.test/v9',
        dispatcher: agent,
        environment: { HTTPS_PROXY: 'http://127.0.0.1:1' },
      }).client;
    const first = open();
    assert.equal((await first.tables.get('t1')).id, 't1');
    await first.close();
    const second = open();
    assert.equal((await second.tables.get('t1')).id, 't1', 'after another try');
    await second.close();
    agent.assertNoPendingInterceptors();
    await agent.close();
  });

  it('says that the local service must be started when its socket is missing', async () => {
    const { client } = makeTestClient({ socketPath: '/nonexistent/prompt-tables.sock' });
    clients.push(client);
    await assert.rejects(client.tables.get('t1'), {
      code: 'network',
      hint: /start the local service/,
    });
  });

  it('follows no redirect, which would carry the key elsewhere', async () => {
    const other = await startScriptedServer([{ body: text }]);
    servers.push(other);
    const { client } = await start([
      { status: 302, headers: { location: `${other.url}/x?token=1` } },
    ]);
    await assert.rejects(client.tables.get('t1'), (error: Error) => {
      assert.match(error.message, /redirected \(302\)/);
      assert.doesNotMatch(error.message, /token/);
      return true;
    });
    assert.equal(other.requests.length, 0);
  });
});
