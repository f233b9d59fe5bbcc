import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Keys } from '../../src/service/keys.ts';
import type { Log } from '../../src/service/log.ts';
import type { Database } from '../../src/service/store/database.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { migrate, migrations } from '../../src/service/store/migrate.ts';
import { createWriteLock } from '../../src/service/store/write-lock.ts';
import { newPostgresDatabase } from '../support/postgres.ts';

const [a, b, c] = ['key-of-alice', 'key-of-bob', 'key-of-carol'];

interface Prepared {
  readonly database: Database;
  readonly drop: () => Promise<void>;
}

const prepareSqlite = async (): Promise<Prepared> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pt-workspaces-'));
  const database = await openDatabase({
    kind: 'sqlite',
    path: path.join(folder, 'tables.db'),
    writeLock: createWriteLock(),
  });
  return { database, drop: async () => rmSync(folder, { recursive: true, force: true }) };
};

const preparePostgres = async (): Promise<Prepared> => {
  const { url, drop } = await newPostgresDatabase();
  return { database: await openDatabase({ kind: 'postgres', url, connections: 4 }), drop };
};

const places = [
  ['SQLite', prepareSqlite],
  ['PostgreSQL', preparePostgres],
] as const;

for (const [title, prepare] of places) {
  describe(`Workspaces and their keys, on ${title}`, function () {
    this.timeout(60_000);
    let prepared: Prepared;
    let warnings: Readonly<Record<string, unknown>>[];
    const log = {
      warn: (_message: string, fields: Readonly<Record<string, unknown>> = {}) =>
        void warnings.push(fields),
    } as unknown as Log;

    beforeEach(async () => {
      warnings = [];
      prepared = await prepare();
    });
    afterEach(async () => {
      await prepared.database.close();
      await prepared.drop();
    });

    /** What each of the keys opens after a start with these settings. */
    async function start(
      settings: readonly string[],
      ...keys: readonly string[]
    ): Promise<readonly (number | undefined)[]> {
      const opened = await Keys.open(settings, prepared.database, log);
      return keys.map((key) => opened.opened(key)?.workspaceId);
    }

    it('stay together when keys come, go and change places', async () => {
      await migrate(prepared.database);
      const [ofA, ofB] = await start([a, b], a, b);
      assert.notEqual(ofA, ofB);
      const orders = [[b, a], [a, b, c], [c, b, a], [b], [c, a], [a], [b, c]];
      for (const order of orders) {
        const found = await start(order, a, b);
        assert.deepEqual(
          found,
          [
            [ofA, a],
            [ofB, b],
          ].map(([id, key]) => (order.includes(String(key)) ? id : undefined)),
        );
      }
    });

    it('of an earlier version stay with the keys that had them, once', async () => {
      const { database } = prepared;
      await migrate(
        database,
        migrations.filter(({ number }) => number < 15),
      );
      for (const id of [1, 2, 3]) {
        await database.run('insert into workspaces (id, created_at) values (?, 0)', [id]);
      }
      await migrate(database);
      assert.deepEqual(await start([a, b], a, b), [1, 2]);
      // Whoever comes later is somebody else: not even the third one is taken by its number.
      assert.deepEqual(await start([c, b, a], a, b, c), [1, 2, 4]);
      assert.deepEqual(warnings.at(-1)?.['withoutKey'], [3]);
      assert.deepEqual(await start([`3=${b}-new`], `${b}-new`), [3], 'a number says which');
    });

    it('have a name, if one likes, and then any key', async () => {
      await migrate(prepared.database);
      const [before] = await start([a, b], a);
      assert.deepEqual(await start([`alice=${a}`, b], a), [before], 'a name is given to it');
      assert.deepEqual(await start([b, 'alice=another-key'], 'another-key', a), [
        before,
        undefined,
      ]);
      const [ofCarol] = await start([`carol=${c}`, b], c);
      assert.notEqual(ofCarol, before);
    });

    it('are told from one another when two services start at the same time', async () => {
      await migrate(prepared.database);
      const [[ofA], [ofB]] = await Promise.all([start([a], a), start([b, c], b)]);
      assert.ok(ofA !== undefined && ofB !== undefined);
      assert.notEqual(ofA, ofB);
      assert.deepEqual(await start([b, a], a, b), [ofA, ofB]);
    });

    it('keep no key', async () => {
      await migrate(prepared.database);
      await start([a, `bob=${b}`], a);
      const stored = JSON.stringify([
        await prepared.database.query('select * from workspaces'),
        await prepared.database.query('select * from workspace_keys'),
      ]);
      assert.ok(stored.includes('bob'));
      assert.ok(!stored.includes(a) && !stored.includes(b));
    });

    it(`${title === 'SQLite' ? 'are opened' : 'are not opened'} by another key when it is the only one of the only workspace`, async () => {
      await migrate(prepared.database);
      const [ofA] = await start([a], a);
      const [ofB] = await start([b], b);
      assert.equal(ofA === ofB, title === 'SQLite');
      assert.equal(warnings.length, title === 'SQLite' ? 0 : 1, 'nothing is hidden in silence');
    });
  });
}
