import assert from 'node:assert/strict';
import type { ConnectProxy } from '../../support/http/connect-proxy.ts';
import { startConnectProxy } from '../../support/http/connect-proxy.ts';
import { makeSelfSigned } from '../../support/http/self-signed.ts';
import type { HostedService } from '../support/hosted-service.ts';
import { startHostedService } from '../support/hosted-service.ts';
import { product, run, setting } from '../support/product.ts';
import { until } from '../../support/until.ts';

/** No name server knows it: only a proxy leads there. */
const host = 'prompts.invalid';
const key = 'pl_network_1234567890';
const connect = `CONNECT ${host}:443`;

/** Settings of the network are followed while VS Code runs: nothing is loaded anew by hand. */
describe('network settings', function () {
  this.timeout(60_000);
  let service: HostedService;
  let first: ConnectProxy;
  let second: ConnectProxy;
  let id: string;
  const putBack: (() => Promise<void>)[] = [];

  before(async () => {
    service = await startHostedService(makeSelfSigned([host]));
    service.accept(key);
    [first, second] = await Promise.all([
      startConnectProxy({ target: service }),
      startConnectProxy({ target: service }),
    ]);
    putBack.push(await setting('http.proxy', first.url));
    putBack.push(await setting('http.proxyStrictSSL', false));
    const api = await product();
    id = await api.addConnection({ name: 'Behind a proxy', baseURL: `https://${host}` }, key);
    await api.useConnection(id);
  });

  after(async () => {
    for (const back of putBack) await back();
    const api = await product();
    await api.removeConnection(id);
    await run('promptTables.useLocal');
    await Promise.all([service.stop(), first.close(), second.close()]);
  });

  const labels = async (): Promise<readonly string[]> =>
    (await (await product()).tree()).map(({ label }) => label);
  const isLoaded = async (): Promise<boolean> => (await labels()).join() === 'Hosted table';

  it('send requests through http.proxy', async () => {
    assert.deepEqual(await labels(), ['Hosted table']);
    assert.deepEqual(new Set(first.requests), new Set([connect]));
  });

  it('send the next request through another proxy once that is set', async () => {
    await setting('http.proxy', second.url);
    await run('promptTables.refresh');
    assert.deepEqual(await labels(), ['Hosted table']);
    assert.deepEqual(new Set(second.requests), new Set([connect]));
    // What had been asked before the change has come to its end; nothing new goes there.
    const before = first.requests.length;
    await run('promptTables.refresh');
    assert.deepEqual(await labels(), ['Hosted table']);
    assert.equal(first.requests.length, before);
  });

  it('do not trust a certificate any more once http.proxyStrictSSL is on', async () => {
    await setting('http.proxyStrictSSL', true);
    await run('promptTables.clearFilter');
    const refused = await until('the certificate to be refused', async () =>
      (await labels()).find((label) => label !== 'Hosted table'),
    );
    assert.match(refused, /A secure connection could not be made: .*self-signed certificate/);
    await setting('http.proxyStrictSSL', false);
    await until('the table to come back', isLoaded);
  });

  it('go past the proxy to what http.noProxy names, and through it again', async () => {
    const api = await product();
    const back = await setting('http.noProxy', [host]);
    const before = second.requests.length;
    const asked = run('promptTables.refresh');
    // Long enough for a request that takes the proxy.
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(second.requests.length, before);
    // Ends the request, which is tried again and again on its own.
    await api.useConnection('local');
    await asked;
    await back();
    await api.useConnection(id);
    await until('the table to come back', isLoaded);
    assert.ok(second.requests.length > before);
  });
});
