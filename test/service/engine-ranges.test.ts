import assert from 'node:assert/strict';
import { cancelOperation, createOperation } from '../../src/service/engine/index.ts';
import {
  claimTasks,
  findWaiting,
  releaseClaim,
  type Claim,
  type WaitingOperation,
} from '../../src/service/engine/worker/claim.ts';
import { openTestDatabase, TestSheet, type TestDatabase } from '../support/engine/sheet.ts';

const settings = { confirmationSecret: 'test', confirmationThreshold: Infinity };

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`ranges of rows that wait, on ${kind}`, function () {
    this.timeout(120_000);
    let test: TestDatabase;
    before(async () => {
      test = await openTestDatabase(kind);
    });
    after(() => test.close());

    interface Queued {
      readonly sheet: TestSheet;
      readonly operation: WaitingOperation;
      readonly operationId: string;
    }
    const queued = async (rows: number, rowIndices?: readonly number[]): Promise<Queued> => {
      const sheet = await TestSheet.create(test.database, ['A'], rows);
      await sheet.addColumn('Length', 'COUNT', { source: 'A', type: 'chars' });
      await sheet.addColumn('Long', 'MATH_OPERATOR', {
        sources: ['Length'],
        operator: 'ge',
        value: 6,
      });
      const place = { key: sheet.key, id: sheet.record.id };
      const outcome = await createOperation(test.database, place, { rowIndices }, settings);
      assert.ok(outcome.kind === 'queued');
      const waiting = await findWaiting(test.database, 0, 100, undefined);
      const operation = waiting.find(({ sheetKey }) => sheetKey === sheet.key);
      assert.ok(operation);
      return { sheet, operation, operationId: outcome.operationId };
    };
    const claim = (
      operation: WaitingOperation,
      limit: number,
      after?: number,
    ): Promise<Claim | undefined> =>
      claimTasks(test.database, operation, {
        worker: 'w',
        limit,
        leaseMs: 60_000,
        ...(after !== undefined && { after }),
      });
    const tasks = ({ sheet }: Queued): Promise<unknown[]> =>
      test.database.lists(
        'select first_row, last_row, state, attempts from task_ranges where sheet_key = ? order by last_row',
        [sheet.key],
      );

    it('are as few as there are, and each row is claimed once by those who ask at the same moment', async () => {
      const rows = Array.from({ length: 300 }, (_, row) => row).filter(
        (row) => row < 100 || row % 3 !== 0,
      );
      const all = await queued(300, rows);
      const found = await tasks(all);
      assert.equal(found.length, 1 + 66, String(found.length));
      const claimed: number[] = [];
      const claimer = async (limit: number): Promise<void> => {
        let after: number | undefined;
        for (;;) {
          const next = await claim(all.operation, limit, after);
          if (!next) return;
          assert.ok(next.rowIndices.length <= limit);
          claimed.push(...next.rowIndices);
          after = next.rowIndices.at(-1);
        }
      };
      await Promise.all([1, 3, 7, 20, 64].map(claimer));
      assert.deepEqual(
        claimed.toSorted((a, b) => a - b),
        rows,
      );
    });

    it('are what a claim that is given back has left, at the same attempts', async () => {
      const all = await queued(10);
      const one = await claim(all.operation, 8);
      assert.deepEqual(await tasks(all), [
        [0, 7, 'claimed', 1],
        [8, 9, 'waiting', 0],
      ]);
      assert.ok(one);
      // As a commit of rows 2 and 5 leaves them.
      await test.database.run(
        `update cells set status = 'completed', operation_key = null
         where sheet_key = ? and row_index in (2, 5) and operation_key is not null`,
        [all.sheet.key],
      );
      await releaseClaim(test.database, one);
      assert.deepEqual(await tasks(all), [
        [0, 1, 'waiting', 0],
        [3, 4, 'waiting', 0],
        [6, 7, 'waiting', 0],
        [8, 9, 'waiting', 0],
      ]);
      const again = await claim(all.operation, 5);
      assert.deepEqual(again?.rowIndices, [0, 1, 3, 4, 6]);
      assert.deepEqual(await tasks(all), [
        [0, 1, 'claimed', 1],
        [3, 4, 'claimed', 1],
        [6, 6, 'claimed', 1],
        [7, 7, 'waiting', 0],
        [8, 9, 'waiting', 0],
      ]);
    });

    it('leave nothing behind when the operation is canceled while they are claimed', async () => {
      for (let round = 0; round < 5; round += 1) {
        const all = await queued(60);
        const claims = Array.from({ length: 6 }, () => claim(all.operation, 7));
        const cancel = cancelOperation(test.database, all.sheet.key, all.operationId);
        await Promise.all([...claims, cancel, claim(all.operation, 7)]);
        assert.deepEqual(await tasks(all), []);
        assert.equal(await claim(all.operation, 7), undefined);
      }
    });
  });
}
