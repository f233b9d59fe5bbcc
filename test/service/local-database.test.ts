import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Variables } from '../../src/extension/shell/local-access.ts';
import { newPostgresDatabase, type OwnDatabase } from '../support/postgres.ts';
import { saying } from '../support/providers/chat.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { apiOf, askModel, Desktop, environments, KeptAddresses } from './support/windows.ts';
import type { Api, Json } from './support/api.ts';

const titles = async (api: Api): Promise<string[]> => {
  const { data } = await api.get('/api/public/v2/tables');
  return data.map((table: Json) => table.title).sort();
};
const makeTable = (api: Api, title: string) =>
  api.expect(201, 'POST', '/api/public/v2/tables', { title });

describe('The local workspace in a PostgreSQL database', function () {
  this.timeout(120_000);
  let database: OwnDatabase;
  const desktops: Desktop[] = [];
  const newDesktop = (): Desktop => {
    const desktop = new Desktop();
    desktops.push(desktop);
    return desktop;
  };

  beforeEach(async () => {
    database = await newPostgresDatabase({ hasSchema: true });
  });
  afterEach(async () => {
    await Promise.all(desktops.splice(0).map((desktop) => desktop.close()));
    await database.drop();
  });

  it('is there for all windows when one has named it, and the folder stays as it was', async () => {
    const desktop = newDesktop();
    const addresses = new KeptAddresses();
    const first = desktop.open({ addresses });
    await makeTable(await apiOf(first), 'in the folder');
    await first.keepIn(database.url);
    assert.deepEqual(await titles(await apiOf(first)), []);
    await makeTable(await apiOf(first), 'in the database');
    const second = desktop.open({ addresses });
    assert.deepEqual(await titles(await apiOf(second)), ['in the database']);
    assert.notEqual((await first.access()).database, undefined);
    await first.keepIn(undefined);
    assert.deepEqual(await titles(await apiOf(first)), ['in the folder']);
    assert.equal(addresses.kept.size, 0, 'An address that is not used any more is forgotten.');
  });

  it('keeps the password out of files and of what the service starts', async function () {
    if (process.platform !== 'linux') this.skip();
    const password = 'pg-canary-password';
    const named = new URL(database.url);
    // The server of the tests trusts this machine, and asks for no password.
    named.password = password;
    const desktop = newDesktop();
    const window = desktop.open({ addresses: new KeptAddresses() });
    await window.keepIn(named.href);
    const api = await apiOf(window);
    const sheet = await api.sheetOf('Word\nhello');
    const config = { language: 'JAVASCRIPT', code: 'return 1;' };
    const body = { title: 'Code', type: 'CODE_EXECUTION', config };
    await api.expect(201, 'POST', `${sheet.path}/columns`, body);
    await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    const pid = (await window.pid()) ?? 0;
    for (const [child, environment] of environments(pid)) {
      if (child !== pid) assert.ok(!environment.includes(password), `process ${String(child)}`);
    }
    for (const name of fs.readdirSync(desktop.dataPath)) {
      const file = path.join(desktop.dataPath, name);
      if (!fs.statSync(file).isFile()) continue;
      assert.ok(!fs.readFileSync(file, 'latin1').includes(password), name);
    }
    assert.match(fs.readFileSync(path.join(desktop.dataPath, 'storage.json'), 'utf8'), /"server"/);
  });

  it('changes nothing when the database can not be used, and says why', async () => {
    const desktop = newDesktop();
    const addresses = new KeptAddresses();
    const window = desktop.open({ addresses });
    await makeTable(await apiOf(window), 'in the folder');
    const pid = await window.pid();
    for (const [address, reason] of [
      ['postgres://nobody@127.0.0.1:9/none', /does not answer \(ECONNREFUSED\)/],
      [database.url.replace(/\/[^/]+$/, '/there_is_none'), /doesn't have this database/],
    ] as const) {
      await assert.rejects(window.keepIn(address), reason);
    }
    assert.equal(await window.pid(), pid);
    assert.deepEqual(await titles(await apiOf(window)), ['in the folder']);
    assert.equal(addresses.kept.size, 0);
    assert.ok(!fs.existsSync(path.join(desktop.dataPath, 'storage.json')));
  });

  it('is not replaced by the folder where its address is missing or its file is broken', async () => {
    const desktop = newDesktop();
    const addresses = new KeptAddresses();
    const window = desktop.open({ addresses });
    await window.keepIn(database.url);
    await makeTable(await apiOf(window), 'in the database');
    await desktop.letGo();
    const other = desktop.open();
    await assert.rejects(
      other.access(),
      (error: Error & { readonly hint?: string }) =>
        /is kept in postgres:\/\/.*, and its password isn't/.test(error.message) &&
        /Select Local Workspace Database/.test(error.hint ?? ''),
    );
    fs.writeFileSync(path.join(desktop.dataPath, 'storage.json'), '{"id":');
    await assert.rejects(other.access(), /storage\.json.* can't be read/);
    assert.ok(!fs.existsSync(path.join(desktop.dataPath, 'tables.db')));
    await other.keepIn(database.url);
    assert.deepEqual(await titles(await apiOf(other)), ['in the database']);
  });

  describe('that two people share', () => {
    let provider: FakeProvider;
    beforeEach(async () => {
      provider = await startFakeProvider(saying((asked) => asked.toUpperCase()));
    });
    afterEach(() => provider.close());
    const at = (key: string): Variables => ({
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: `${provider.url}/v1`,
    });

    it('has a workspace for each, whose cells are computed with their own keys only', async () => {
      const [ann, ben] = await Promise.all(
        ['sk-of-ann', 'sk-of-ben'].map(async (key) => {
          const window = newDesktop().open({ keys: at(key), addresses: new KeptAddresses() });
          await window.access();
          return window;
        }),
      );
      assert.ok(ann !== undefined && ben !== undefined);
      await ann.keepIn(database.url);
      await ben.keepIn(database.url);
      const [annApi, benApi] = [await apiOf(ann), await apiOf(ben)];
      await makeTable(annApi, "Ann's");
      assert.deepEqual(await titles(benApi), []);
      const answers = Array.from({ length: 12 }, () => askModel(annApi));
      assert.deepEqual(new Set(await Promise.all(answers)), new Set(['SAY HELLO']));
      const keys = provider.requests.map(({ headers }) => String(headers['authorization']));
      assert.equal(keys.length, 12);
      assert.deepEqual(new Set(keys), new Set(['Bearer sk-of-ann']));
      assert.equal(await askModel(benApi), 'SAY HELLO');
      assert.equal(provider.requests.at(-1)?.headers['authorization'], 'Bearer sk-of-ben');
    });
  });
});
