import assert from 'node:assert/strict';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { allRoutes } from '../../src/service/routes/all.ts';
import type { Api, SheetPlace } from './support/api.ts';
import { tablesPath } from './support/api.ts';
import { exchange } from './support/exchange.ts';
import { RunningService } from './support/running-service.ts';
import { until } from '../support/until.ts';

const someId = '11111111-1111-4111-8111-111111111111';
const fill = (path: string): string => path.replaceAll(/\{\w+\}/g, someId);

describe('Who may call the service', () => {
  let service: RunningService;
  let api: Api;
  let sheet: SheetPlace;
  const endpoints: Endpoint[] = allRoutes.map(({ endpoint }) => endpoint);
  before(async () => {
    service = await RunningService.start();
    api = service.api;
    sheet = await api.newSheet();
  });
  after(() => service.stop());

  it('asks every path for the key, known or not', async () => {
    const strangers = [
      service.withKey(''),
      service.withKey('wrong'),
      service.withKey('key-of-workspace-11'),
    ];
    const paths: [string, string][] = [
      ...endpoints.map(({ method, path }): [string, string] => [method, fill(path)]),
      ['GET', '/openapi.json'],
      ['GET', '/_local/health'],
      ['GET', '/_local/hold'],
      ['GET', '/nothing'],
      ['OPTIONS', tablesPath],
      ['PUT', tablesPath],
    ];
    for (const stranger of strangers) {
      for (const [method, path] of paths) {
        const { success, error, code } = await stranger.expect(401, method, path);
        assert.equal(success, false);
        // Where official clients show `error`, it has the sentence, and `code` the word.
        assert.equal(code ?? error, 'unauthorized', `${method} ${path}`);
      }
    }
  });

  it('answers only under the names of this machine', async () => {
    const { port } = new URL(service.ready.url!);
    const ask = (lines: string[]): Promise<string> =>
      exchange(
        Number(port),
        [
          `GET ${tablesPath} HTTP/1.1`,
          ...lines,
          'X-API-KEY: key-of-workspace-1',
          'Connection: close',
          '',
          '',
        ].join('\r\n'),
      );
    for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', `[::1]:${port}`]) {
      assert.match(await ask([`Host: ${host}`]), /^HTTP\/1.1 200 /, host);
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.nip.io',
      '10.0.0.1',
      'localhost@evil',
    ]) {
      assert.match(await ask([`Host: ${host}`]), /^HTTP\/1.1 40[03] /, host);
    }
    assert.match(await ask([]), /^HTTP\/1.1 40[03] /);
    for (const origin of ['https://evil.example', 'null', 'http://localhost']) {
      const answer = await ask([`Host: 127.0.0.1:${port}`, `Origin: ${origin}`]);
      assert.match(answer, /^HTTP\/1.1 403 /, origin);
      assert.ok(!/access-control/i.test(answer));
    }
  });

  it('does not tell one wrong key from another, and writes none to its log', async () => {
    await service.withKey('a-secret-in-no-log').call('GET', tablesPath);
    await api.get(`${tablesPath}?name=a-name-in-no-log`);
    await until('it is in the log', () => service.log.includes('Request refused'));
    for (const secret of ['a-secret-in-no-log', 'a-name-in-no-log', 'key-of-workspace-1']) {
      assert.ok(!service.log.includes(secret), secret);
    }
  });

  it('gives every answer a request id', async () => {
    for (const path of [tablesPath, '/nothing', `${tablesPath}/x`, '/_local/health']) {
      const { headers } = await api.call('GET', path);
      assert.match(String(headers['x-request-id']), /^[\da-f-]{36}$/);
    }
  });

  it('never fails on a body that it can not read', async () => {
    const bodies = [
      '',
      '{',
      '{"a":',
      '[]',
      'null',
      '"text"',
      '5',
      '\u0000',
      '{"__proto__":{"x":1}}',
      '{"title":{"$ne":1}}',
      `{"title":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      '{"config":{"a":1e999}}',
      '<html></html>',
      '{"values":[{"a":1}],"count":1e9}',
      '{"cell_ids":"x"}',
      '{"row_indices":[1e300]}',
      '{"row_ids":[1e300]}',
    ];
    const raw: (string | Uint8Array)[] = [...bodies, new Uint8Array([0xff, 0xfe, 0x80])];
    const places = { table_id: sheet.tableId, sheet_id: sheet.sheetId, column_id: sheet.columnId };
    for (const { method, path } of endpoints.filter(
      (one) => one.method === 'POST' || one.method === 'PATCH',
    )) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        name in places ? places[name as keyof typeof places] : someId,
      );
      for (const body of raw) {
        const answer = await api.call(method, filled, undefined, { raw: body });
        assert.ok(
          answer.status < 500,
          `${method} ${path} ${String(body).slice(0, 40)}: ${answer.text}`,
        );
        if (answer.status === 422) assert.ok(Array.isArray(answer.body.detail));
        else if (answer.status >= 400) assert.equal(answer.body.success, false);
      }
    }
  });

  it('refuses bodies over the limit and goes on', async () => {
    const large = JSON.stringify({ title: 'x'.repeat(11 * 1024 * 1024) });
    const declared = await api
      .call('POST', tablesPath, undefined, { raw: large })
      .catch(() => undefined);
    if (declared !== undefined) {
      assert.equal(declared.status, 413);
      assert.equal(declared.body.success, false);
    }
    const { port } = new URL(service.ready.url!);
    const head = `POST ${tablesPath} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: key-of-workspace-1\r\n`;
    const answer = await exchange(Number(port), `${head}Content-Length: 99999999999\r\n\r\n{`);
    assert.match(answer, /^HTTP\/1.1 413 /);
    await api.get(tablesPath);
  });

  it('answers in JSON also where no route can be looked for', async () => {
    const { port } = new URL(service.ready.url!);
    const [key, end] = ['Connection: close\r\nX-API-KEY: key-of-workspace-1\r\n', '\r\n'];
    const get = `GET ${tablesPath} HTTP/1.1\r\n`;
    const odd: readonly (readonly [what: string, request: string, status: number])[] = [
      ['no Host', `${get}${key}${end}`, 400],
      ['HTTP/1.0 without Host', `GET ${tablesPath} HTTP/1.0\r\n${key}${end}`, 400],
      ['an empty Host', `${get}Host:\r\n${key}${end}`, 400],
      ['a Host with blanks', `${get}Host: local host\r\n${key}${end}`, 400],
      ['a Host with a path', `${get}Host: localhost/x\r\n${key}${end}`, 400],
      ['a Host with a user', `${get}Host: me@localhost\r\n${key}${end}`, 400],
      ['a port that is none', `${get}Host: localhost:99999\r\n${key}${end}`, 400],
      ['an unknown Expect', `${get}Host: localhost\r\nExpect: x\r\n${key}${end}`, 417],
      ['no HTTP', `nonsense\r\n${end}`, 400],
      ['a backslash', `GET /a\\b HTTP/1.1\r\nHost: localhost\r\n${key}${end}`, 400],
      ['an absolute address that is none', `GET http://[ HTTP/1.1\r\nHost: a\r\n${key}${end}`, 400],
      ['another host', `${get}Host: evil.example\r\n${key}${end}`, 403],
    ];
    for (const [what, request, status] of odd) {
      const answer = await exchange(Number(port), request);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1\\.[01] ${String(status)} `), `${what}: ${answer}`);
      assert.match(head, /content-type: application\/json/i, what);
      assert.match(head, /x-request-id: [0-9a-f-]{36}/i, what);
      const json = /\{.*\}/s.exec(body)?.[0] ?? '';
      const { success, message, error } = JSON.parse(json) as Record<string, unknown>;
      assert.equal(success, false, what);
      assert.ok(typeof message === 'string' && typeof error === 'string', what);
    }
    await api.get(tablesPath);
  });

  it('answers 404, 405 and OPTIONS as the paths are', async () => {
    await api.expect(404, 'GET', '/');
    await api.expect(404, 'GET', '/api/public/v2/nothing');
    await api.expect(404, 'GET', '/api/public/v2/tables/../../../etc/passwd');
    const { headers } = await api.call('PUT', tablesPath);
    assert.equal(headers['allow'], 'GET, POST, HEAD, OPTIONS');
    const options = await api.call('OPTIONS', tablesPath);
    assert.equal(options.status, 204);
    assert.equal(options.headers['access-control-allow-origin'], undefined);
    const head = await api.call('HEAD', tablesPath);
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
  });

  it('describes itself, endpoint by endpoint', async () => {
    const document = await api.get('/openapi.json');
    assert.equal(document.openapi, '3.1.0');
    for (const { path, method, name } of endpoints) {
      assert.equal(document.paths[path]?.[method.toLowerCase()]?.operationId, name);
    }
  });

  it('compresses large answers on a port when asked', async () => {
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 100 });
    const plain = await api.call('GET', `${sheet.path}/rows`);
    assert.equal(plain.headers['content-encoding'], undefined);
    const answer = await api.call('GET', `${sheet.path}/rows`, undefined, {
      headers: { 'accept-encoding': 'gzip' },
    });
    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.equal(answer.headers['vary'], 'accept-encoding');
  });
});
