/** What the shell has set for other programs, in a real VS Code: the local service obeys none of it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { Client } from 'undici';
import { Api } from '../service/support/api.ts';
import { askModel } from '../service/support/windows.ts';
import { freshWorkbench } from '../support/host/shared.ts';
import {
  runCommand,
  screenshot,
  showView,
  treeItem,
  type Workbench,
} from '../support/host/workbench.ts';
import { newPostgresDatabase, type OwnDatabase } from '../support/postgres.ts';
import { saying } from '../support/providers/chat.ts';
import type { FakeProvider } from '../support/providers/fake-provider.ts';
import { startFakeProvider } from '../support/providers/fake-provider.ts';
import { timeLimit } from '../support/time-limit.ts';

const canary = 'sk-canary-of-the-environment-4711';

async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  for (const deadline = Date.now() + timeLimit(60_000); ;) {
    const value = await look();
    if (value !== undefined) return value;
    assert.ok(Date.now() < deadline, `${what} did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('VS Code: the environment of the shell', function () {
  this.timeout(240_000);
  let workbench: Workbench;
  let database: OwnDatabase;
  let provider: FakeProvider;
  let collector: FakeProvider;
  let api: Api;
  let servicePid = 0;
  let dataFolder = '';

  before(async () => {
    database = await newPostgresDatabase();
    await query('create table orders (id int)');
    provider = await startFakeProvider(saying((asked) => asked.toUpperCase()));
    collector = await startFakeProvider(() => ({ body: {} }));
    workbench = await freshWorkbench({
      restricted: true,
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
      },
      env: {
        DATABASE_URL: database.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OPENAI_API_KEY: canary,
        OPENAI_BASE_URL: `${provider.url}/v1`,
        PROMPT_TABLES_ALLOWED_HOSTS: '*',
      },
    });
  });
  after(async () => {
    await provider.close();
    await collector.close();
    await database.drop();
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
  const announced = (): { pid: number; socketPath: string } | undefined => {
    const root = path.dirname(workbench.host.workspace);
    const found = fs
      .readdirSync(root, { recursive: true, encoding: 'utf8' })
      .find((file) => file.endsWith(path.join('local', 'service.json')));
    if (found === undefined) return undefined;
    dataFolder = path.dirname(path.join(root, found));
    return JSON.parse(fs.readFileSync(path.join(root, found), 'utf8')) as {
      pid: number;
      socketPath: string;
    };
  };
  it('neither decides where data goes, nor reaches the service, in an untrusted window', async () => {
    await workbench.page.locator('.statusbar').getByText('Restricted Mode').waitFor();
    await showView(workbench);
    await runCommand(workbench, 'Prompt Tables: Use Local Workspace');
    const { pid, socketPath } = await until('the service', async () => announced());
    servicePid = pid;
    const key = fs.readFileSync(path.join(dataFolder, 'key'), 'utf8').trim();
    api = new Api(new Client('http://localhost', { socketPath }), key);
    await api.expect(201, 'POST', '/api/public/v2/tables', { title: 'Kept here' });
    await runCommand(workbench, 'Prompt Tables: Refresh Tables');
    await treeItem(workbench, /Kept here/).waitFor();
    if (process.platform === 'linux') {
      const environment = fs.readFileSync(`/proc/${String(pid)}/environ`, 'utf8');
      for (const word of [canary, 'DATABASE_URL', 'OTEL_', 'OPENAI_', 'NODE_OPTIONS', 'ALLOWED']) {
        assert.ok(!environment.includes(word), word);
      }
    }
    assert.match(await askModel(api), /There is no key for openai/);
    assert.deepEqual(provider.requests, []);
    assert.ok(fs.existsSync(path.join(dataFolder, 'tables.db')));
  });

  it('gives its keys to the service once the window is trusted, and nothing else', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Workspaces: Manage Workspace Trust');
    await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    await page.locator('.statusbar').getByText('Restricted Mode').waitFor({ state: 'detached' });
    // It lies above everything else.
    await page
      .getByRole('button', { name: /^Close Modal/ })
      .or(page.locator('.modal-editor-block .codicon-close'))
      .first()
      .click();
    await until('the key to arrive', async () =>
      (await askModel(api)) === 'SAY HELLO' ? true : undefined,
    );
    assert.equal(provider.requests.at(-1)?.headers['authorization'], `Bearer ${canary}`);
    assert.equal(announced()?.pid, servicePid, 'The same service has asked.');
    if (process.platform === 'linux') {
      const environment = fs.readFileSync(`/proc/${String(servicePid)}/environ`, 'utf8');
      assert.ok(!environment.includes(canary));
    }
    const log = fs.readFileSync(path.join(dataFolder, 'service.log'), 'utf8');
    assert.ok(!log.includes(canary));
  });

  it('has left the database of the shell as it was, and its collector alone', async () => {
    const tables = await query(
      `select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where relkind in ('r', 'S', 'v') and nspname !~ '^(pg_|information_schema)'`,
    );
    assert.deepEqual(
      tables.map(({ name }) => name),
      ['orders'],
    );
    assert.deepEqual(collector.requests, []);
  });

  it('keeps the local workspace in a database when a person names one, after a question', async () => {
    const { page } = workbench;
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
      await treeItem(workbench, /Kept here/).waitFor({ state: 'detached' });
      await until('a service on it', async () => {
        const found = announced();
        return found !== undefined && found.pid !== servicePid ? true : undefined;
      });
      const said = fs.readFileSync(path.join(dataFolder, 'storage.json'), 'utf8');
      assert.ok(said.includes(new URL(named.url).host));
      await runCommand(workbench, 'Prompt Tables: Select Local Workspace Database');
      await widget.getByText('Folder on this computer').click();
      await dialog.getByRole('button', { name: 'Use Folder' }).click();
      await treeItem(workbench, /Kept here/).waitFor();
    } finally {
      await named.drop();
    }
  });
});
