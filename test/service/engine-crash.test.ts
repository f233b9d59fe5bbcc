import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import {
  cancelOperation,
  createOperation,
  getOperation,
  statusCounts,
  type OperationState,
} from '../../src/service/engine/index.ts';
import { openTestDatabase, TestSheet, type TestDatabase } from '../support/engine/sheet.ts';
import { killed, startWorkerProcess } from '../support/engine/start-worker-process.ts';
import { timeLimit } from '../support/time-limit.ts';
import { until } from '../support/until.ts';

const ROWS = 800;
const settings = { confirmationSecret: 'secret', confirmationThreshold: 1e9 };

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`workers that die, on ${kind}`, function () {
    this.timeout(300_000);
    let test: TestDatabase;
    const workers: ChildProcess[] = [];

    before(async () => {
      test = await openTestDatabase(kind);
    });
    afterEach(async () => {
      for (const worker of workers.splice(0)) await killed(worker);
    });
    after(() => test.close());

    const work = async (count = 1): Promise<void> => {
      const started = await Promise.all(
        Array.from({ length: count }, () => startWorkerProcess(test.address)),
      );
      workers.push(...started);
    };
    const makeSheet = async (): Promise<TestSheet> => {
      const sheet = await TestSheet.create(test.database, ['A'], ROWS, (_, row) =>
        'x'.repeat(1 + (row % 9)),
      );
      await sheet.addColumn('Length', 'COUNT', { source: 'A', type: 'chars' });
      await sheet.addColumn('Long', 'MATH_OPERATOR', {
        sources: ['Length'],
        operator: 'ge',
        value: 6,
      });
      return sheet;
    };
    const start = async (sheet: TestSheet): Promise<string> => {
      const outcome = await createOperation(
        test.database,
        { key: sheet.key, id: sheet.record.id },
        { statuses: [] },
        settings,
      );
      assert.ok(outcome.kind === 'queued');
      return outcome.operationId;
    };
    const read = async (sheet: TestSheet, id: string): Promise<OperationState> => {
      const operation = await getOperation(test.database, sheet.key, id);
      assert.ok(operation);
      return operation;
    };
    const assertRight = async (sheet: TestSheet): Promise<void> => {
      const lengths = await sheet.cells('Length');
      const longs = await sheet.cells('Long');
      for (let row = 0; row < ROWS; row += 1) {
        const length = 1 + (row % 9);
        assert.deepEqual(
          [lengths[row]?.status, lengths[row]?.value],
          ['completed', String(length)],
        );
        assert.deepEqual(
          [longs[row]?.status, longs[row]?.value],
          ['completed', String(length >= 6)],
        );
      }
    };

    it('nothing is lost, done twice or left running when workers are killed at any moment', async () => {
      const sheet = await makeSheet();
      const id = await start(sheet);
      let completed = 0;
      for (const delay of [20, 120]) {
        await work();
        await new Promise((resolve) => setTimeout(resolve, delay));
        await killed(workers.pop()!);
        const now = await read(sheet, id);
        assert.ok(now.completedCount >= completed, 'what was committed stays');
        completed = now.completedCount;
        const { counts } = await statusCounts(test.database, sheet.key);
        assert.equal(counts.completed, ROWS + completed, 'the counts and the cells agree');
      }
      await work();
      await until('it is done', async () => (await read(sheet, id)).status === 'completed', {
        limitMs: timeLimit(120_000),
      });
      const done = await read(sheet, id);
      assert.deepEqual(
        [done.cellCount, done.completedCount, done.failedCount],
        [2 * ROWS, 2 * ROWS, 0],
      );
      await assertRight(sheet);
      assert.deepEqual(await test.database.query('select * from task_ranges'), []);
    });

    it('a killed worker leaves no code running and no cell marked as running', async () => {
      const sheet = await TestSheet.create(test.database, ['A'], 4);
      await sheet.addColumn('Slow', 'CODE_EXECUTION', {
        code: 'const end = Date.now() + 400; while (Date.now() < end); return data.A;',
      });
      const id = await start(sheet);
      await work();
      await until(
        'code runs',
        async () => (await statusCounts(test.database, sheet.key)).counts.running > 0,
      );
      await killed(workers.pop()!);
      await work();
      await until('it is done', async () => (await read(sheet, id)).status === 'completed', {
        limitMs: timeLimit(120_000),
      });
      assert.equal((await read(sheet, id)).completedCount, 4);
    });

    if (kind === 'postgres') {
      it('two processes share an operation and each cell counts once', async () => {
        await work(2);
        const sheet = await makeSheet();
        const id = await start(sheet);
        await until('it is done', async () => (await read(sheet, id)).status === 'completed', {
          limitMs: timeLimit(60_000),
        });
        const done = await read(sheet, id);
        assert.deepEqual([done.completedCount, done.failedCount], [2 * ROWS, 0]);
        await assertRight(sheet);
      });

      it('a cancel under load stops both processes and the numbers add up', async () => {
        await work(2);
        const sheet = await makeSheet();
        const id = await start(sheet);
        await until('work has begun', async () => (await read(sheet, id)).completedCount > 0);
        const { cancelledCellCount } = await cancelOperation(test.database, sheet.key, id);
        const { completedCount } = await read(sheet, id);
        assert.equal(completedCount + cancelledCellCount, 2 * ROWS);
        await new Promise((resolve) => setTimeout(resolve, 500));
        const { counts } = await statusCounts(test.database, sheet.key);
        assert.deepEqual(
          [counts.completed - ROWS, counts.stale, counts.queued, counts.running],
          [completedCount, cancelledCellCount, 0, 0],
        );
        assert.deepEqual(await test.database.query('select * from task_ranges'), []);
      });
    }
  });
}
