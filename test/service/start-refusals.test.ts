import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { DatabaseSync } from 'node:sqlite';
import { StartError, readDatabaseUrl } from '../../src/service/store/database-url.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { migrate } from '../../src/service/store/migrate.ts';
import { newPostgresDatabase, type OwnDatabase } from '../support/postgres.ts';
import { compileCache, serviceEntry } from '../support/service-entry.ts';
import { timeLimit } from '../support/time-limit.ts';
import { newFolder, RunningService } from './support/running-service.ts';

const password = 'canary-of-the-password';
const nobody = 65_534;

interface Outcome {
  readonly code: number | null;
  readonly text: string;
}

async function outcome(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  user?: number,
): Promise<Outcome> {
  const { DATABASE_URL: _, ...own } = process.env;
  const child = spawn(process.execPath, [serviceEntry, ...args], {
    env: { ...own, ...compileCache, PROMPT_TABLES_API_KEY: 'the-key', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(user !== undefined && { uid: user, gid: user }),
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // One that starts after all would never end.
  const end = setTimeout(() => child.kill('SIGKILL'), timeLimit(30_000));
  // All that it has said has come.
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(end);
  return { code, text };
}

/** One line without a stack, with what to do, and with no password. */
function assertSentence({ code, text }: Outcome, pattern: RegExp): void {
  assert.match(text, pattern);
  assert.equal(code, 1, text);
  assert.equal(text.trim().split('\n').length, 1, text);
  assert.doesNotMatch(text, /^ {4}at |Error:/m);
  assert.ok(!text.includes(password), text);
}

describe('A service that can not start says so in one sentence', function () {
  this.timeout(120_000);
  const folders: string[] = [];
  const folder = (): string => {
    const made = newFolder();
    folders.push(made);
    return made;
  };
  after(() => {
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });
  const start = (databaseUrl: string, ...more: readonly string[]): Promise<Outcome> =>
    outcome(['--data', folder(), '--port', '0', ...more], { DATABASE_URL: databaseUrl });

  it('when DATABASE_URL is of another kind of database, whatever it was asked to do', async () => {
    // Read in one place, so that what is asked of each kind is enough once.
    for (const url of [
      `mysql://root:${password}@127.0.0.1:3306/app`,
      'file:./dev.db',
      'sqlite:///home/me/app.sqlite3',
      `mongodb+srv://me:${password}@cluster.example/app`,
      'jdbc:postgresql://127.0.0.1/app',
      'dev.db',
    ])
      assert.throws(
        () => readDatabaseUrl(url),
        (error) => error instanceof StartError && !error.message.includes(password),
        url,
      );
    const place = folder();
    for (const args of [
      ['--data', place],
      ['--data', place, '--worker'],
      ['backup', '--data', place, '--to', path.join(place, 'b')],
      ['restore', '--data', place, '--from', path.join(place, 'b')],
      ['move', '--data', place],
    ]) {
      assertSentence(
        await outcome(args, { DATABASE_URL: `mysql://root:${password}@127.0.0.1:3306/app` }),
        /DATABASE_URL is the address of another kind of database.*postgres:\/\/.*unset it/,
      );
    }
    assert.deepEqual(readdirSync(place), []);
  });

  it('when nobody answers, or nobody it knows', async () => {
    const refusing = await start(`postgres://me:${password}@127.0.0.1:9/app`);
    assertSentence(
      refusing,
      /me@127\.0\.0\.1:9\/app\) does not answer \(ECONNREFUSED\)\. Start it/,
    );
    const nameless = await start(`postgres://me:${password}@no-such-host.invalid/app`);
    assertSentence(nameless, /no-such-host\.invalid\/app\) does not answer \(E\w+\)/);
    // Takes the connection and never says a word.
    const silent = net.createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as net.AddressInfo;
    const sockets: net.Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    const address = `postgres://me:${password}@127.0.0.1:${String(port)}/app?connect_timeout=2`;
    const mute = await start(address);
    assertSentence(mute, /does not answer\. Start it/);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  describe('with a PostgreSQL', () => {
    let database: OwnDatabase;
    let admin: pg.Client;
    before(async () => {
      database = await newPostgresDatabase();
      admin = new pg.Client({ connectionString: database.url });
      await admin.connect();
    });
    after(async () => {
      await admin.end();
      await database.drop();
    });
    const tables = async (): Promise<string[]> =>
      (
        await admin.query<{ name: string }>(
          `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
           where c.relkind in ('r', 'p', 'S') and n.nspname !~ '^(pg_|information_schema)' order by 1`,
        )
      ).rows.map(({ name }) => name);

    it('that does not know the database or the user', async () => {
      const url = new URL(database.url);
      url.pathname = '/no_such_database';
      assertSentence(await start(url.href), /doesn't have this database\. Create it/);
      const user = new URL(database.url);
      user.username = 'no_such_user';
      user.password = password;
      assertSentence(await start(user.href), /refuses the user/);
    });

    it("that holds somebody else's tables, and leaves it without a single new one", async () => {
      const foreign: readonly (readonly [what: string, make: string, drop: string])[] = [
        ['orders', 'create table orders (id int)', 'drop table orders'],
        [
          'names of ours',
          'create table requests (id int); create table workspaces (id int); create table tables (id int)',
          'drop table requests; drop table workspaces; drop table tables',
        ],
        [
          'migrations of Laravel',
          'create table migrations (id int, migration text, batch int)',
          'drop table migrations',
        ],
        [
          'migrations that look like ours',
          `create table migrations (number int, name text, applied_at int); insert into migrations values (1, 'init', 0)`,
          'drop table migrations',
        ],
        ['a view', 'create view totals as select 1 as one', 'drop view totals'],
        [
          'another schema',
          'create schema app; create table app.orders (id int)',
          'drop schema app cascade',
        ],
      ];
      for (const [what, make, drop] of foreign) {
        await admin.query(make);
        const before = await tables();
        const refusal = /belongs to another program \(it holds .*nothing was changed/;
        if (what === 'orders') {
          const environment = { DATABASE_URL: database.url };
          for (const args of [[], ['--worker'], ['--no-worker']]) {
            assertSentence(await outcome(['--data', folder(), ...args], environment), refusal);
          }
          const place = folder();
          new DatabaseSync(path.join(place, 'tables.db')).close();
          assertSentence(await outcome(['move', '--data', place], environment), refusal);
        } else {
          // What each of them begins with.
          const opened = await openDatabase({ kind: 'postgres', url: database.url });
          await assert.rejects(migrate(opened), { name: 'StartError', message: refusal }, what);
          await opened.close();
        }
        assert.deepEqual(await tables(), before, what);
        await admin.query(drop);
      }
    });

    it('that lets it make no table', async () => {
      await admin.query(`create role reader_of_env login password '${password}'`);
      await admin.query('revoke create on schema public from public');
      const url = new URL(database.url);
      url.username = 'reader_of_env';
      url.password = password;
      try {
        assertSentence(await start(url.href), /can't create tables in the schema public: let its/);
      } finally {
        await admin.query('drop role reader_of_env');
      }
    });

    it('but starts in a schema of its own beside others, in an empty one, and in its own again', async () => {
      await admin.query('create table orders (id int); create schema prompt_tables');
      const url = `${database.url}?options=-csearch_path%3Dprompt_tables`;
      for (let time = 0; time < 2; time += 1) {
        const service = await RunningService.start({ databaseUrl: url });
        await service.api.newSheet();
        await service.stop();
      }
      const found = await tables();
      assert.deepEqual(
        found.filter((name) => !name.startsWith('prompt_tables.')),
        ['public.orders'],
      );
      await admin.query('drop table orders; drop schema prompt_tables cascade');
      for (let time = 0; time < 2; time += 1) {
        await (await RunningService.start({ databaseUrl: database.url })).stop();
        // Whoever has put it beside other tables once goes on with it.
        if (time === 0) await admin.query('create table orders (id int)');
      }
    });
  });

  it('when the data is damaged, or of another program', async () => {
    const place = folder();
    writeFileSync(path.join(place, 'tables.db'), 'no database at all, '.repeat(500));
    assertSentence(await outcome(['--data', place]), /is damaged, or not a database\. Restore/);
    const foreign = folder();
    const other = new DatabaseSync(path.join(foreign, 'tables.db'));
    other.exec('create table orders (id int)');
    other.close();
    assertSentence(
      await outcome(['--data', foreign]),
      /belongs to another program \(it holds orders/,
    );
  });

  it('when the folder is none, or not ours to write', async () => {
    const place = folder();
    const file = path.join(place, 'file');
    writeFileSync(file, '');
    assertSentence(await outcome(['--data', file]), /is a file and no folder/);
    assertSentence(await outcome(['--data', path.join(file, 'below')]), /lies below a file/);
    if (process.getuid?.() !== 0) return;
    chmodSync(place, 0o755);
    const closed = path.join(place, 'closed');
    mkdirSync(closed, { mode: 0o555 });
    assertSentence(await outcome(['--data', closed], {}, nobody), /can't be used by this user/);
    const readOnly = path.join(place, 'read-only');
    mkdirSync(readOnly);
    chownSync(readOnly, nobody, nobody);
    await (await RunningService.start({ folder: readOnly })).stop();
    assertSentence(
      await outcome(['--data', readOnly], {}, nobody),
      /can't be used by this user|could not be opened|is read-only/,
    );
  });

  it('when the port is in use', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const refused = await outcome(['--data', folder(), '--port', String(port)]);
    assertSentence(refused, new RegExp(`Port ${String(port)} is in use by another program`));
    server.close();
  });

  it('keeps the files of a folder that others may enter to its owner', async () => {
    const place = folder();
    chmodSync(place, 0o755);
    for (const name of ['service.log', 'key']) writeFileSync(path.join(place, name), '');
    for (const name of ['service.log', 'key']) chmodSync(path.join(place, name), 0o644);
    writeFileSync(path.join(place, 'notes.txt'), '');
    chmodSync(path.join(place, 'notes.txt'), 0o644);
    const umask = process.umask(0);
    const first = await RunningService.start({ folder: place }).finally(() => process.umask(umask));
    const modes = (): Record<string, string> =>
      Object.fromEntries(
        readdirSync(place).map((name) => [
          name,
          (statSync(path.join(place, name)).mode & 0o777).toString(8),
        ]),
      );
    try {
      await first.api.newSheet();
      const { 'notes.txt': others, ...ours } = modes();
      assert.equal(others, '644', 'What is not ours stays as it was.');
      assert.ok('tables.db-wal' in ours && 'tables.db-shm' in ours && 'lock.db' in ours);
      for (const [name, mode] of Object.entries(ours)) assert.equal(mode, '600', name);
    } finally {
      await first.kill('SIGKILL');
    }
    // As an older version has left them.
    for (const name of Object.keys(modes())) {
      if (!name.endsWith('.sock')) chmodSync(path.join(place, name), 0o644);
    }
    const second = await RunningService.start({ folder: place });
    try {
      const { 'notes.txt': _, ...tightened } = modes();
      for (const [name, mode] of Object.entries(tightened)) assert.equal(mode, '600', name);
    } finally {
      await second.stop();
    }
  });
});
