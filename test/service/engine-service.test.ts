import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { timeLimit } from '../support/time-limit.ts';
import type { Api, Json, SheetPlace } from './support/api.ts';
import { cellAt } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { newFolder, RunningService } from './support/running-service.ts';
import { until } from '../support/until.ts';

const ROWS = 1200;

async function addColumn(
  api: Api,
  sheet: SheetPlace,
  title: string,
  type: string,
  config: object,
): Promise<string> {
  const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, {
    title,
    type,
    config,
  });
  return column.id;
}

/** Starts an operation on everything, confirming when asked. */
async function recalculate(api: Api, sheet: SheetPlace, body: object = {}): Promise<Json> {
  const first = (await api.call('POST', `${sheet.path}/operations`, body)).body;
  if (!first.requires_confirmation) return first;
  return api.expect(202, 'POST', `${sheet.path}/operations`, {
    ...body,
    confirmation_token: first.confirmation_token,
  });
}

async function finished(api: Api, sheet: SheetPlace, id: string, limitMs = 60_000): Promise<Json> {
  return until(
    'the operation has ended',
    async () => {
      const { operation } = await api.get(`${sheet.path}/operations/${id}`);
      return operation.pending_count === 0 && operation;
    },
    { limitMs: timeLimit(limitMs) },
  );
}

onEachBackend('The cell engine behind the service', (backend) => {
  const csv = `Name,Amount\n${Array.from({ length: ROWS }, (_, row) => `name ${String(row)},${String(row)}.50`).join('\n')}`;

  it('marks stale what reads another sheet, also when the two read each other', async function () {
    this.timeout(60_000);
    const { api } = await backend.share();
    const sheets = [await api.sheetOf('Text\none'), await api.sheetOf('Text\ntwo')] as const;
    const computed: string[] = [];
    for (const [index, sheet] of sheets.entries()) {
      const other = sheets[1 - index]!;
      await addColumn(api, sheet, 'Mirror', 'COMPOSITION', {
        source: `${other.tableId}.${other.sheetId}.Text`,
      });
      computed.push(
        await addColumn(api, sheet, 'Length', 'COUNT', { source: 'Mirror', type: 'chars' }),
      );
      const { operation_id: id } = await recalculate(api, sheet);
      await finished(api, sheet, id);
    }
    const [first, second] = sheets;
    const stateOf = async (index: 0 | 1): Promise<readonly [string, unknown, number]> => {
      const page = await api.get(`${sheets[index].path}/rows`);
      const { status, value } = cellAt(page, 0, computed[index]!);
      return [status, value, page.version];
    };
    /** What was done to the other sheet meanwhile may be news to it once more. */
    const computeFirst = async (): Promise<unknown> => {
      const [, value] = await until('it comes to rest', async () => {
        const { operation_id: id } = await recalculate(api, first, { statuses: [] });
        await finished(api, first, id);
        const state = await stateOf(0);
        return state[0] === 'completed' && state;
      });
      return value;
    };
    assert.equal(await computeFirst(), 3);
    const { data } = await api.get(`${second.path}/rows`);
    const text = Object.values(data[0]!.cells).find(({ value }) => value === 'two')!;
    await api.expect(200, 'PATCH', `${second.path}/cells/${text.id}`, { value: 'longer' });
    await until(
      'the reader in the other sheet is stale',
      async () => (await stateOf(0))[0] === 'stale',
    );
    assert.equal(await computeFirst(), 6);
    // They come to rest: nothing goes back and forth.
    await pause(1500);
    const before = [await stateOf(0), await stateOf(1)];
    await pause(1500);
    assert.deepEqual([await stateOf(0), await stateOf(1)], before);
  });

  it('goes on after kill -9 with what was committed, and nothing stays running', async function () {
    this.timeout(120_000);
    const folder = newFolder();
    let service = await RunningService.start({ folder, databaseUrl: backend.databaseUrl() });
    try {
      const sheet = await service.api.sheetOf(csv);
      await addColumn(service.api, sheet, 'Length', 'COUNT', { source: 'Name', type: 'chars' });
      await addColumn(service.api, sheet, 'Big', 'MATH_OPERATOR', {
        sources: ['Amount'],
        operator: 'ge',
        value: 1000,
      });
      const { operation_id: id } = await recalculate(service.api, sheet, { statuses: [] });
      let completed = 0;
      for (const delay of [0, 60]) {
        await pause(delay);
        await service.kill('SIGKILL');
        service = await RunningService.start({ folder, databaseUrl: backend.databaseUrl() });
        const { operation } = await service.api.get(`${sheet.path}/operations/${id}`);
        assert.ok(operation.completed_count >= completed);
        completed = operation.completed_count;
      }
      const operation = await finished(service.api, sheet, id);
      assert.deepEqual(
        [operation.status, operation.cell_count, operation.completed_count],
        ['completed', 2 * ROWS, 2 * ROWS],
      );
      const counts = await service.api.get(`${sheet.path}/status-counts`);
      assert.deepEqual(
        [counts.status_counts.COMPLETED, counts.status_counts.RUNNING],
        [4 * ROWS, 0],
      );
      const page = await service.api.get(`${sheet.path}/rows?order=desc&limit=1`);
      const values = Object.values(page.data[0]!.cells).map((cell) => cell.value);
      assert.deepEqual(values, [`name ${String(ROWS - 1)}`, `${String(ROWS - 1)}.50`, 9, true]);
    } finally {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('answers while hostile code runs, and cancels it', async function () {
    this.timeout(60_000);
    const { api } = await backend.share();
    const sheet = await api.sheetOf('A\n1\n2\n3\n4\n5\n6\n');
    const loop = await addColumn(api, sheet, 'Loop', 'code', {
      code: 'data.A; while (true) {}',
      language: 'JAVASCRIPT',
    });
    const { operation_id: id } = await recalculate(api, sheet);
    await until('it runs', async () => {
      const { operation } = await api.get(`${sheet.path}/operations/${id}`);
      return operation.status_counts.RUNNING > 0;
    });
    await api.get(`${sheet.path}/rows`);
    const cancelled = await api.expect(200, 'DELETE', `${sheet.path}/operations/${id}`);
    assert.equal(cancelled.cancelled_cell_count, 6);
    assert.equal(cancelled.not_started_reset_count + cancelled.running_invalidated_count, 6);
    assert.ok(cancelled.running_invalidated_count > 0);
    const { data } = await api.get(`${sheet.path}/rows`);
    for (const row of data) assert.equal(row.cells[loop]!.status, 'stale');
    assert.deepEqual((await api.get(`${sheet.path}/operations`)).active_operations, []);
  });

  it('shows the error of a cell in the row, and recalculates it by its id', async () => {
    const { api } = await backend.share();
    const sheet = await api.sheetOf('A\nnot a number\n');
    const column = await addColumn(api, sheet, 'Number', 'PARSE_VALUE', {
      source: 'A',
      type: 'number',
    });
    const { operation_id: id } = await recalculate(api, sheet);
    const operation = await finished(api, sheet, id);
    assert.deepEqual([operation.status, operation.failed_count], ['failed', 1]);
    const page = await api.get(`${sheet.path}/rows`);
    const cell = page.data[0]!.cells[column]!;
    assert.equal(cell.status, 'error');
    assert.match(cell.error_message, /Column "A" holds "not a number"/);
    const edited = await api.expect(
      200,
      'PATCH',
      `${sheet.path}/cells/${page.data[0]!.cells[sheet.columnId]!.id}`,
      { value: '12.50' },
    );
    assert.equal(edited.stale_count, 1);
    const again = await api.expect(202, 'POST', `${sheet.path}/cells/${cell.id}/recalculations`);
    await finished(api, sheet, again.execution_id);
    const { cell: fixed } = await api.get(`${sheet.path}/cells/${cell.id}`);
    assert.deepEqual([fixed.status, fixed.value, fixed.error], ['completed', 12.5, null]);
  });
});
