import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Database } from '../../../../src/service/store/database.ts';
import { openDatabase } from '../../../../src/service/store/database.ts';
import { insertInputRows } from '../../../../src/service/store/insert-rows.ts';
import { numberPlaceholders } from '../../../../src/service/store/postgres.ts';
import { bracket } from '../../../../src/service/store/sqlite-connection.ts';
import { StatementThread } from '../../../../src/service/store/statement-thread.ts';
import { WriteLock, createWriteLock } from '../../../../src/service/store/write-lock.ts';
import { until } from '../../../support/until.ts';

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

  for (const kind of ['transaction', 'largeTransaction'] as const) {
    it(`shows readers nothing of an open ${kind}, and takes it back when it fails`, async () => {
      const failure = new Error('wanted');
      const failing = database[kind](async (session) => {
        assert.equal(await session.run(`insert into things (id) values (1)`), 1);
        assert.equal(await count(), 0);
        throw failure;
      });
      await assert.rejects(failing, failure);
      const refused = database[kind](async (session) => {
        await session.run(`insert into things (id) values (1)`);
        await session.run(`insert into things (id) values (1)`);
      });
      await assert.rejects(refused, /UNIQUE constraint failed/);
      assert.equal(await count(), 0);
    });
  }

  it('ends short transactions together, each of which fails alone', async () => {
    const failure = new Error('wanted');
    const insert = (id: number) =>
      database.shortTransaction(async (session) => {
        await session.run('insert into things (id) values (?)', [id]);
        if (id % 3 === 0) throw failure;
        const before = await session.one<{ count: number }>('select count(*) as count from things');
        // Nothing counts before all of them are on the disk.
        assert.equal(await count(), 0);
        return before?.count;
      });
    const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 4].map(insert));
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
      ['failed', 1, 2, 'failed', 3, 'failed'],
    );
    assert.equal(outcomes[0]?.status === 'rejected' && outcomes[0].reason, failure);
    assert.match(String(outcomes[5]?.status === 'rejected' && outcomes[5].reason), /UNIQUE/);
    assert.equal(await count(), 3);
  });

  it("keeps nothing of short transactions when they can't end, and says so to each", async () => {
    const endless = database.shortTransaction(async (session) => {
      await session.run('insert into things (id) values (1)');
      // As SQLite itself does on a full disk.
      await session.run('rollback');
      throw new Error('full');
    });
    const others = [2, 3].map((id) =>
      database.shortTransaction((session) =>
        session.run(`insert into things (id) values (${String(id)})`),
      ),
    );
    const outcomes = await Promise.allSettled([endless, ...others]);
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    assert.equal(await count(), 0);
    await database.shortTransaction((session) => session.run('insert into things (id) values (4)'));
    assert.equal(await count(), 1);
  });

  it('reads and writes in a large transaction what it does in others', async () => {
    const rows = Array.from({ length: 1201 }, (_, id) => [
      id,
      id % 400 === 0 ? `\ufeff${'ü🙂\u0000'.repeat(20_000)}` : `ü \u0000 🙂 ${String(id)}`,
      id / 2,
      new Uint8Array([id % 256]),
    ]);
    const columns = { id: 'int', name: 'text', size: 'real', data: 'bytes' } as const;
    await database.largeTransaction(async (session) => {
      const inserted = await session.insertMany({ table: 'things', columns }, rows);
      assert.equal(inserted, rows.length);
      const sql = 'select id, name, size, data from things order by id';
      assert.deepEqual(
        (await session.query(sql)).map((row): unknown[] => Object.values(row)),
        rows,
      );
      assert.deepEqual(await session.lists(sql), rows);
      assert.deepEqual(Object.values((await session.one(`${sql} desc`)) ?? {}), rows.at(-1));
      assert.equal(await session.one('select * from things where id = -1'), undefined);
      assert.equal(await session.run('delete from things where id >= ?', [1000]), 201);
    });
    assert.equal(await count(), 1000);
  });

  it('stores the values of many rows as they are, and none where there is null', async () => {
    await database.run(
      `create table cells (sheet_key integer, row_index integer, column_key integer, status text,
         value text, updated_at integer)`,
    );
    const odd = [
      '"\\u0000\\ud800 \\\\ \\" 🙂\u2028"',
      '{"a":\n[1e400, -0]}',
      '12345678901234567890',
    ];
    const rows = [[odd[0] ?? '', null, odd[1] ?? ''], ['""'], [null, odd[2] ?? '', '"null"']];
    const given = { sheetKey: 7, firstRow: 5, columnKeys: [3, 9, 4] };
    await database.transaction((session) => insertInputRows(session, { ...given, rows }));
    await database.transaction((session) => insertInputRows(session, { ...given, rows: [] }));
    assert.deepEqual(
      await database.lists(
        'select sheet_key, row_index, column_key, status, value from cells order by row_index, column_key',
      ),
      [
        [7, 5, 3, 'input', odd[0]],
        [7, 5, 4, 'input', odd[1]],
        [7, 6, 3, 'input', '""'],
        [7, 7, 4, 'input', '"null"'],
        [7, 7, 9, 'input', odd[2]],
      ],
    );
  });

  it('gives the disk back what large things have left free', async () => {
    const pages = async (what: 'page_count' | 'freelist_count'): Promise<number> =>
      Object.values((await database.one<Record<string, number>>(`pragma ${what}`)) ?? {})[0] ?? -1;
    const before = await pages('page_count');
    const piece = new Uint8Array(1024 * 1024);
    await database.insertMany(
      { table: 'things', columns: { id: 'int', data: 'bytes' } },
      Array.from({ length: 4 }, (_, id) => [id, piece]),
    );
    await database.run('insert into things (id, name) values (?, ?)', [9, 'what comes after them']);
    await database.run('delete from things where id < 9');
    assert.ok((await pages('freelist_count')) > 1000);
    const writing = database.run('insert into things (id) values (10)');
    await Promise.all([database.giveBack(), database.giveBack(), writing]);
    assert.equal(await pages('freelist_count'), 0);
    assert.ok((await pages('page_count')) < before + 10);
    assert.equal(await count(), 2);
  });

  it('leaves the free pages of a file from before as they are', async () => {
    const file = path.join(folder, 'old.db');
    const made = new DatabaseSync(file);
    made.exec('create table things (data blob)');
    made.prepare('insert into things values (zeroblob(1000000))').run();
    made.exec('delete from things');
    made.close();
    const old = await openDatabase({ kind: 'sqlite', path: file, writeLock: createWriteLock() });
    await old.giveBack();
    assert.equal((await old.query('select * from things')).length, 0);
    await old.close();
  });

  it('moves its log as usual soon after a large transaction, also where a reader is in the way', async () => {
    const pagesOf = () =>
      database.transaction((session) =>
        session.one<{ wal_autocheckpoint: number }>('pragma wal_autocheckpoint'),
      );
    let letGo = (): void => undefined;
    const isRead = new Promise<void>((resolve) => (letGo = resolve));
    const reading = database.read(async (session) => {
      await session.one('select count(*) from things');
      await isRead;
    });
    await database.largeTransaction((session) =>
      session.run('insert into things (name) values (?)', ['x']),
    );
    assert.deepEqual(await pagesOf(), { wal_autocheckpoint: 0 });
    await until('the log is moved', async () => (await pagesOf())?.wal_autocheckpoint !== 0);
    letGo();
    await reading;
  });

  it('lets large transactions and others wait for each other, in their order', async () => {
    const order: number[] = [];
    const kinds = ['largeTransaction', 'transaction', 'largeTransaction', 'transaction'] as const;
    await Promise.all(
      kinds.map((kind, id) =>
        database[kind](async (session) => {
          const last = await session.one<{ id: number | null }>('select max(id) as id from things');
          assert.equal(last?.id ?? -1, id - 1);
          await session.run('insert into things (id) values (?)', [id]);
          order.push(id);
        }),
      ),
    );
    assert.deepEqual(order, [0, 1, 2, 3]);
  });

  it('keeps nothing of statements that belong together when their thread ends in their midst', async () => {
    const thread = new StatementThread(path.join(folder, 'test.db'), { cacheKb: 2048 });
    const work = thread.together((session) =>
      bracket(session, 'begin immediate', async () => {
        await session.run('insert into things (id) values (1)');
        await thread.close();
        await session.run('insert into things (id) values (2)');
      }),
    );
    await assert.rejects(work, /thread of the database has ended/);
    assert.equal(await count(), 0);
    const again = await thread.query<{ n: number }>('select 7 as n', []);
    assert.deepEqual(again, [{ n: 7 }]);
    await thread.close();
    await database.run('insert into things (id) values (3)');
    assert.equal(await count(), 1);
  });

  it('reads long texts as they are', async () => {
    const { longText } = database.dialect;
    const texts = ['', 'short', 'ü'.repeat(90_000), `${'日本🙂\u0000'.repeat(50_000)}é`];
    for (const text of texts) await database.run('insert into things (name) values (?)', [text]);
    const found = await database.query<{ name: string | Uint8Array }>(
      `select ${longText('name')} from things order by id`,
    );
    assert.deepEqual(
      found.map(({ name }) => typeof name),
      ['string', 'string', 'object', 'object'],
    );
    assert.deepEqual(
      found.map(({ name }) => (typeof name === 'string' ? name : Buffer.from(name).toString())),
      texts,
    );
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
  it('waits for one that takes long and shows that it lives, and not for one that is gone', async () => {
    const shared = createWriteLock();
    const [one, other] = [new WriteLock(shared, 100), new WriteLock(shared, 100)];
    let isOver = false;
    const long = one.hold(
      async () => {
        await pause(600);
        isOver = true;
      },
      { isLong: true },
    );
    await other.hold(async () => assert.ok(isOver));
    await long;
    await one.acquire();
    await other.hold(async () => undefined);
  });

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
