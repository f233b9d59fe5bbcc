import assert from 'node:assert/strict';
import {
  cancelOperation,
  createOperation,
  getOperation,
  listOperations,
  readMirror,
  recalculateCells,
  startWorker,
  statusCounts,
  type CreateOutcome,
  type RunningWorker,
  type Selection,
} from '../../src/service/engine/index.ts';
import type { ColumnRecord } from '../../src/service/store/records.ts';
import { openTestDatabase, silent, TestSheet, type TestDatabase } from '../support/engine/sheet.ts';
import { timeLimit } from '../support/time-limit.ts';
import { until } from '../support/until.ts';

const settings = { confirmationSecret: 'secret' };

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`Operations, on ${kind}`, function () {
    this.timeout(120_000);
    let test: TestDatabase;
    let worker: RunningWorker | undefined;

    before(async () => {
      test = await openTestDatabase(kind);
    });
    afterEach(async () => {
      await worker?.stop();
      worker = undefined;
    });
    after(() => test.close());

    const start = (
      sheet: TestSheet,
      selection: Selection = {},
      threshold = 1000,
    ): Promise<CreateOutcome> =>
      createOperation(test.database, { key: sheet.key, id: sheet.record.id }, selection, {
        ...settings,
        confirmationThreshold: threshold,
      });
    const startQueued = async (sheet: TestSheet, selection: Selection = {}): Promise<string> => {
      const outcome = await start(sheet, selection, 1e9);
      assert.ok(outcome.kind === 'queued');
      return outcome.operationId;
    };
    const finished = (sheet: TestSheet, id: string): Promise<true> =>
      until('the operation has ended', async () => {
        const operation = await getOperation(test.database, sheet.key, id);
        return operation?.status === 'completed' || operation?.status === 'failed';
      });
    const run = async (sheet: TestSheet, selection: Selection = {}): Promise<string> => {
      worker ??= await startWorker({ database: test.database, log: silent });
      const id = await startQueued(sheet, selection);
      await finished(sheet, id);
      return id;
    };
    /** A text, its length, and whether that is at least 8. */
    const chain = async (rows: number): Promise<TestSheet> => {
      const sheet = await TestSheet.create(
        test.database,
        ['A'],
        rows,
        (_, row) => `row ${String(row)}`,
      );
      await sheet.addColumn('Length', 'COUNT', { source: 'A', type: 'chars' });
      await sheet.addColumn('Long', 'MATH_OPERATOR', {
        sources: ['Length'],
        operator: 'ge',
        value: 6,
      });
      return sheet;
    };
    const values = async (sheet: TestSheet, title: string) =>
      (await sheet.cells(title)).map(({ status, value }) => `${status} ${String(value)}`);

    it('computes stale cells in the order of their dependencies and counts them', async () => {
      const sheet = await chain(3);
      await sheet.edit(1, 'A', 'row one');
      assert.deepEqual((await statusCounts(test.database, sheet.key)).counts, {
        stale: 6,
        queued: 0,
        running: 0,
        completed: 3,
        error: 0,
        cancelled: 0,
      });
      const id = await run(sheet);
      assert.deepEqual(await values(sheet, 'Length'), [
        'completed 5',
        'completed 7',
        'completed 5',
      ]);
      assert.deepEqual(await values(sheet, 'Long'), [
        'completed false',
        'completed true',
        'completed false',
      ]);
      const operation = await getOperation(test.database, sheet.key, id);
      assert.equal(operation?.status, 'completed');
      assert.deepEqual(
        [operation.cellCount, operation.completedCount, operation.pendingCount],
        [6, 6, 0],
      );
      assert.deepEqual(await listOperations(test.database, sheet.key), []);
      const { counts, totalCells } = await statusCounts(test.database, sheet.key);
      assert.deepEqual([counts.completed, counts.stale, totalCells], [9, 0, 9]);
      const cell = await sheet.cell(1, 'Length');
      assert.equal(cell?.num, 7);
      assert.equal(cell.execution_id, id);
      const version = await test.database.one<{ version_count: number }>(
        'select version_count from sheets where key = ?',
        [sheet.key],
      );
      assert.equal(cell.last_computed_version, version?.version_count);
    });

    it('answers what there is to do: nothing, a confirmation, or the queue', async () => {
      const sheet = await chain(4);
      assert.equal((await start(sheet, { columnIds: [] })).kind, 'nothing');
      assert.equal((await start(sheet, { rowIndices: [] })).kind, 'nothing');
      assert.equal((await start(sheet, { statuses: ['COMPLETED'] })).kind, 'nothing');
      const question = await start(sheet, {}, 7);
      assert.ok(question.kind === 'confirmation');
      assert.equal(question.affectedCellCount, 8);
      const other = await start(
        sheet,
        { rowIndices: [0, 1, 2, 3], confirmationToken: question.token },
        7,
      );
      assert.equal(other.kind, 'confirmation', 'a token is good for its selection only');
      await sheet.edit(0, 'A', 'a newer version of the sheet');
      const queued = await start(sheet, { confirmationToken: question.token }, 7);
      assert.ok(queued.kind === 'queued');
      assert.deepEqual([queued.cellCount, queued.virtualCellCount, queued.cells.length], [8, 8, 8]);
      assert.equal((await start(sheet)).kind, 'nothing', 'queued cells are not queued twice');
      await cancelOperation(test.database, sheet.key, queued.operationId);
    });

    it('selects by column, row and status, and refuses columns that are not computed', async () => {
      const sheet = await chain(5);
      const length = await sheet.columnId('Length');
      const outcome = await start(sheet, {
        columnIds: [length.toUpperCase()],
        rowIndices: [1, 3, 99],
      });
      assert.ok(outcome.kind === 'queued');
      assert.deepEqual(
        outcome.cells,
        [1, 3].map((rowIndex) => ({ rowIndex, columnKey: sheet.column('Length') })),
      );
      await cancelOperation(test.database, sheet.key, outcome.operationId);
      await assert.rejects(start(sheet, { columnIds: [await sheet.columnId('A')] }), {
        name: 'EngineProblem',
        message: /"A" is a TEXT column; only computed columns/,
      });
      await assert.rejects(start(sheet, { columnIds: [sheet.record.id] }), /there is no column/);
      await assert.rejects(start(sheet, { statuses: ['LATER'] }), /"LATER" is not known/);
    });

    it('computes completed cells again when asked to, and skips stale ones with the same inputs', async () => {
      const sheet = await TestSheet.create(test.database, ['A'], 2);
      await sheet.addColumn('Random', 'CODE_EXECUTION', {
        code: 'data.A + Math.random()',
        language: 'JAVASCRIPT',
      });
      await run(sheet);
      const first = await values(sheet, 'Random');
      assert.equal(await sheet.edit(0, 'A', 'changed'), 1);
      assert.equal(await sheet.edit(0, 'A', 'A 0'), 0, 'it is stale already');
      await run(sheet);
      assert.deepEqual(await values(sheet, 'Random'), first, 'the inputs are what they were');
      await run(sheet, { statuses: [] });
      assert.notDeepEqual(await values(sheet, 'Random'), first);
    });

    it('recalculates chosen cells', async () => {
      const sheet = await chain(3);
      worker = await startWorker({ database: test.database, log: silent });
      const name = { key: sheet.key, id: sheet.record.id };
      const outcome = await recalculateCells(test.database, name, [
        { rowIndex: 0, columnKey: sheet.column('Length') },
        { rowIndex: 2, columnKey: sheet.column('Long') },
      ]);
      assert.ok(outcome.kind === 'queued');
      await finished(sheet, outcome.executionId);
      assert.deepEqual(await values(sheet, 'Length'), ['completed 5']);
      const [failed] = await sheet.cells('Long');
      assert.equal(failed?.status, 'error');
      assert.match(failed.error_message ?? '', /Column "Length" has no value in this row yet/);
      const typed = await recalculateCells(test.database, name, [
        { rowIndex: 0, columnKey: sheet.column('A') },
      ]);
      assert.equal(typed.kind, 'nothing', 'typed-in cells have nothing to compute');
    });

    it('keeps errors in their cells, names the source, and recovers', async () => {
      const sheet = await TestSheet.create(test.database, ['N'], 2, (_, row) =>
        row === 0 ? 'one' : '5',
      );
      await sheet.addColumn('Number', 'PARSE_VALUE', { source: 'N', type: 'number' });
      await sheet.addColumn('Small', 'MATH_OPERATOR', {
        sources: ['Number'],
        operator: 'lt',
        value: 9,
      });
      const id = await run(sheet);
      const operation = await getOperation(test.database, sheet.key, id);
      assert.deepEqual([operation?.completedCount, operation?.failedCount], [2, 2]);
      assert.equal((await sheet.cell(0, 'Number'))?.error, 'invalid_input');
      assert.match(
        (await sheet.cell(0, 'Small'))?.error_message ?? '',
        /^Column "Number" failed: Column "N" holds "one"/,
      );
      await sheet.edit(0, 'N', '12345678901234567890');
      await run(sheet);
      assert.deepEqual(await values(sheet, 'Number'), [
        'completed 12345678901234567890',
        'completed 5',
      ]);
      assert.equal((await sheet.cell(0, 'Small'))?.error_message, null);
    });

    it('makes dependants stale when a result changes, and only then', async () => {
      const sheet = await chain(2);
      await run(sheet);
      await sheet.setConfig('Length', { source: 'A', type: 'words' });
      assert.deepEqual(await values(sheet, 'Long'), ['stale false', 'stale false']);
      await run(sheet);
      assert.deepEqual(await values(sheet, 'Length'), ['completed 2', 'completed 2']);
      await run(sheet, { columnIds: [await sheet.columnId('Length')], statuses: [] });
      assert.deepEqual(await values(sheet, 'Long'), ['completed false', 'completed false']);
    });

    it('cancels: queued cells go back to what they were, once', async () => {
      const sheet = await chain(3);
      await run(sheet);
      await worker?.stop();
      worker = undefined;
      await sheet.edit(0, 'A', 'something longer');
      const before = await sheet.cells('Length');
      const id = await startQueued(sheet, {
        columnIds: [await sheet.columnId('Length')],
        statuses: [],
      });
      const outcome = await cancelOperation(test.database, sheet.key, id);
      assert.deepEqual(outcome, {
        operationId: id,
        executionIds: [id],
        cancelledCellCount: 3,
        notStartedResetCount: 3,
        runningInvalidatedCount: 0,
      });
      const after = await sheet.cells('Length');
      const withoutTime = (cells: typeof before) =>
        cells.map((cell) => ({ ...cell, updated_at: 0 }));
      assert.deepEqual(withoutTime(after), withoutTime(before));
      assert.equal((await getOperation(test.database, sheet.key, id))?.status, 'cancelled');
      const again = await cancelOperation(test.database, sheet.key, id);
      assert.deepEqual([again.cancelledCellCount, again.executionIds], [0, []]);
      assert.equal(
        (await cancelOperation(test.database, sheet.key, 'unknown')).cancelledCellCount,
        0,
      );
      const tasks = await test.database.query('select * from task_ranges where sheet_key = ?', [
        sheet.key,
      ]);
      assert.equal(tasks.length, 0);
    });

    it('commits the results of quick code together, each cell with its own', async () => {
      const rows = 300;
      const sheet = await TestSheet.create(test.database, ['A'], rows, (_, row) => row);
      await sheet.addColumn('Twice', 'CODE_EXECUTION', {
        code: 'globalThis.seen = (globalThis.seen ?? 0) + 1; return [data.A * 2, seen]',
      });
      await sheet.addColumn('Text', 'COMBINE_COLUMNS', { sources: ['Twice'] });
      const version = await sheet.version();
      await run(sheet);
      const commits = (await sheet.version()) - version;
      assert.ok(commits < rows / 3, `${String(commits)} commits for ${String(rows)} rows`);
      assert.deepEqual(
        (await sheet.cells('Text')).map(({ status, value }) => `${status} ${String(value)}`),
        Array.from({ length: rows }, (_, row) => `completed {"Twice":[${String(row * 2)},1]}`),
      );
    });

    it('cancels running code, which frees its process at once, and drops its late result', async () => {
      const sheet = await TestSheet.create(test.database, ['A'], 6);
      await sheet.addColumn('Slow', 'CODE_EXECUTION', { code: 'data.A; while (true) {}' });
      worker = await startWorker({
        database: test.database,
        log: silent,
        sandbox: { limits: { timeMs: 600_000 } },
      });
      const id = await startQueued(sheet);
      await until(
        'code runs',
        async () => (await statusCounts(test.database, sheet.key)).counts.running === 2,
      );
      const operation = await getOperation(test.database, sheet.key, id);
      assert.deepEqual(
        [operation?.status, operation?.counts.running, operation?.counts.queued],
        ['running', 2, 4],
      );
      const outcome = await cancelOperation(test.database, sheet.key, id);
      assert.deepEqual(
        [outcome.cancelledCellCount, outcome.notStartedResetCount, outcome.runningInvalidatedCount],
        [6, 4, 2],
      );
      const other = await TestSheet.create(test.database, ['A'], 2);
      await other.addColumn('Code', 'CODE_EXECUTION', { code: 'data.A' });
      const before = Date.now();
      await run(other);
      assert.ok(Date.now() - before < timeLimit(7500), 'the loops hold no process any more');
      assert.equal((await statusCounts(test.database, sheet.key)).counts.stale, 6);
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal((await statusCounts(test.database, sheet.key)).counts.stale, 6);
    });

    it('computes again what was edited while it was computed', async () => {
      const sheet = await TestSheet.create(test.database, ['A'], 1, () => 'first');
      await sheet.addColumn('Slow', 'CODE_EXECUTION', {
        code: 'const end = Date.now() + 2000; while (Date.now() < end); return data.A;',
      });
      await sheet.addColumn('Copy', 'COALESCE', { sources: ['Slow', 'A'] });
      worker = await startWorker({ database: test.database, log: silent });
      const id = await startQueued(sheet);
      await until('the code runs', async () => (await sheet.cell(0, 'Slow'))?.status === 'running');
      await sheet.edit(0, 'A', 'second');
      await finished(sheet, id);
      assert.deepEqual(await values(sheet, 'Slow'), ['completed "second"']);
      assert.deepEqual(await values(sheet, 'Copy'), ['completed "second"']);
      const operation = await getOperation(test.database, sheet.key, id);
      assert.deepEqual([operation?.cellCount, operation?.completedCount], [2, 2]);
    });

    it('converges when rows are edited during a run', async () => {
      const rows = 400;
      const sheet = await chain(rows);
      worker = await startWorker({ database: test.database, log: silent });
      await startQueued(sheet);
      let seed = 7;
      const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
      const expected = new Map<number, string>();
      for (let edit = 0; edit < 60; edit += 1) {
        const row = random(rows);
        const value = 'x'.repeat(1 + random(12));
        expected.set(row, value);
        await sheet.edit(row, 'A', value);
        if (edit % 10 === 9) await start(sheet, {}, 1e9);
      }
      await until(
        'all is done',
        async () => (await listOperations(test.database, sheet.key)).length === 0,
      );
      if ((await start(sheet, {}, 1e9)).kind === 'queued') {
        await until(
          'all is done',
          async () => (await listOperations(test.database, sheet.key)).length === 0,
        );
      }
      const lengths = await sheet.cells('Length');
      const longs = await sheet.cells('Long');
      for (let row = 0; row < rows; row += 1) {
        const length = (expected.get(row) ?? `row ${String(row)}`).length;
        assert.equal(lengths[row]?.value, String(length), `row ${String(row)}`);
        assert.equal(longs[row]?.value, String(length >= 6), `row ${String(row)}`);
        assert.equal(longs[row]?.status, 'completed');
      }
    });

    it('goes on when rows and columns are deleted under it', async () => {
      const sheet = await chain(4);
      const id = await startQueued(sheet);
      await test.database.run('delete from rows where sheet_key = ? and row_index = 1', [
        sheet.key,
      ]);
      await test.database.run('delete from cells where sheet_key = ? and row_index = 1', [
        sheet.key,
      ]);
      await test.database.run('update columns set deleted_at = 1 where sheet_key = ? and key = ?', [
        sheet.key,
        sheet.column('Length'),
      ]);
      worker = await startWorker({ database: test.database, log: silent });
      await finished(sheet, id);
      const operation = await getOperation(test.database, sheet.key, id);
      assert.equal(operation?.cellCount, 3);
      assert.match(
        (await sheet.cell(0, 'Long'))?.error_message ?? '',
        /Column "Length" no longer exists/,
      );
      assert.deepEqual(await values(sheet, 'Length'), ['stale null', 'stale null', 'stale null']);
    });

    it('a long operation does not hold up another sheet', async () => {
      const slow = await TestSheet.create(test.database, ['A'], 100);
      await slow.addColumn('Slow', 'CODE_EXECUTION', {
        code: 'const end = Date.now() + 200; while (Date.now() < end); return data.A;',
      });
      worker = await startWorker({ database: test.database, log: silent });
      const id = await startQueued(slow);
      const quick = await chain(50);
      await run(quick);
      assert.equal((await getOperation(test.database, slow.key, id))?.status, 'running');
      await cancelOperation(test.database, slow.key, id);
    });

    it('mirrors other columns without computing them, and others can use the mirror', async () => {
      const sheet = await chain(3);
      await sheet.addColumn('Mirror', 'COMPOSITION', { source: 'Length' });
      await sheet.addColumn('Sum', 'COMBINE_COLUMNS', { sources: ['Mirror', 'A'] });
      const before = (await statusCounts(test.database, sheet.key)).totalCells;
      assert.equal(before, 12, 'A, Length, Long and Sum');
      await run(sheet);
      assert.deepEqual(
        await values(sheet, 'Sum'),
        [0, 1, 2].map((row) => `completed {"Mirror":5,"A":"row ${String(row)}"}`),
      );
      await sheet.edit(1, 'A', 'longer text');
      assert.equal((await sheet.cell(1, 'Sum'))?.status, 'stale');
    });

    it('mirrors a column of another sheet by position, also after rows were deleted', async () => {
      const other = await TestSheet.create(test.database, ['A'], 3);
      await other.addColumn('Length', 'COUNT', { source: 'A', type: 'chars' });
      await run(other);
      const table = await test.database.one<{ id: string }>('select id from tables where key = ?', [
        other.record.table_key,
      ]);
      const sheet = await TestSheet.create(test.database, ['B'], 4);
      const source = `${table!.id}.${other.record.id}.Length`;
      await sheet.addColumn('Mirror', 'COMPOSITION', { source });
      await sheet.addColumn('Big', 'MATH_OPERATOR', {
        sources: ['Mirror'],
        operator: 'ge',
        value: 3,
      });
      const mirrored = async () => {
        const column = await test.database.one<ColumnRecord>(
          'select * from columns where sheet_key = ? and key = ?',
          [sheet.key, sheet.column('Mirror')],
        );
        const mirror = await readMirror(test.database, column!, [0, 1, 2, 3]);
        return [...mirror].map(([row, { value }]) => [row, value]);
      };
      assert.deepEqual(await mirrored(), [
        [0, '3'],
        [1, '3'],
        [2, '3'],
      ]);
      await run(sheet);
      assert.deepEqual(await values(sheet, 'Big'), [
        'completed true',
        'completed true',
        'completed true',
        'error null',
      ]);
      await other.edit(2, 'A', 'longer');
      await run(other);
      for (const deleted of ['rows', 'cells']) {
        await test.database.run(`delete from ${deleted} where sheet_key = ? and row_index = 0`, [
          other.key,
        ]);
      }
      await test.database.run('update sheets set row_count = row_count - 1 where key = ?', [
        other.key,
      ]);
      assert.deepEqual(await mirrored(), [
        [0, '3'],
        [1, '6'],
      ]);
    });
  });
}
