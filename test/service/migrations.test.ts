import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Database, DatabaseAddress } from '../../src/service/store/database.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import type { Migration } from '../../src/service/store/migrate.ts';
import { NewerSchemaError, migrate, migrations } from '../../src/service/store/migrate.ts';
import { createWriteLock } from '../../src/service/store/write-lock.ts';
import { newPostgresDatabase } from '../support/postgres.ts';

/** As another process would, but cheaper: SQLite waits inside a call, so it needs its own thread. */
function migrateInThread(address: DatabaseAddress): Promise<void> {
  const store = new URL('../../src/service/store/', import.meta.url).href;
  const code = `
    const { workerData } = require('node:worker_threads');
    (async () => {
      const { openDatabase } = await import('${store}database.ts');
      const { migrate } = await import('${store}migrate.ts');
      const database = await openDatabase(workerData);
      await migrate(database);
      await database.close();
    })();`;
  const thread = new Worker(code, { eval: true, workerData: address });
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('exit', (exitCode) =>
      exitCode === 0 ? resolve() : reject(new Error(`The thread ended with ${String(exitCode)}.`)),
    );
  });
}

const next: Migration = {
  number: 1000,
  name: 'more',
  statements: () => ['create table more (id integer)'],
};

function suite(
  title: string,
  prepare: () => Promise<{ address: () => DatabaseAddress; drop: () => Promise<void> }>,
): void {
  describe(`Migrations, on ${title}`, function () {
    this.timeout(60_000);
    let address: () => DatabaseAddress;
    let drop: () => Promise<void>;
    const opened: Database[] = [];
    beforeEach(async () => {
      ({ address, drop } = await prepare());
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((database) => database.close()));
      await drop();
    });
    const open = async (): Promise<Database> => {
      const database = await openDatabase(address());
      opened.push(database);
      return database;
    };

    it('run once when several processes start at the same time', async () => {
      await Promise.all(Array.from({ length: 4 }, () => migrateInThread(address())));
      const database = await open();
      const applied = await database.query<{ number: number }>('select number from migrations');
      assert.deepEqual(
        applied.map(({ number }) => number),
        migrations.map(({ number }) => number),
      );
    });

    it('go on from where they were, and change nothing when one of them fails', async () => {
      const database = await open();
      const broken: Migration = {
        number: 1001,
        name: 'broken',
        statements: () => ['create table half (id integer)', 'nonsense'],
      };
      await assert.rejects(migrate(database, [...migrations, next, broken]));
      await assert.rejects(database.query('select * from half'));
      await assert.rejects(database.query('select * from more'));
      await migrate(database, [...migrations, next]);
      assert.deepEqual(await database.query('select * from more'), []);
    });

    it('make ranges of the rows that wait and of those that are claimed', async () => {
      const database = await open();
      await migrate(
        database,
        migrations.filter(({ number }) => number < 19),
      );
      const waiting = [0, 1, 2, 5, 7, 8].map((row) => ({ row, attempts: 0 }));
      for (const { row, attempts } of [
        ...waiting,
        { row: 6, attempts: 1 },
        { row: 9, attempts: 1 },
      ])
        await database.run(
          'insert into tasks (sheet_key, operation_key, row_index, attempts) values (1, 1, ?, ?)',
          [row, attempts],
        );
      for (const [operation, row, token] of [
        ...([10, 11, 12] as const).map((claimed) => [1, claimed, 'a:1'] as const),
        ...([13, 15] as const).map((claimed) => [1, claimed, 'b:1'] as const),
        ...([3, 4] as const).map((claimed) => [2, claimed, 'b:2'] as const),
      ])
        await database.run(
          `insert into tasks (sheet_key, operation_key, row_index, state, token, lease_until, attempts)
           values (1, ?, ?, 'claimed', ?, 77, 1)`,
          [operation, row, token],
        );
      await migrate(database);
      const ranges = await database.lists(
        `select operation_key, first_row, last_row, state, token, lease_until, attempts from task_ranges
         where sheet_key = 1 order by operation_key, last_row`,
      );
      assert.deepEqual(ranges, [
        [1, 0, 2, 'waiting', null, 0, 0],
        [1, 5, 5, 'waiting', null, 0, 0],
        [1, 6, 6, 'waiting', null, 0, 1],
        [1, 7, 8, 'waiting', null, 0, 0],
        [1, 9, 9, 'waiting', null, 0, 1],
        [1, 10, 12, 'claimed', 'a:1', 77, 1],
        [1, 13, 13, 'claimed', 'b:1', 77, 1],
        [1, 15, 15, 'claimed', 'b:1', 77, 1],
        [2, 3, 4, 'claimed', 'b:2', 77, 1],
      ]);
    });

    it('refuse data of a newer program with a sentence', async () => {
      const database = await open();
      await migrate(database, [...migrations, next]);
      await assert.rejects(migrate(database), (error) => {
        assert.ok(error instanceof NewerSchemaError);
        assert.match(error.message, /schema 1000.*Update Prompt Tables/);
        return true;
      });
    });
  });
}

suite('SQLite', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pt-migrations-'));
  // A lock of its own for each, as processes have: SQLite itself must keep them apart.
  return {
    address: () => ({
      kind: 'sqlite',
      path: path.join(folder, 'tables.db'),
      writeLock: createWriteLock(),
    }),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

suite('PostgreSQL', async () => {
  const { url, drop } = await newPostgresDatabase();
  return { address: () => ({ kind: 'postgres', url, connections: 2 }), drop };
});
