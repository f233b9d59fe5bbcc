import assert from 'node:assert/strict';
import type { Api, Json, SheetPlace } from './support/api.ts';
import { cellAt } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import { until } from '../support/until.ts';

onEachBackend('Columns and cells', (backend) => {
  let api: Api;
  let sheet: SheetPlace;
  before(async () => {
    api = (await backend.share()).api;
  });
  beforeEach(async () => {
    sheet = await api.newSheet();
  });

  const addColumn = async (body: object): Promise<Json> =>
    (await api.expect(201, 'POST', `${sheet.path}/columns`, body)).column;
  const count = (title: string, source: string): Promise<Json> =>
    addColumn({ title, type: 'COUNT', config: { source, type: 'chars' } });
  const firstCell = async (columnId: string): Promise<Json> =>
    cellAt(await api.get(`${sheet.path}/rows`), 0, columnId);
  const columnTitles = async (): Promise<string[]> =>
    (await api.get(`${sheet.path}/columns`)).data.map(({ title }: Json) => title);

  it('adds a column whose cells are stale, in the order of its rank', async () => {
    const answer = await api.expect(201, 'POST', `${sheet.path}/columns`, {
      title: 'Length',
      type: 'COUNT',
      config: { source: 'Column A', type: 'chars' },
      is_output_column: true,
    });
    assert.equal(answer.column.type, 'COUNT');
    assert.equal(answer.column.is_output_column, true);
    assert.equal(answer.column.dependencies[0]!.column_id, sheet.columnId);
    assert.deepEqual(
      answer.cells.map(({ status }: Json) => status),
      ['stale'],
    );
    assert.equal(answer.version, 2);
    await addColumn({ title: 'Between', type: 'text', position_rank: 1.5 });
    assert.deepEqual(await columnTitles(), ['Column A', 'Between', 'Length']);
  });

  it('accepts the lowercase aliases and answers uppercase', async () => {
    assert.equal((await addColumn({ title: 'B', type: 'text' })).type, 'TEXT');
    assert.equal(
      (await addColumn({ title: 'C', type: 'composition', config: { source: 'B' } })).type,
      'COMPOSITION',
    );
  });

  it('refuses unknown types, old datasets, unknown sources and cycles', async () => {
    const columns = `${sheet.path}/columns`;
    await api.expect(400, 'POST', columns, { title: 'X', type: 'NONSENSE' });
    await api.expect(400, 'POST', columns, { title: 'X', type: 'DATASET' });
    await api.expect(400, 'POST', columns, {
      title: 'X',
      type: 'COUNT',
      config: { source: 'Nowhere', type: 'chars' },
    });
    const first = await count('First', 'Column A');
    await count('Second', 'First');
    const { error } = await api.expect(400, 'PATCH', `${columns}/${first.id}`, {
      config: { source: 'Second', type: 'chars' },
    });
    assert.equal(error, 'cycle');
    await api.expect(422, 'POST', columns, { type: 'TEXT' });
    await api.expect(422, 'POST', columns, { title: 'x'.repeat(256), type: 'TEXT' });
  });

  it('pages over columns and shows system columns only when asked', async () => {
    await addColumn({
      title: 'Answer',
      type: 'llm',
      config: { template: { name: 'x' }, prompt_template_variable_mappings: {} },
    });
    const columns = `${sheet.path}/columns`;
    assert.equal((await api.get(columns)).count, 2);
    const all = await api.get(`${columns}?include_system_columns=true`);
    assert.deepEqual(
      all.data.map(({ title, is_system: isSystem }: Json) => [title, isSystem]),
      [
        ['Column A', false],
        ['Answer', false],
        ['Answer price', true],
        ['Answer latency', true],
      ],
    );
    const first = await api.get(`${columns}?limit=1`);
    const second = await api.get(`${columns}?limit=1&cursor=${first.next_cursor}`);
    assert.equal(second.data[0]!.title, 'Answer');
    assert.equal(second.has_more, false);
    await api.expect(400, 'DELETE', `${columns}/${all.data[2]!.id}`);
  });

  it('writes a TEXT cell and makes what depends on it stale', async () => {
    const column = await count('Length', 'Column A');
    await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    await until('it is computed', async () => (await firstCell(column.id)).status === 'completed');
    const cell = await firstCell(sheet.columnId);
    const answer = await api.expect(200, 'PATCH', `${sheet.path}/cells/${cell.id}`, {
      value: 'four',
    });
    assert.equal(answer.cell.value, 'four');
    assert.equal(answer.cell.display_value, 'four');
    assert.equal(answer.cell.last_computed_version, null);
    assert.equal(answer.stale_count, 1);
    const dependent = await firstCell(column.id);
    assert.equal(dependent.status, 'stale');
    assert.equal(dependent.value, 0);
    assert.equal((await api.get(`${sheet.path}/rows`)).version, answer.version);
  });

  it('takes value, display_value or both', async () => {
    const path = `${sheet.path}/cells/${(await firstCell(sheet.columnId)).id}`;
    const write = async (body: object): Promise<[unknown, unknown]> => {
      const { cell } = await api.expect(200, 'PATCH', path, body);
      return [cell.value, cell.display_value];
    };
    assert.deepEqual(await write({ display_value: 'shown' }), ['shown', 'shown']);
    assert.deepEqual(await write({ value: { a: 1 }, display_value: 'an object' }), [
      { a: 1 },
      'an object',
    ]);
    assert.deepEqual(await write({ value: 12.5, display_value: '12.5' }), [12.5, '12.5']);
    assert.deepEqual(await write({ value: [1, 'x'] }), [[1, 'x'], '[1,"x"]']);
    assert.deepEqual(await write({ value: '' }), ['', '']);
    assert.deepEqual(await write({ value: null }), [null, null]);
    await api.expect(400, 'PATCH', path, {});
    await api.expect(400, 'PATCH', path, { display_value: 5 });
  });

  it('takes the same value again as no change, so a repeated request does no harm', async () => {
    const path = `${sheet.path}/cells/${(await firstCell(sheet.columnId)).id}`;
    const first = await api.expect(200, 'PATCH', path, { value: 'same' });
    const second = await api.expect(200, 'PATCH', path, { value: 'same' });
    assert.equal(second.version, first.version);
    assert.equal(second.stale_count, 0);
    assert.deepEqual(second.cell, first.cell);
  });

  it('refuses to write computed cells, and cells that are not there', async () => {
    const column = await count('Length', 'Column A');
    const computed = await firstCell(column.id);
    await api.expect(400, 'PATCH', `${sheet.path}/cells/${computed.id}`, { value: 1 });
    const other = await api.newSheet();
    const { id: otherCell } = cellAt(await api.get(`${other.path}/rows`), 0, other.columnId);
    const gone = (await firstCell(sheet.columnId)).id.replace(/.$/, '9');
    for (const id of [otherCell, gone, 'nonsense', sheet.columnId]) {
      await api.expect(404, 'GET', `${sheet.path}/cells/${id}`);
      await api.expect(404, 'PATCH', `${sheet.path}/cells/${id}`, { value: 1 });
    }
  });

  it('writes many cells in one transaction, each with its own outcome', async () => {
    const length = await count('Length', 'Column A');
    const human = await addColumn({
      title: 'Grade',
      type: 'HUMAN',
      config: { data_type: 'number', ui_element: { type: 'number', min: 1, max: 5 } },
    });
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 3 });
    await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    await until('it is computed', async () => (await firstCell(length.id)).status === 'completed');
    const at = (row_index: number, rest: object, column_id = sheet.columnId) => ({
      ...{ row_index, column_id },
      ...rest,
    });
    const write = (...cells: object[]): Promise<Loose> =>
      api.expect(200, 'PATCH', `${sheet.path}/cells`, { cells });
    const before = (await api.get(`${sheet.path}/rows`)).version;
    const answer = await write(
      at(0, { value: 'one', expected: '' }),
      at(1, { value: 'two', expected: 'what was never there' }),
      at(2, { value: null }),
      at(3, { value: 3.5, display_value: '3.50' }),
      at(99, { value: 'nowhere' }),
      at(0, { value: 1 }, length.id),
      at(0, { value: 4 }, human.id),
      at(1, { value: 9 }, human.id),
    );
    assert.deepEqual(
      answer.results.map(({ outcome }: Loose) => outcome),
      ['written', 'differs', 'same', 'written', 'refused', 'refused', 'written', 'refused'],
    );
    assert.match(answer.results[4].message, /row is no longer in this sheet/);
    assert.match(answer.results[5].message, /computed/);
    assert.match(answer.results[7].message, /no number above 5/);
    assert.equal(answer.version, before + 1);
    assert.equal(answer.stale_count, 2);
    const page = await api.get(`${sheet.path}/rows`);
    const shown = [0, 1, 2, 3].map((row) => cellAt(page, row, sheet.columnId).display_value);
    assert.deepEqual(shown, ['one', null, null, '3.50']);
    assert.equal(cellAt(page, 0, human.id).value, 4);
    assert.equal(cellAt(page, 1, length.id).status, 'completed');
    // A repeated request does no harm.
    const again = await write(at(0, { value: 'one', expected: '' }));
    assert.deepEqual([again.results[0].outcome, again.version], ['same', before + 1]);
    await api.expect(422, 'PATCH', `${sheet.path}/cells`, { cells: [] });
    await api.expect(404, 'PATCH', `${sheet.path.replace(/[^/]+$/, 'unknown')}/cells`, {
      cells: [at(0, { value: 'x' })],
    });
  });

  it('tells which columns a changed config affects', async () => {
    const first = await count('First', 'Column A');
    const second = await count('Second', 'First');
    const answer = await api.expect(200, 'PATCH', `${sheet.path}/columns/${first.id}`, {
      config: { source: 'Column A', type: 'words' },
    });
    assert.equal(answer.requires_recalculation, true);
    assert.deepEqual([...answer.affected_column_ids].sort(), [first.id, second.id].sort());
    const renamed = await api.expect(200, 'PATCH', `${sheet.path}/columns/${first.id}`, {
      title: 'Words',
    });
    assert.equal(renamed.requires_recalculation, false);
    assert.equal(renamed.column.title, 'Words');
    const again = await api.expect(200, 'PATCH', `${sheet.path}/columns/${first.id}`, {
      title: 'Words',
      config: renamed.column.config,
    });
    assert.equal(again.version, renamed.version, "The same again isn't a change.");
    assert.deepEqual(again.affected_column_ids, []);
  });

  it('turns a TEXT column into a computed one and back', async () => {
    const text = await addColumn({ title: 'B', type: 'TEXT' });
    await api.expect(200, 'PATCH', `${sheet.path}/cells/${(await firstCell(text.id)).id}`, {
      value: 'typed',
    });
    await api.expect(200, 'PATCH', `${sheet.path}/columns/${text.id}`, {
      type: 'COUNT',
      config: { source: 'Column A', type: 'chars' },
    });
    assert.equal((await firstCell(text.id)).status, 'stale');
    await api.expect(200, 'PATCH', `${sheet.path}/columns/${text.id}`, {
      type: 'TEXT',
      config: {},
    });
    const cell = await firstCell(text.id);
    assert.equal(cell.status, 'completed');
    assert.equal(cell.value, 'typed');
  });

  it('deletes a column and makes what depended on it stale', async () => {
    const column = await count('Length', 'Column A');
    await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    await until('it is computed', async () => (await firstCell(column.id)).status === 'completed');
    const answer = await api.expect(200, 'DELETE', `${sheet.path}/columns/${sheet.columnId}`);
    assert.equal(answer.stale_count, 1);
    const page = await api.get(`${sheet.path}/rows`);
    assert.equal(sheet.columnId in page.data[0]!.cells, false);
    assert.equal(cellAt(page, 0, column.id).status, 'stale');
    await api.expect(404, 'DELETE', `${sheet.path}/columns/${sheet.columnId}`);
  });

  it('recalculates one cell, and says so when there is nothing to do', async () => {
    const column = await count('Length', 'Column A');
    const cell = await firstCell(column.id);
    const cells = `${sheet.path}/cells`;
    const one = await api.expect(202, 'POST', `${cells}/${cell.id}/recalculations`);
    assert.equal(one.cell_count, 1);
    await until('it is computed', async () => (await firstCell(column.id)).status === 'completed');
    assert.equal((await firstCell(column.id)).execution_id, one.execution_id);
    await api.expect(404, 'POST', `${cells}/recalculations`, { cell_ids: [sheet.columnId] });
    await api.expect(400, 'POST', `${cells}/recalculations`, { cell_ids: [] });
  });

  it('counts cells by status and lists what is active', async () => {
    const column = await count('Length', 'Column A');
    const before = await api.get(`${sheet.path}/status-counts`);
    assert.equal(before.status_counts.STALE, 1);
    const { operation_id: id } = await api.expect(202, 'POST', `${sheet.path}/operations`, {
      column_ids: [column.id],
    });
    await until(
      'no operation is left',
      async () => (await api.get(`${sheet.path}/operations`)).active_operations.length === 0,
    );
    const { operation } = await api.get(`${sheet.path}/operations/${id}`);
    assert.equal(operation.status, 'completed');
    assert.equal(operation.completed_count, 1);
    const after = await api.get(`${sheet.path}/status-counts`);
    assert.equal(after.status_counts.STALE, 0);
    const cancelled = await api.expect(200, 'DELETE', `${sheet.path}/operations/unknown`);
    assert.equal(cancelled.success, true);
    assert.equal(cancelled.cancelled_cell_count, 0);
    const nothing = await api.expect(200, 'POST', `${sheet.path}/operations`, {});
    assert.equal(nothing.cell_count, 0);
    assert.equal('operation_id' in nothing, false);
    await api.expect(400, 'POST', `${sheet.path}/operations`, { column_ids: [sheet.columnId] });
    await api.expect(400, 'POST', `${sheet.path}/operations`, { statuses: ['DONE'] });
    await api.expect(400, 'POST', `${sheet.path}/operations`, { unknown: 1 });
    await api.expect(404, 'GET', `${sheet.path}/operations/unknown`);
  });
});
