import assert from 'node:assert/strict';
import { openDatabase, type Database, type SqlValue } from '../../src/service/store/database.ts';
import { newPostgresDatabase, type OwnDatabase } from '../support/postgres.ts';

const things = {
  table: 'things',
  columns: { id: 'int', name: 'text', size: 'real', data: 'bytes' },
} as const;
const texts = [
  ...['', ' ', '\\', '\\.', '\\N', '\\n', 'NULL', '"', "'", '{', ',', '\t', '\n', '\r\n', '\\\t\\'],
  ...['\u0000', '\u0001\b\f\v', '\u007f', 'ä', '漢字', '🙂', '\u2028', '\ud800', 'a\tb\nc\\d\re'],
  ...[JSON.stringify('\\.\n"\t🙂'), 'x'.repeat(300_000)],
];
const numbers = [0, -1, 1.5, 1e21, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER, Infinity, null];
const bytes = [null, new Uint8Array(), new Uint8Array([0, 9, 10, 92, 255])];

function* rows(count: number): Generator<SqlValue[]> {
  for (let id = 0; id < count; id += 1) {
    yield [
      id,
      texts[id % (texts.length + 1)] ?? null,
      numbers[id % numbers.length] ?? null,
      bytes[id % bytes.length] ?? null,
    ];
  }
}

describe('Many rows at once, on PostgreSQL', function () {
  this.timeout(60_000);
  let own: OwnDatabase;
  let database: Database;
  before(async () => {
    own = await newPostgresDatabase();
    database = await openDatabase({ kind: 'postgres', url: own.url });
    await database.run(
      'create table things (id bigint primary key, name text, size double precision, data bytea)',
    );
  });
  after(async () => {
    await database.close();
    await own.drop();
  });
  beforeEach(async () => void (await database.run('delete from things')));

  const all = (): Promise<object[]> => database.query('select * from things order by id');

  it('are the same as a few at a time, whatever the values are', async () => {
    const wanted = [...rows(200)];
    for (let at = 0; at < wanted.length; at += 10) {
      assert.equal(await database.insertMany(things, wanted.slice(at, at + 10)), 10);
    }
    const few = await all();
    await database.run('delete from things');
    assert.equal(await database.insertMany(things, wanted), 200);
    assert.deepEqual(await all(), few);
    assert.equal(few.length, 200);
  });

  it('are all refused with one that is refused, and the connection goes on', async () => {
    const twice = [...rows(100), [5, 'again', null, null]];
    await assert.rejects(database.insertMany(things, twice), /duplicate key/);
    await assert.rejects(
      database.insertMany({ table: 'nowhere', columns: things.columns }, [...rows(100)]),
      /nowhere/,
    );
    assert.deepEqual(await all(), []);
    assert.equal(await database.insertMany(things, [...rows(100)]), 100);
  });

  it('end with an error when their connection is cut off, and leave nothing behind', async () => {
    const cutOff = database.transaction(async (session) => {
      const [{ pid } = { pid: 0 }] = await session.query<{ pid: number }>(
        'select pg_backend_pid() as pid',
      );
      const copying = session.insertMany(things, [...rows(2000)]);
      await Promise.all([copying, database.query('select pg_terminate_backend(?)', [pid])]);
      // It may have been there before the end: then the transaction isn't.
      await session.query('select 1');
    });
    await assert.rejects(cutOff);
    assert.deepEqual(await all(), []);
    assert.equal(await database.insertMany(things, [...rows(100)]), 100);
  });
});
