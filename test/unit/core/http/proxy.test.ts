import assert from 'node:assert/strict';
import https from 'node:https';
import { inspect } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import type { Client } from '../../../../src/core/client.ts';
import { ConfigurationError } from '../../../../src/core/errors.ts';
import { isLoopback } from '../../../../src/core/http/loopback.ts';
import { chooseProxy, isProxyExempt } from '../../../../src/core/platform/node/proxy.ts';
import type { ClientOptions } from '../../../../src/core/options.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { ConnectProxy } from '../../../support/http/connect-proxy.ts';
import { startConnectProxy } from '../../../support/http/connect-proxy.ts';
import type { ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';
import type { SelfSigned } from '../../../support/http/self-signed.ts';
import { makeSelfSigned } from '../../../support/http/self-signed.ts';

const fine: Step = { body: { success: true, table: { id: 't1', title: 'Words' } } };
const certificate = makeSelfSigned(['tables.test', 'localhost']);

describe('proxy and TLS', () => {
  const open: { close(): Promise<void> }[] = [];
  const clients: Client[] = [];

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(open.splice(0).map((server) => server.close()));
  });

  async function serve(tls?: SelfSigned, steps: readonly Step[] = [fine]): Promise<ScriptedServer> {
    const server = await startScriptedServer(
      steps,
      undefined,
      tls && ((handler) => https.createServer(tls, handler)),
    );
    open.push(server);
    return server;
  }

  async function proxyTo(
    target: ScriptedServer,
    rest: { credentials?: string; refuseWith?: number } = {},
  ): Promise<ConnectProxy> {
    const proxy = await startConnectProxy({ target, ...rest });
    open.push(proxy);
    return proxy;
  }

  function make(options: ClientOptions) {
    const made = makeTestClient(options);
    clients.push(made.client);
    return made;
  }

  it('tunnels https through CONNECT and checks the certificate of the target', async () => {
    const server = await serve(certificate);
    const proxy = await proxyTo(server);
    const { client } = make({
      baseURL: 'https://tables.test',
      proxy: { url: proxy.url, ca: certificate.cert },
    });
    assert.equal((await client.tables.get('t1')).id, 't1');
    assert.deepEqual(proxy.requests, ['CONNECT tables.test:443']);
    for (let call = 0; call < 5; call += 1) await client.tables.get('t1');
    assert.ok(proxy.requests.length <= 2, 'tunnels are kept');
  });

  it('takes the proxy of the environment, in both cases, and NO_PROXY', async () => {
    const server = await serve(certificate);
    const proxy = await proxyTo(server);
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) {
      const { client } = make({
        baseURL: 'https://tables.test:8443',
        environment: { [name]: proxy.url },
        proxy: { ca: [certificate.cert] },
      });
      await client.tables.get('t1');
    }
    assert.deepEqual(proxy.requests, Array(3).fill('CONNECT tables.test:8443'));
    const { client } = make({
      baseURL: 'https://tables.test:8443',
      environment: { HTTPS_PROXY: proxy.url, NO_PROXY: 'other.test, .test' },
    });
    await assert.rejects(client.tables.get('t1'), { code: 'network' });
    const off = make({
      baseURL: 'https://tables.test',
      environment: { HTTPS_PROXY: proxy.url },
      proxy: false,
    });
    await assert.rejects(off.client.tables.get('t1'), { code: 'network' });
    assert.equal(proxy.requests.length, 3);
  });

  it('logs in at the proxy, and keeps the password to itself', async () => {
    const server = await serve(certificate);
    const proxy = await proxyTo(server, { credentials: 'ann:s3cret/pass word' });
    const url = proxy.url.replace('://', '://ann:s3cret%2Fpass%20word@');
    const { client } = make({
      baseURL: 'https://tables.test',
      proxy: { url, ca: certificate.cert },
    });
    await client.tables.get('t1');
    assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);

    const wrong = make({
      baseURL: 'https://tables.test',
      proxy: { url: proxy.url.replace('://', '://ann:wr0ngpassword@'), ca: certificate.cert },
    });
    await assert.rejects(wrong.client.tables.get('t1'), (error: ConfigurationError) => {
      assert.equal(error.code, 'configuration');
      assert.match(error.message, /407/);
      assert.match(error.hint ?? '', /HTTPS_PROXY/);
      assert.doesNotMatch(inspect(error, { depth: Infinity, showHidden: true }), /wr0ngpassword/);
      return true;
    });
    assert.deepEqual(wrong.clock.waits, [], 'a wrong password is not retried');
  });

  it('tries again when the proxy cannot reach the service, not when it forbids it', async () => {
    const server = await serve(certificate);
    const away = make({
      baseURL: 'https://tables.test',
      proxy: { url: (await proxyTo(server, { refuseWith: 502 })).url },
    });
    await assert.rejects(away.client.tables.get('t1'), { code: 'network' });
    assert.deepEqual(away.clock.waits, [2_000, 4_000, 8_000]);
    const forbidden = make({
      baseURL: 'https://tables.test',
      proxy: { url: (await proxyTo(server, { refuseWith: 403 })).url },
    });
    await assert.rejects(forbidden.client.tables.get('t1'), { code: 'configuration' });
    assert.deepEqual(forbidden.clock.waits, []);
  });

  it('sends plain http to the proxy with the whole URL', async () => {
    const server = await serve();
    const proxy = await proxyTo(server, { credentials: 'ann:password1' });
    const { client } = make({
      baseURL: 'http://tables.test',
      proxy: { url: proxy.url.replace('://', '://ann:password1@') },
    });
    await client.tables.get('t1');
    assert.deepEqual(proxy.requests, ['GET http://tables.test/api/public/v2/tables/t1']);
    assert.equal(server.requests[0]?.headers.host, 'tables.test');
    const wrong = make({ baseURL: 'http://tables.test', proxy: { url: proxy.url } });
    await assert.rejects(wrong.client.tables.get('t1'), { code: 'configuration', message: /407/ });
  });

  it('goes to this machine directly unless asked', async () => {
    const server = await serve();
    const proxy = await proxyTo(server);
    const direct = make({
      baseURL: server.url,
      proxy: { url: proxy.url },
      environment: { HTTP_PROXY: proxy.url },
    });
    await direct.client.tables.get('t1');
    assert.equal(proxy.requests.length, 0);
    const asked = make({ baseURL: server.url, proxy: { url: proxy.url, loopback: true } });
    await asked.client.tables.get('t1');
    assert.equal(proxy.requests.length, 1);
  });

  it('says which setting is wrong when the proxy address is no use, and does not retry', async () => {
    const { client, clock } = make({
      baseURL: 'https://tables.test',
      environment: { ALL_PROXY: 'socks5://127.0.0.1:1080' },
    });
    await assert.rejects(client.tables.get('t1'), { code: 'configuration', hint: /HTTPS_PROXY/ });
    assert.deepEqual(clock.waits, []);
  });

  it('refuses a certificate nobody vouches for, clearly and at once', async () => {
    const server = await serve(certificate);
    const { client, clock } = make({ baseURL: `https://localhost:${server.port}` });
    await assert.rejects(client.tables.get('t1'), (error: ConfigurationError) => {
      assert.equal(error.code, 'configuration');
      assert.match(error.message, /SELF_SIGNED|self-signed/);
      assert.match(error.hint ?? '', /proxyStrictSSL/);
      return true;
    });
    assert.deepEqual(clock.waits, []);
  });

  it('refuses a certificate for another host and one that is over', async () => {
    const old = makeSelfSigned(['localhost'], {
      from: new Date('2001-01-01'),
      until: new Date('2002-01-01'),
    });
    const other = makeSelfSigned(['elsewhere.test']);
    for (const [tls, reason] of [
      [old, /expired/i],
      [other, /ALTNAME|altnames/],
    ] as const) {
      const server = await serve(tls);
      const { client } = make({
        baseURL: `https://localhost:${server.port}`,
        proxy: { ca: tls.cert },
      });
      await assert.rejects(client.tables.get('t1'), { code: 'configuration', message: reason });
    }
  });

  it('accepts an extra certificate authority, and any certificate with strictSSL off', async () => {
    const server = await serve(certificate);
    const baseURL = `https://localhost:${server.port}`;
    await make({ baseURL, proxy: { ca: certificate.cert } }).client.tables.get('t1');
    const loose = make({ baseURL, proxy: { strictSSL: false } });
    await loose.client.tables.get('t1');
    assert.match(loose.logger.messages('warn').join(), /not checked/);
  });

  it('does not retry https spoken to an http server', async () => {
    const server = await serve();
    const { client, clock } = make({ baseURL: `https://localhost:${server.port}` });
    await assert.rejects(client.tables.get('t1'), { code: 'configuration' });
    assert.deepEqual(clock.waits, []);
  });
});

describe('chooseProxy', () => {
  const settings = {
    url: 'proxy:3128',
    httpsProxy: undefined,
    httpProxy: undefined,
    noProxy: [],
    loopback: false,
  };

  it('completes a proxy address without a scheme, and names the setting when it is no use', () => {
    const target = new URL('https://api.test');
    assert.equal(chooseProxy(target, settings)?.url.href, 'http://proxy:3128/');
    for (const url of ['socks5://user:hunter22@proxy:1080', 'http://user:hunter22@:bad']) {
      assert.throws(
        () => chooseProxy(target, { ...settings, url }),
        (error: unknown) => {
          assert.ok(error instanceof ConfigurationError);
          assert.match(error.hint ?? '', /http\.proxy/);
          assert.doesNotMatch(inspect(error), /hunter22/);
          return true;
        },
      );
    }
  });

  it('takes the variable of the target scheme', () => {
    const both = { ...settings, url: undefined, httpsProxy: 'http://s:1', httpProxy: 'http://p:2' };
    assert.equal(chooseProxy(new URL('https://a.test'), both)?.url.host, 's:1');
    assert.equal(chooseProxy(new URL('http://a.test'), both)?.url.host, 'p:2');
  });

  it('knows loopback', () => {
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.8.9.1', '[::1]'])
      assert.ok(isLoopback(host), host);
    for (const host of ['localhost.test', '128.0.0.1', '127.example.com', '[::2]'])
      assert.ok(!isLoopback(host), host);
  });

  it('reads every form of no-proxy entry', () => {
    const covered: readonly (readonly [string, string])[] = [
      ['https://api.test', '*'],
      ['https://api.test', 'API.test'],
      ['https://a.api.test', 'api.test'],
      ['https://a.api.test', '.api.test'],
      ['https://a.api.test', '*.api.test'],
      ['https://api.test', 'api.test:443'],
      ['http://api.test:8080', 'api.test:8080'],
      ['http://10.1.2.3', '10.0.0.0/8'],
      ['http://10.1.2.3', '10.1.2.3'],
      ['http://[2001:db8::1]', '2001:db8::/32'],
      ['http://[2001:db8::1]:81', '[2001:db8::1]:81'],
    ];
    for (const [url, entry] of covered)
      assert.ok(isProxyExempt(new URL(url), [entry]), `${url} ${entry}`);
    const apart: readonly (readonly [string, string])[] = [
      ['https://notapi.test', 'api.test'],
      ['https://api.test', 'api.test:8443'],
      ['https://api.test', ''],
      ['http://11.1.2.3', '10.0.0.0/8'],
      ['http://110.1.2.3', '10.1.2.3'],
      ['http://10.1.2.3', '10.0.0.0/99'],
      ['http://1.10.1.2', '10.1.2'],
    ];
    for (const [url, entry] of apart)
      assert.ok(!isProxyExempt(new URL(url), [entry]), `${url} ${entry}`);
  });
});
