import assert from 'node:assert/strict';
import { createOperation } from '../../src/service/engine/index.ts';
import { claimTasks, findWaiting, type Claim } from '../../src/service/engine/worker/claim.ts';
import { rowsOfRanges, type RowRange } from '../../src/service/engine/worker/task-ranges.ts';
import { reapHung, reapTasks } from '../../src/service/engine/worker/reap.ts';
import { openTestDatabase, TestSheet, type TestDatabase } from '../support/engine/sheet.ts';

const settings = { confirmationSecret: 'test', confirmationThreshold: Infinity };

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`rows whose worker ended, on ${kind}`, function () {
    this.timeout(60_000);
    let test: TestDatabase;
    before(async () => {
      test = await openTestDatabase(kind);
    });
    after(() => test.close());

    const queued = async (rows: number): Promise<TestSheet> => {
      const sheet = await TestSheet.create(test.database, ['A'], rows);
      await sheet.addColumn('Length', 'COUNT', { source: 'A', type: 'chars' });
      const place = { key: sheet.key, id: sheet.record.id };
      const outcome = await createOperation(test.database, place, {}, settings);
      assert.equal(outcome.kind, 'queued');
      return sheet;
    };
    const claim = async ({ key }: TestSheet, worker: string, limit = 20): Promise<Claim> => {
      const waiting = await findWaiting(test.database, 0, 100, undefined);
      const operation = waiting.find(({ sheetKey }) => sheetKey === key);
      assert.ok(operation, 'Nothing waits.');
      const found = await claimTasks(test.database, operation, { worker, limit, leaseMs: 60_000 });
      assert.ok(found, 'Nothing was claimed.');
      return found;
    };
    const attemptsOf = async ({ key }: TestSheet): Promise<Record<string, number>> => {
      const tasks = await test.database.query<RowRange & { attempts: number }>(
        'select first_row, last_row, attempts from task_ranges where sheet_key = ? and attempts > 0',
        [key],
      );
      return Object.fromEntries(
        tasks.flatMap((task) => rowsOfRanges([task]).map((row) => [row, task.attempts])),
      );
    };

    it('only the row that hung has had an attempt, comes last, and is given up when it hangs again', async () => {
      const sheet = await queued(10);
      const first = await claim(sheet, 'first');
      assert.equal(first.rowIndices.length, 10);
      await reapHung(test.database, 'first', { ...first, rowIndex: 3 });
      assert.deepEqual(await attemptsOf(sheet), { 3: 1 });
      const second = await claim(sheet, 'second');
      assert.deepEqual(second.rowIndices, [0, 1, 2, 4, 5, 6, 7, 8, 9]);
      const third = await claim(sheet, 'third');
      assert.deepEqual(third.rowIndices, [3]);
      await reapHung(test.database, 'third', { ...third, rowIndex: 3 });
      const cell = await test.database.one<{ status: string; error_message: string }>(
        `select status, error_message from cells where sheet_key = ? and row_index = 3 and status = 'error'`,
        [sheet.key],
      );
      assert.match(cell?.error_message ?? '', /had to be ended, 2 times\. Check its inputs/);
      const operation = await test.database.one<{ failed_count: number }>(
        'select failed_count from operations where sheet_key = ?',
        [sheet.key],
      );
      assert.equal(operation?.failed_count, 1);
    });

    it('others are tried first, then a few together, then each alone, each with attempts of its own', async () => {
      const sheet = await queued(40);
      await claim(sheet, 'dead', 30);
      await reapHung(test.database, 'dead', undefined);
      const sizes: number[] = [];
      const fresh = await claim(sheet, 'w');
      assert.deepEqual(
        fresh.rowIndices,
        Array.from({ length: 10 }, (_, at) => 30 + at),
      );
      sizes.push((await claim(sheet, 'dead again')).rowIndices.length);
      await reapHung(test.database, 'dead again', undefined);
      sizes.push((await claim(sheet, 'w')).rowIndices.length);
      sizes.push((await claim(sheet, 'w')).rowIndices.length);
      assert.deepEqual(sizes, [16, 14, 1]);
    });

    it('operations with rows that nobody has tried come first', async () => {
      const suspect = await queued(2);
      await claim(suspect, 'gone');
      await reapHung(test.database, 'gone', undefined);
      const fresh = await queued(2);
      const order = (await findWaiting(test.database, 0, 100, undefined)).map(
        ({ sheetKey }) => sheetKey,
      );
      assert.ok(order.indexOf(fresh.key) < order.indexOf(suspect.key), String(order));
      assert.equal(await reapTasks(test.database, { everything: false }), 0);
    });
  });
}
