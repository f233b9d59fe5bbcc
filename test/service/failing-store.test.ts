import assert from 'node:assert/strict';
import {
  createOperation,
  getOperation,
  startWorker,
  type OperationState,
  type RunningWorker,
} from '../../src/service/engine/index.ts';
import { storeTrouble } from '../../src/service/http/store-trouble.ts';
import type { Database } from '../../src/service/store/database.ts';
import { StoreError } from '../../src/service/store/store-error.ts';
import { errorText, type Log } from '../../src/service/log.ts';
import { openTestDatabase, silent, TestSheet, type TestDatabase } from '../support/engine/sheet.ts';
import { storeWords } from '../support/providers/faulty-server.ts';
import { until } from '../support/until.ts';

const ROWS = 40;
const POISON = 7;
const settings = { confirmationSecret: 'secret', confirmationThreshold: 1e9 };

/** Refuses to store what the row of poison would be computed to: no fault of the store. */
const refusing = {
  sqlite: [
    `create trigger refuse before insert on cells when new.value = '"poison"' and new.status = 'completed'
       begin select raise(abort, 'no space left on device'); end`,
  ],
  postgres: [
    `create function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'Connection terminated'; end $$`,
    `create trigger refuse before insert or update on cells for each row
       when (new.value = '"poison"' and new.status = 'completed') execute function refuse()`,
  ],
} as const;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a store that fails, on ${kind}`, function () {
    this.timeout(120_000);
    let test: TestDatabase;
    let worker: RunningWorker | undefined;
    const failures: { readonly waitMs: number; readonly error: string }[] = [];
    const log: Log = {
      ...silent,
      error: (message, fields) => {
        if (message === 'Computing rows failed.') failures.push(fields as (typeof failures)[0]);
      },
    };

    beforeEach(async () => {
      failures.length = 0;
      test = await openTestDatabase(kind);
    });
    afterEach(async () => {
      await worker?.stop();
      worker = undefined;
      await test.close();
    });

    const makeSheet = async (): Promise<TestSheet> => {
      const sheet = await TestSheet.create(test.database, ['A', 'B'], ROWS, (_, row) =>
        row === POISON ? 'poison' : `text ${String(row)}`,
      );
      await sheet.addColumn('Copy', 'COALESCE', { sources: ['A', 'B'] });
      return sheet;
    };
    const start = async (sheet: TestSheet): Promise<() => Promise<OperationState>> => {
      const place = { key: sheet.key, id: sheet.record.id };
      const outcome = await createOperation(test.database, place, { statuses: [] }, settings);
      assert.ok(outcome.kind === 'queued');
      return async () => {
        const operation = await getOperation(test.database, sheet.key, outcome.operationId);
        assert.ok(operation);
        return operation;
      };
    };

    it('gives a row up that can not be stored, and all others are computed', async () => {
      const sheet = await makeSheet();
      const operation = await start(sheet);
      for (const statement of refusing[kind]) await test.database.run(statement);
      worker = await startWorker({ database: test.database, log });
      await until('the operation has ended', async () => (await operation()).pendingCount === 0);
      const { completedCount, failedCount } = await operation();
      assert.deepEqual([completedCount, failedCount], [ROWS - 1, 1]);
      const cell = (await sheet.cells('Copy'))[POISON];
      assert.equal(cell?.status, 'error');
      assert.match(cell.error_message ?? '', /could not compute or store this row/);
      // Each attempt is in the log, the first of many rows; the last one is told once it is stored.
      await until('each attempt is in the log', () => Promise.resolve(failures.length >= 1 + 5));
      assert.equal(failures.length, 1 + 5);
      assert.ok(failures.every(({ waitMs }) => waitMs === 0));
    });

    it('is waited for, longer each time, and goes on when it is back', async function () {
      const sheet = await makeSheet();
      const operation = await start(sheet);
      // What the layer throws for a database that is away, where results are to be committed.
      let isAway = true;
      const away = new Proxy(test.database, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name, target);
          if (name !== 'transaction') {
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          }
          const isCommit = new Error().stack?.includes('/commit.ts') === true;
          return (work: Parameters<Database['transaction']>[0]) =>
            target.transaction(async (session) => {
              const result = await work(session);
              if (isAway && isCommit) throw new StoreError('away', new Error(storeWords[1]));
              return result;
            });
        },
      });
      worker = await startWorker({ database: away, log });
      await until('two attempts have failed', async () => failures.length >= 2);
      assert.equal((await operation()).failedCount, 0);
      assert.equal((await operation()).pendingCount, ROWS);
      assert.deepEqual(
        failures.slice(0, 2).map(({ waitMs }) => waitMs),
        [1000, 2000],
      );
      isAway = false;
      await until('the operation has ended', async () => (await operation()).pendingCount === 0);
      assert.equal((await operation()).completedCount, ROWS);
    });

    if (kind === 'sqlite') {
      it('is full: says so with an error of its own, and takes writes again when there is room', async () => {
        const { database } = test;
        await database.run('create table filler (data blob)');
        const limit = (pages: number) =>
          database.transaction((session) =>
            session.query(`pragma max_page_count = ${String(pages)}`),
          );
        const fill = () => database.run('insert into filler values (zeroblob(1000000))');
        await limit(1);
        const error = await fill().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof StoreError, errorText(error));
        assert.equal(error.kind, 'full');
        assert.ok(error.cause instanceof Error, 'What the driver said is kept.');
        assert.deepEqual(
          [storeTrouble(error)?.status, storeTrouble(error)?.code],
          [507, 'storage_full'],
        );
        await limit(1_000_000);
        await fill();
        assert.equal(await database.run('delete from filler'), 1, 'What failed has left nothing.');
      });
    } else {
      it('has gone: says so with an error of its own, and is asked again when it is back', async () => {
        const { database } = test;
        const gone = await database
          .transaction((session) => session.run('select pg_terminate_backend(pg_backend_pid())'))
          .then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
        assert.ok(gone instanceof StoreError, errorText(gone));
        assert.deepEqual([gone.kind, storeTrouble(gone)?.status], ['away', 503]);
        assert.ok(gone.cause instanceof Error);
        await database.query('select 1');
      });
    }

    it('is not what any other error says, whatever its words and codes', async () => {
      for (const words of storeWords) {
        for (const code of ['ENOSPC', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '53100', '57P01']) {
          const error = Object.assign(new Error(words), { code, errcode: 13 });
          assert.equal(storeTrouble(new Error('Not saved', { cause: error })), undefined);
        }
      }
      const failure = Object.assign(new Error(storeWords[0]), { code: '40001x', errcode: 13 });
      await assert.rejects(
        test.database.transaction(async () => {
          throw failure;
        }),
        (error: unknown) => error === failure,
        'What the work throws passes through untouched.',
      );
      await assert.rejects(
        test.database.query('select no_such_column'),
        (error: unknown) => !(error instanceof StoreError),
        'A fault of the program is none of the store.',
      );
    });
  });
}
