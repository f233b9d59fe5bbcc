import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeTestClient } from '../../../support/http/client.ts';
import { startConnectProxy } from '../../../support/http/connect-proxy.ts';
import { makeSelfSigned } from '../../../support/http/self-signed.ts';
import type { FakeWorkflowsScript } from '../../../support/workflows/fake-workflows.ts';
import { startFakeWorkflows } from '../../../support/workflows/fake-workflows.ts';

/** Only the realtime channel knows the result. */
const reported: FakeWorkflowsScript = {
  results: () => ({ status: 202, body: {} }),
  subscribed: (subscriber) => subscriber.complete({ final_output: 'told' }),
};

describe('core: the realtime channel goes the way of every other request', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it('over a Unix socket', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = await mkdtemp(path.join(tmpdir(), 'prompt-tables-ws-'));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    const service = await startFakeWorkflows(reported, { at: path.join(folder, 's.sock') });
    const { client } = makeTestClient({ socketPath: service.url });
    closers.push(
      () => service.close(),
      () => client.close(),
    );
    assert.equal(await client.runWorkflow({ workflowName: 'w' }), 'told');
    assert.equal(service.channels, 1);
  });

  const certificate = makeSelfSigned(['localhost', 'tables.test']);
  const secure = async () => {
    const service = await startFakeWorkflows(reported, {
      makeServer: (handler) => https.createServer(certificate, handler),
    });
    closers.push(() => service.close());
    return { service, port: Number(new URL(service.url).port) };
  };

  it('over TLS, with the certificates that are trusted', async () => {
    const { service, port } = await secure();
    const { client } = makeTestClient({
      baseURL: `https://localhost:${port}`,
      proxy: { ca: certificate.cert },
    });
    closers.push(() => client.close());
    assert.equal(await client.runWorkflow({ workflowName: 'w' }), 'told');
    assert.equal(service.channels, 1);
  });

  it('through a proxy', async () => {
    const { service, port } = await secure();
    const proxy = await startConnectProxy({ target: { port } });
    closers.push(() => proxy.close());
    const { client } = makeTestClient({
      baseURL: 'https://tables.test',
      proxy: { url: proxy.url, ca: certificate.cert },
    });
    closers.push(() => client.close());
    assert.equal(await client.runWorkflow({ workflowName: 'w' }), 'told');
    assert.equal(service.channels, 1);
    assert.ok(proxy.requests.every((request) => request === 'CONNECT tables.test:443'));
    assert.ok(proxy.requests.length >= 2, 'a tunnel of its own for the channel');
  });
});
