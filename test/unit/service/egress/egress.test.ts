import assert from 'node:assert/strict';
import type { lookup } from 'node:dns';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { AllowedHosts } from '../../../../src/service/egress/allowed-hosts.ts';
import { isPublicAddress, plainAddress } from '../../../../src/service/egress/addresses.ts';
import { Egress } from '../../../../src/service/egress/egress.ts';

const isAllowed = (entries: string, url: string): boolean =>
  new AllowedHosts(entries.split(',')).allowsUrl(new URL(url));

describe('addresses', () => {
  it('of machines, networks and metadata services are not public', () => {
    for (const address of [
      ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0'],
      ...['100.64.0.1', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fd00::1'],
      ...['::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1', '2001::1', 'ff02::1'],
    ]) {
      assert.equal(isPublicAddress(plainAddress(address)), false, address);
    }
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8']) {
      assert.equal(isPublicAddress(plainAddress(address)), true, address);
    }
  });
});

describe('allowed hosts', () => {
  it('are those that are listed, with their ports', () => {
    assert.equal(isAllowed('', 'https://example.com/'), false);
    assert.equal(isAllowed('example.com', 'https://EXAMPLE.com./x'), true);
    assert.equal(isAllowed('example.com', 'https://a.example.com/'), false);
    assert.equal(isAllowed('example.com', 'https://example.com.evil.org/'), false);
    assert.equal(isAllowed('example.com:8443', 'https://example.com/'), false);
    assert.equal(isAllowed('example.com:443', 'https://example.com/'), true);
    assert.equal(isAllowed('*.example.com', 'https://a.example.com/'), true);
    assert.equal(isAllowed('*.example.com', 'https://badexample.com/'), false);
  });

  it('are only public ones with *, and addresses in any spelling only when listed', () => {
    assert.equal(isAllowed('*', 'https://example.com/'), true);
    for (const url of [
      ...['http://127.0.0.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://[::1]/'],
      ...['http://[::ffff:7f00:1]/', 'http://169.254.169.254/', 'http://localhost/'],
    ]) {
      assert.equal(isAllowed('*', url), false, url);
    }
    assert.equal(isAllowed('127.0.0.1:80', 'http://2130706433/'), true);
    assert.equal(isAllowed('127.0.0.1:80', 'http://127.0.0.1:81/'), false);
    assert.equal(isAllowed('10.0.0.0/8', 'http://10.9.8.7:5000/'), true);
    assert.equal(isAllowed('[::1]:8080', 'http://[0:0::1]:8080/'), true);
  });

  it('do not let a name lead to an address that is not listed', () => {
    const hosts = new AllowedHosts(['*', 'intranet.example', 'localhost', '10.0.0.5']);
    assert.equal(hosts.allowsAddress('intranet.example', '10.0.0.5'), true);
    assert.equal(hosts.allowsAddress('intranet.example', '10.0.0.6'), false);
    assert.equal(hosts.allowsAddress('intranet.example', '127.0.0.1'), false);
    assert.equal(hosts.allowsAddress('localhost', '127.0.0.1'), true);
    assert.equal(hosts.allowsAddress('localhost', '::ffff:10.0.0.6'), false);
  });

  it('refuse what is no host', () => {
    for (const entry of ['http://example.com', 'a b', '10.0.0.0/33', 'a/b', 'user@host']) {
      assert.throws(() => new AllowedHosts([entry]), /PROMPT_TABLES_ALLOWED_HOSTS/, entry);
    }
  });
});

describe('egress', () => {
  type Handler = (request: IncomingMessage, response: ServerResponse) => void;
  let handler: Handler;
  beforeEach(() => {
    handler = (_request, response) => response.end();
  });
  const server = createServer((request, response) => handler(request, response));
  let port = 0;
  let asked = 0;
  before(async () => {
    server.on('connection', () => (asked += 1));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** A DNS in which every name leads to this machine. */
  const toHere = ((_host: string, _options: object, done: (...answer: unknown[]) => void) => {
    done(null, [{ address: '127.0.0.1', family: 4 }]);
  }) as unknown as typeof lookup;

  const send = async (
    egress: Egress,
    url: string,
    headers: Readonly<Record<string, string>> = {},
    signal = new AbortController().signal,
  ) => {
    try {
      return await egress.send({ url, method: 'POST', headers, body: '{}', signal });
    } finally {
      await egress.close();
    }
  };

  it('does not connect where a name has been led astray', async () => {
    const before = asked;
    for (const hosts of [['*'], ['rebound.example']]) {
      const egress = new Egress(hosts, toHere);
      await assert.rejects(
        send(egress, `http://rebound.example:${String(port)}/?key=secret`),
        (error: Error) =>
          /rebound\.example.*not public/.test(error.message) && !/secret/.test(error.message),
      );
    }
    assert.equal(asked, before);
    const egress = new Egress(['rebound.example', '127.0.0.1'], toHere);
    assert.equal((await send(egress, `http://rebound.example:${String(port)}/`)).status, 200);
  });

  it('checks every redirect, and keeps keys from other hosts', async () => {
    const seen: (string | undefined)[] = [];
    handler = (request, response) => {
      seen.push(request.headers['x-key'] as string | undefined);
      const to = new Map([
        ['/in', 'http://other.example:1/'],
        ['/on', `http://b.example:${String(port)}/end`],
      ]);
      const location = to.get(request.url ?? '');
      if (location === undefined) response.end(request.method);
      else response.writeHead(302, { location }).end();
    };
    const hosts = ['a.example', 'b.example', '127.0.0.1'];
    const at = `http://a.example:${String(port)}`;
    const headers = { 'x-key': 'secret' };
    await assert.rejects(send(new Egress(hosts, toHere), `${at}/in`, headers), /other\.example/);
    const answer = await send(new Egress(hosts, toHere), `${at}/on`, headers);
    assert.equal(answer.text, 'GET', 'As every browser does it after a POST.');
    assert.deepEqual(seen, ['secret', 'secret', undefined]);
    handler = (_request, response) => response.writeHead(302, { location: '/' }).end();
    await assert.rejects(send(new Egress(hosts, toHere), `${at}/`), /redirects too often/);
  });

  it('stops at answers without end, packed ones too, and when it is cancelled', async () => {
    const here = ['127.0.0.1'];
    const url = `http://127.0.0.1:${String(port)}/`;
    handler = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(20 * 2 ** 20)));
    };
    await assert.rejects(send(new Egress(here), url), /larger than 8 MiB/);
    handler = (_request, response) => response.write('x');
    const abort = new AbortController();
    const sending = send(new Egress(here), url, {}, abort.signal);
    setTimeout(() => abort.abort(), 100);
    await assert.rejects(sending, { name: 'AbortError' });
  });

  it('knows only the web', () => {
    const egress = new Egress(['*']);
    for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'nonsense', 'http://u:p@a.b/']) {
      assert.throws(() => egress.check(url), { code: 'invalid_config' }, url);
    }
    assert.throws(() => new Egress([]).check('https://example.com/'), { code: 'not_allowed' });
  });
});
