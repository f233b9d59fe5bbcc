import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import zlib from 'node:zlib';
import type { PromptTablesError } from '../../../../src/core/errors.ts';
import { isPromptTablesError } from '../../../../src/core/errors.ts';
import type { Client } from '../../../../src/core/client.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { TestClient } from '../../../support/http/client.ts';
import { makeSelfSigned } from '../../../support/http/self-signed.ts';
import { sse, startFakeProvider } from '../../../support/providers/fake-provider.ts';
import type { FakeProvider, ProviderScript } from '../../../support/providers/fake-provider.ts';
import type { FakeService } from '../../../support/providers/fake-service.ts';
import { startFakeService } from '../../../support/providers/fake-service.ts';

const whole = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-test',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
};
const chunk = {
  ...whole,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }],
};

const last = {
  ...chunk,
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
};

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly status?: number | undefined;
  readonly errorType?: string;
  readonly partial?: PromptTablesError['partial'];
}

/** A server that knows no HTTP: each connection gets what the test does with it. */
async function startRaw(
  behave: (socket: Socket) => void,
): Promise<{ readonly url: string; readonly connections: () => number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server: Server = net.createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => behave(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('core: faults on the way to a provider', () => {
  let service: FakeService;
  let test: TestClient;
  const open: { close(): Promise<void> }[] = [];

  const clientFor = async (url: string, options: object = {}): Promise<Client> => {
    service = await startFakeService();
    open.push(service);
    test = makeTestClient({
      baseURL: service.url,
      providerEnvironment: (name) =>
        ({ OPENAI_API_KEY: 'sk-canary-key', OPENAI_BASE_URL: `${url}/v1` })[name],
      ...options,
    });
    return test.client;
  };
  const provide = async (script: ProviderScript, options: object = {}) => {
    const provider: FakeProvider = await startFakeProvider(script);
    open.push(provider);
    return { provider, client: await clientFor(provider.url, options) };
  };
  const raw = async (behave: (socket: Socket) => void, options: object = {}) => {
    const server = await startRaw(behave);
    open.push(server);
    return { server, client: await clientFor(server.url, options) };
  };
  afterEach(async () => {
    await test.client.close();
    assert.equal(test.clock.pending, 0, 'no timer is left');
    await Promise.all(open.splice(0).map((server) => server.close()));
  });

  const run = (client: Client): Promise<unknown> => client.run({ promptName: 'greeting' });
  const stream = async (client: Client, onItem = (): void => undefined): Promise<number> => {
    let count = 0;
    for await (const item of await client.run({ promptName: 'greeting', stream: true })) {
      count += Object.keys(item).length;
      onItem();
    }
    return count;
  };
  const failureOf = (work: Promise<unknown>): Promise<Failure> =>
    work.then(
      () => assert.fail('it worked'),
      (error: unknown) => {
        assert.ok(isPromptTablesError(error), String(error));
        assert.doesNotMatch(JSON.stringify([error, error.message, error.stack]), /canary/);
        return error;
      },
    );

  const ways = [
    ['whole', run],
    ['streamed', stream],
  ] as const;

  for (const [what, behave] of [
    ['is reset before the headers', (socket: Socket) => socket.resetAndDestroy()],
    ['is closed before the headers', (socket: Socket) => socket.destroy()],
    ['is half-open: closed for writing', (socket: Socket) => socket.end()],
    [
      'breaks inside the headers',
      (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-ty', () => socket.destroy()),
    ],
    ['is not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
  ] as const) {
    for (const [way, ask] of ways) {
      it(`${way}: tries three times when the connection ${what}, and logs one failure`, async () => {
        const { server, client } = await raw((socket) => void behave(socket));
        const error = await failureOf(ask(client));
        assert.equal(error.code, 'network');
        assert.equal(server.connections(), 3);
        assert.deepEqual(test.clock.waits, [500, 1000]);
        assert.deepEqual(
          service.tracked.map(({ status }) => status),
          ['ERROR'],
        );
      });
    }
  }

  it('does not try a whole answer again that breaks in the middle: it was paid for', async () => {
    const { provider, client } = await provide(() => ({ pieces: ['{"id":'], then: 'reset' }));
    const error = await failureOf(run(client));
    assert.equal(error.code, 'network');
    assert.equal(provider.requests.length, 1);
  });

  for (const [what, script] of [
    ['is reset', () => ({ pieces: [sse([chunk])], then: 'reset' })],
    [
      'ends in the midst of its gzip data',
      () => ({
        headers: { 'content-encoding': 'gzip' },
        pieces: [zlib.gzipSync(sse([chunk, chunk]), { level: 0 }).subarray(0, -20)],
      }),
    ],
    [
      'goes on as something else',
      () => ({ pieces: [sse([chunk]), 'data: {"choices": [nonsense\n\n'] }),
    ],
  ] as const satisfies readonly (readonly [string, ProviderScript])[]) {
    it(`logs what had come of a stream that ${what}, and does not ask again`, async () => {
      const { provider, client } = await provide(script);
      const seen: string[] = [];
      const error = await failureOf(
        (async () => {
          for await (const item of await client.run({ promptName: 'greeting', stream: true })) {
            seen.push(JSON.stringify(item.prompt_blueprint));
          }
        })(),
      );
      assert.match(seen[0] ?? '', /"text":"Hi"/);
      assert.ok(['network', 'provider'].includes(error.code), error.code);
      assert.equal(provider.requests.length, 1);
      const [tracked, ...more] = service.tracked;
      assert.equal(more.length, 0);
      assert.equal(tracked?.['error_type'], 'PROVIDER_PARTIAL_RESPONSE');
      assert.match(JSON.stringify(tracked['request_response']), /"content":"Hi/);
      assert.deepEqual(error.partial?.raw_response, tracked['request_response']);
      assert.equal(error.partial?.request_id, 1001);
    });
  }

  it('gives up a slow loris after the longest silence, and closes the socket', async () => {
    const { provider, client } = await provide(() => ({ pieces: [sse([chunk])], then: 'hang' }), {
      providerTimeoutMs: 20_000,
    });
    // Once the first piece is there, and more is waited for.
    const pass = (): void => void setImmediate(() => test.clock.pass(20_000));
    const error = await failureOf(stream(client, pass));
    assert.equal(error.code, 'timeout');
    await provider.requests[0]?.closed;
    assert.equal(service.tracked[0]?.['error_type'], 'PROVIDER_PARTIAL_RESPONSE');
  });

  for (const [way, ask] of ways) {
    it(`${way}: gives up a provider that accepts and never answers, and says so`, async () => {
      const { client } = await raw(() => setImmediate(() => test.clock.pass(20_000)), {
        providerTimeoutMs: 20_000,
      });
      const error = await failureOf(ask(client));
      assert.equal(error.code, 'timeout');
      assert.equal(service.tracked[0]?.['error_type'], 'PROVIDER_TIMEOUT');
    });

    it(`${way}: does not unpack a bomb beyond the limit`, async () => {
      const bomb = zlib.gzipSync(Buffer.alloc(50_000_000, 32));
      const { provider, client } = await provide(
        () => ({ headers: { 'content-encoding': 'gzip' }, body: bomb }),
        { maxBodyBytes: 1_000_000 },
      );
      const error = await failureOf(ask(client));
      assert.equal(error.code, 'response_format');
      assert.equal(provider.requests.length, 1);
    });
  }

  for (const [way, ask] of ways)
    it(`${way}: takes no key to where a redirect points`, async () => {
      const elsewhere = await startFakeProvider(() => ({ body: whole }));
      open.push(elsewhere);
      const { provider, client } = await provide(() => ({
        status: 307,
        headers: { location: `${elsewhere.url}/v1/chat/completions` },
        body: '',
      }));
      const error = await failureOf(ask(client));
      assert.equal(error.status, 307);
      assert.equal(provider.requests.length, 1);
      assert.equal(elsewhere.requests.length, 0);
    });

  for (const [way, ask] of ways)
    it(`${way}: waits as long as Retry-After asks, then goes on`, async () => {
      const { client } = await provide(({ json }, count) =>
        count === 1
          ? {
              status: 429,
              headers: { 'retry-after': '7' },
              body: { error: { message: 'Slow down.' } },
            }
          : json['stream'] === true
            ? { pieces: [sse([chunk, last], { done: true })] }
            : { body: whole },
      );
      await ask(client);
      assert.deepEqual(test.clock.waits, [7_000]);
    });

  it('does not wait longer than a minute for a provider', async () => {
    const { provider, client } = await provide(() => ({
      status: 429,
      headers: { 'retry-after': '3600' },
      body: { error: { message: 'Tomorrow.' } },
    }));
    const error = await failureOf(run(client));
    assert.equal(error.errorType, 'PROVIDER_RATE_LIMIT');
    assert.equal(provider.requests.length, 1);
  });

  for (const [way, ask] of ways)
    it(`${way}: keeps to its certificate, names the setting and does not try again`, async () => {
      let count = 0;
      const secure = https.createServer(makeSelfSigned(['localhost']), (_request, response) => {
        count += 1;
        response.end('{}');
      });
      secure.listen(0, '127.0.0.1');
      await once(secure, 'listening');
      open.push({
        close: async () => {
          secure.closeAllConnections();
          secure.close();
          await once(secure, 'close');
        },
      });
      const { port } = secure.address() as AddressInfo;
      const client = await clientFor(`https://127.0.0.1:${port}`);
      const error = await failureOf(ask(client));
      assert.equal(error.code, 'configuration');
      assert.equal(count, 0);
      assert.deepEqual(test.clock.waits, []);
    });

  for (const [way, ask] of ways)
    it(`${way}: says that a name is unknown`, async () => {
      const client = await clientFor('http://no-such-host.invalid');
      const error = await failureOf(ask(client));
      assert.equal(error.code, 'network');
      assert.match(error.message, /no-such-host\.invalid/);
    });

  for (const [way, ask] of ways)
    it(`${way}: says that nothing listens`, async () => {
      const gone = http.createServer();
      gone.listen(0, '127.0.0.1');
      await once(gone, 'listening');
      const { port } = gone.address() as AddressInfo;
      gone.close();
      await once(gone, 'close');
      const client = await clientFor(`http://127.0.0.1:${port}`);
      const error = await failureOf(ask(client));
      assert.equal(error.code, 'network');
      assert.equal(test.clock.waits.length, 2);
    });

  for (const [way, ask] of ways) {
    for (const body of [
      '<html>Sign in</html>',
      '\ufeff\n <!doctype html>\n',
      'upstream not ready\n',
    ]) {
      it(`${way}: does not take ${JSON.stringify(body)} for an answer`, async () => {
        // In pieces of a byte: however it is cut.
        const pieces = [...Buffer.from(body)].map((byte) => Uint8Array.of(byte));
        const { client } = await provide(() => ({
          headers: { 'content-type': 'text/html' },
          pieces,
        }));
        const error = await failureOf(ask(client));
        assert.equal(error.code, 'provider');
        assert.equal(error.message, 'The answer of openai is not JSON.');
        assert.equal(error.partial, undefined);
      });
    }
  }

  it('reads all events of a server that sends them as one list', async () => {
    const { client } = await provide(() => ({ body: JSON.stringify([chunk, last]) }));
    const texts: unknown[] = [];
    for await (const item of await client.run({ promptName: 'greeting', stream: true }))
      texts.push(item.prompt_blueprint['prompt_template']);
    assert.match(JSON.stringify(texts), /"text":"Hi"/);
  });
});
