import assert from 'node:assert/strict';
import type { FakeProvider, ProviderScript } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import type { Api } from './support/api.ts';
import { onSqlite } from './support/backends.ts';
import { SheetRun } from './support/sheet-run.ts';
import { until } from '../support/until.ts';

onSqlite('Endpoint columns', (backend) => {
  let server: FakeProvider;
  let script: ProviderScript = () => ({ body: {} });
  let api: Api;
  let url = '';
  before(async () => {
    server = await startFakeProvider((request, count) => script(request, count));
    url = `${server.url}/price`;
    ({ api } = await backend.start({
      environment: { PROMPT_TABLES_ALLOWED_HOSTS: new URL(server.url).host },
    }));
  });
  after(() => server.close());

  it('send the row, and keep the JSON that is answered', async () => {
    script = ({ json }) => ({ body: { said: `${String(json['Word'])}!`, big: 1 } });
    const sheet = await SheetRun.of(api, 'Word,Other\none,1\ntwo,2');
    const column = await sheet.add('ENDPOINT', { url, headers: { 'X-Key': 'canary-1' } });
    await sheet.run();
    assert.deepEqual(await sheet.value(column, 1), { said: 'two!', big: 1 });
    const request = server.requests.at(-1);
    assert.equal(request?.headers['x-key'], 'canary-1');
    assert.equal(request.headers['content-type'], 'application/json');
    assert.deepEqual(Object.keys(request.json), ['Word', 'Other']);
    // A change of the row makes it stale.
    await sheet.write(sheet.place.columnId, 'three');
    assert.equal((await sheet.cell(column)).status, 'stale');
  });

  it('send only the sources that the config names, in the address of a GET', async () => {
    script = () => ({ body: 'plain' });
    const sheet = await SheetRun.of(api, 'Word,Other\nö&=1,1');
    const config = { url: `${url}?a=b`, method: 'get', input_mappings: { q: 'Word' } };
    const column = await sheet.add('ENDPOINT', config);
    await sheet.run();
    assert.equal(await sheet.value(column), 'plain');
    const { query } = server.requests.at(-1)!;
    assert.deepEqual(
      [...query],
      [
        ['a', 'b'],
        ['q', 'ö&=1'],
      ],
    );
  });

  it('say what went wrong, without keys and addresses', async () => {
    script = ({ headers }) => ({ status: 403, body: `no ${String(headers['authorization'])}` });
    const sheet = await SheetRun.of(api, 'Word\none');
    const headers = { Authorization: 'Bearer canary-key' };
    const refused = await sheet.add('ENDPOINT', { url: `${url}?key=canary`, headers }, 'A');
    const elsewhere = await sheet.add(
      'ENDPOINT',
      { url: 'http://127.0.0.1:9/?canary', sources: ['Word'] },
      'B',
    );
    await sheet.run();
    assert.match(
      String(await sheet.value(refused)),
      /^request_failed: .* answered 403: no \*\*\*$/,
    );
    const value = String(await sheet.value(elsewhere));
    assert.match(value, /^not_allowed: .*127\.0\.0\.1:9.*PROMPT_TABLES_ALLOWED_HOSTS/);
    assert.doesNotMatch(value, /canary/);
    await sheet.refuse('ENDPOINT', { url: 'file:///etc/passwd' });
    await sheet.refuse('ENDPOINT', { url, headers: { Host: 'other.example' } });
  });

  it('end when the operation is cancelled', async () => {
    script = () => new Promise(() => undefined);
    const sheet = await SheetRun.of(api, 'Word\none');
    const column = await sheet.add('ENDPOINT', { url });
    const count = server.requests.length;
    const id = await sheet.start();
    await until('it is asked', () => server.requests.length > count);
    await sheet.cancel(id);
    await server.requests.at(-1)?.closed;
    assert.equal((await sheet.cell(column)).status, 'stale');
  });
});
