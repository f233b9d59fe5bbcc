/** What the shell has set for other programs, in a real VS Code: the local service obeys none of it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { Client } from 'undici';
import { Api } from '../service/support/api.ts';
import { askModel } from '../service/support/windows.ts';
import { tidyUp } from '../support/host/tidy-up.ts';
import { trustFolder } from '../support/host/trust.ts';
import { runCommand, screenshot, treeItem, type Workbench } from '../support/host/workbench.ts';
import { newPostgresDatabase, type OwnDatabase } from '../support/postgres.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { announced, keyOf, localWorkspace, type Announced } from './support/local.ts';
import { canary, restrictedWorkbench } from './support/restricted.ts';
import { timeLimit } from '../support/time-limit.ts';
import { until } from '../support/until.ts';

describe('VS Code: the environment of the shell', function () {
  this.timeout(240_000);
  let workbench: Workbench;
  let database: OwnDatabase;
  let provider: FakeProvider;
  let collector: FakeProvider;
  let api: Api;
  let service: Announced;
  let title = '';
  let tables = 0;

  before(async () => {
    ({ workbench, database, provider, collector } = await restrictedWorkbench());
    await query('create table if not exists orders (id int)');
    await (await localWorkspace(workbench)).close();
  });
  beforeEach(async () => {
    await tidyUp(workbench);
    service = announced(workbench) ?? assert.fail('no service');
    const { socketPath } = service;
    api = new Api(new Client('http://localhost', { socketPath }), keyOf(service));
    tables += 1;
    title = `Kept here ${tables}`;
    await api.expect(201, 'POST', '/api/public/v2/tables', { title });
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await treeItem(workbench, `Table ${title}`).waitFor();
  });
  async function query(text: string): Promise<readonly { readonly name: string }[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<{ name: string }>(text)).rows;
    } finally {
      await client.end();
    }
  }
  const environmentOf = (pid: number): string =>
    process.platform === 'linux' ? fs.readFileSync(`/proc/${String(pid)}/environ`, 'utf8') : '';

  it('neither decides where data goes nor reaches the service while a window is untrusted; then it gives its keys, and nothing else', async () => {
    await trustFolder(workbench, false);
    const { pid, folder } = service;
    for (const word of [canary, 'DATABASE_URL', 'OTEL_', 'OPENAI_', 'NODE_OPTIONS', 'ALLOWED']) {
      assert.ok(!environmentOf(pid).includes(word), word);
    }
    assert.match(await askModel(api), /There is no key for openai/);
    assert.equal(provider.requests.length, 0);
    assert.ok(fs.existsSync(path.join(folder, 'tables.db')));

    await trustFolder(workbench, true);
    await until('the key has arrived', async () => (await askModel(api)) === 'SAY HELLO', {
      limitMs: timeLimit(60_000),
    });
    assert.equal(provider.requests.at(-1)?.headers['authorization'], `Bearer ${canary}`);
    assert.equal(announced(workbench)?.pid, pid, 'The same service has asked.');
    assert.ok(!environmentOf(pid).includes(canary));
    assert.ok(!fs.readFileSync(path.join(folder, 'service.log'), 'utf8').includes(canary));

    // The database of the shell is as it was, and its collector was left alone.
    const relations = await query(
      `select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where relkind in ('r', 'S', 'v') and nspname !~ '^(pg_|information_schema)'`,
    );
    assert.deepEqual(
      relations.map(({ name }) => name),
      ['orders'],
    );
    assert.deepEqual(collector.requests, []);
  });

  it('keeps the local workspace in a database when a person names one, after a question', async () => {
    const { page } = workbench;
    const { pid } = announced(workbench) ?? assert.fail('no service');
    const named = await newPostgresDatabase();
    try {
      await runCommand(workbench, 'Prompt Tables: Select Local Workspace Database');
      const widget = page.locator('.quick-input-widget');
      await widget.getByText('PostgreSQL database…').click();
      const input = widget.locator('input[type="password"]');
      await input.fill('mysql://me@db.example/app');
      await widget.getByText('Enter the address of a PostgreSQL database').waitFor();
      await input.fill(named.url);
      await input.press('Enter');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('Keep the local workspace in postgres').waitFor();
      await screenshot(workbench, 'local-database-question');
      await dialog.getByRole('button', { name: 'Use Database' }).click();
      await treeItem(workbench, `Table ${title}`).waitFor({ state: 'detached' });
      await until(
        'there is a service on it',
        () => {
          const found = announced(workbench);
          return found !== undefined && found.pid !== pid;
        },
        { limitMs: timeLimit(60_000) },
      );
      const said = fs.readFileSync(path.join(service.folder, 'storage.json'), 'utf8');
      assert.ok(said.includes(new URL(named.url).host));
      await runCommand(workbench, 'Prompt Tables: Select Local Workspace Database');
      await widget.getByText('Folder on this computer').click();
      await dialog.getByRole('button', { name: 'Use Folder' }).click();
      await treeItem(workbench, `Table ${title}`).waitFor();
    } finally {
      await named.drop();
    }
  });
});
