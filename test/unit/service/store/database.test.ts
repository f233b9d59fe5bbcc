import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Database } from '../../../../src/service/store/database.ts';
import { openDatabase } from '../../../../src/service/store/database.ts';
import { numberPlaceholders } from '../../../../src/service/store/postgres.ts';
import { WriteLock, createWriteLock } from '../../../../src/service/store/write-lock.ts';

describe('SQLite database', () => {
  let folder: string;
  let database: Database;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'pt-database-'));
    database = await openDatabase({
      kind: 'sqlite',
      path: path.join(folder, 'test.db'),
      writeLock: createWriteLock(),
    });
    await database.run(
      'create table things (id integer primary key, name text, size real, data blob)',
    );
  });
  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => database.run('delete from things'));

  const count = async (): Promise<number | undefined> =>
    (await database.one<{ count: number }>('select count(*) as count from things'))?.count;

  it('keeps what it is given', async () => {
    const row = [1, 'text \u0000 🙂', 1.5, new Uint8Array([0, 255])] as const;
    await database.insertMany(
      { table: 'things', columns: { id: 'int', name: 'text', size: 'real', data: 'bytes' } },
      [row, [2, null, null, null]],
    );
    const [first, second] = await database.query<Record<string, unknown>>(
      'select * from things order by id',
    );
    assert.deepEqual({ ...first }, { id: 1, name: row[1], size: 1.5, data: row[3] });
    assert.deepEqual({ ...second }, { id: 2, name: null, size: null, data: null });
  });

  it('shows readers nothing of an open transaction, and takes it back when it fails', async () => {
    const failure = new Error('wanted');
    const failing = database.transaction(async (session) => {
      await session.run(`insert into things (id) values (1)`);
      assert.equal(await count(), 0);
      throw failure;
    });
    await assert.rejects(failing, failure);
    assert.equal(await count(), 0);
  });

  it('lets transactions wait for each other, in their order', async () => {
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4].map((id) =>
        database.transaction(async (session) => {
          await pause(5 - id);
          await session.run('insert into things (id) values (?)', [id]);
          order.push(id);
        }),
      ),
    );
    assert.deepEqual(order, [1, 2, 3, 4]);
    assert.equal(await count(), 4);
  });

  it('reads one moment in a read of several statements', async () => {
    await database.read(async (session) => {
      assert.equal((await session.query('select * from things')).length, 0);
      await database.run('insert into things (id) values (1)');
      assert.equal((await session.query('select * from things')).length, 0);
    });
    assert.equal(await count(), 1);
  });

  it('serves more readers at once than it has connections', async () => {
    const reads = Array.from({ length: 20 }, () => database.read(async () => pause(1)));
    await Promise.all(reads);
  });

  it('refuses to write through a reader', async () => {
    await assert.rejects(database.query('delete from things returning id'));
  });

  it('tells those who listen, until they stop', async () => {
    let heard = 0;
    const stop = await database.listen('news', () => (heard += 1));
    await database.notify('news');
    await database.notify('other');
    await stop();
    await database.notify('news');
    assert.equal(heard, 1);
  });
});

describe('Write lock', () => {
  it('lets one at a time in, also from other threads', async () => {
    const shared = createWriteLock();
    const counter = new SharedArrayBuffer(8);
    const module = new URL('../../../../src/service/store/write-lock.ts', import.meta.url).href;
    const code = `
      const { workerData } = require('node:worker_threads');
      import(${JSON.stringify(module)}).then(async ({ WriteLock }) => {
        const lock = new WriteLock(workerData.shared);
        // Waiting for the lock alone does not keep a thread alive; a real one has a port to listen on.
        const alive = setInterval(() => undefined, 1000);
        const [inside] = [new Int32Array(workerData.counter)];
        for (let count = 0; count < 50; count += 1) {
          const release = await lock.acquire();
          if (Atomics.add(inside, 0, 1) !== 0) throw new Error('two at once');
          await new Promise((resolve) => setImmediate(resolve));
          Atomics.sub(inside, 0, 1);
          Atomics.add(inside, 1, 1);
          release();
        }
        clearInterval(alive);
      });`;
    const threads = [1, 2, 3].map(
      () => new Worker(code, { eval: true, workerData: { shared, counter } }),
    );
    const lock = new WriteLock(shared);
    const inside = new Int32Array(counter);
    for (let count = 0; count < 50; count += 1) {
      const release = await lock.acquire();
      assert.equal(Atomics.add(inside, 0, 1), 0);
      Atomics.sub(inside, 0, 1);
      release();
    }
    await Promise.all(
      threads.map(
        (thread) =>
          new Promise((resolve, reject) => thread.once('exit', resolve).once('error', reject)),
      ),
    );
    assert.equal(inside[1], 150);
  });
});

describe('Placeholders of PostgreSQL', () => {
  it('are numbered outside of quotes only', () => {
    assert.equal(
      numberPlaceholders(`select ? , '?', 'it''s ?' where a = ?`),
      `select $1 , '?', 'it''s ?' where a = $2`,
    );
  });
});
