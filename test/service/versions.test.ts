import assert from 'node:assert/strict';
import type { Api, Json, SheetPlace } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { until } from '../support/until.ts';

onEachBackend('Saved versions', (backend) => {
  let api: Api;
  let sheet: SheetPlace;
  before(async () => {
    api = (await backend.share()).api;
  });
  beforeEach(async () => {
    sheet = await api.sheetOf('name,size\na,1\nb,2\nc,3');
  });

  const save = async (name: string): Promise<Json> =>
    (await api.expect(201, 'POST', `${sheet.path}/versions`, { name })).version;
  const restore = async (id: string): Promise<Json> =>
    (await api.expect(201, 'POST', `${sheet.path}/versions`, { source_version_id: id })).version;
  const content = async (): Promise<object> => {
    const { data, columns } = await api.get(`${sheet.path}/rows`);
    return {
      columns: columns.map(
        ({ id, title, type, config }: Json) => [id, title, type, config] as unknown[],
      ),
      rows: data.map((row: Json) => [
        row.row_index,
        columns.map(({ id }: Json) => {
          const { id: cellId, value, display_value: shown, status } = row.cells[id]!;
          return [cellId, value, shown, status] as unknown[];
        }),
      ]),
    };
  };
  const edit = async (rowIndex: number, value: unknown): Promise<void> => {
    const { data } = await api.get(`${sheet.path}/rows`);
    const row = data.find(({ row_index: index }: Json) => index === rowIndex);
    await api.expect(200, 'PATCH', `${sheet.path}/cells/${row!.cells[sheet.columnId]!.id}`, {
      value,
    });
  };

  it('numbers versions of a sheet from 1 and lists the newest first', async () => {
    const first = await save('one');
    await save('two');
    assert.equal(first.version_number, 1);
    assert.equal(first.sheet_id, sheet.sheetId);
    const list = await api.get(`${sheet.path}/versions`);
    assert.deepEqual(
      list.data.map(({ name, version_number: number }: Json) => [name, number] as unknown[]),
      [
        ['two', 2],
        ['one', 1],
      ],
    );
    assert.equal(list.success, true);
    assert.equal(list.count, 2);
    assert.deepEqual(list.filters, {});
    assert.equal(list.pagination.limit, 20);
  });

  it('shows a version with its snapshot', async () => {
    const { id } = await save('kept');
    await edit(0, 'changed');
    const { version } = await api.get(`${sheet.path}/versions/${id}`);
    assert.equal(version.snapshot.row_count, 3);
    assert.equal(version.snapshot.columns.length, 2);
    assert.equal(version.snapshot.rows[0]!.cells[sheet.columnId]!.value, 'a');
    await api.expect(404, 'GET', `${sheet.path}/versions/00000000-0000-4000-8000-000000000000`);
    await api.expect(404, 'GET', `${sheet.path}/versions/nothing`);
  });

  it('restores everything: values, rows, columns and their ids, as the newest version', async () => {
    await api.expect(201, 'POST', `${sheet.path}/columns`, {
      title: 'Length',
      type: 'COUNT',
      config: { source: 'name', type: 'chars' },
    });
    const before = await content();
    const { id } = await save('before');
    await edit(0, { new: 'value' });
    await api.expect(200, 'DELETE', `${sheet.path}/rows`, { row_indices: [1] });
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 2 });
    await api.expect(201, 'POST', `${sheet.path}/columns`, { title: 'Extra', type: 'TEXT' });
    const { data } = await api.get(`${sheet.path}/columns`);
    const size = data.find(({ title }: Json) => title === 'size');
    await api.expect(200, 'DELETE', `${sheet.path}/columns/${size!.id}`);
    const changed = (await api.get(sheet.path)).sheet.version_count;

    const version = await restore(id);

    assert.deepEqual(await content(), before);
    assert.equal(version.version_number, 2);
    assert.equal(version.metadata.restored_from.id, id);
    const after = (await api.get(sheet.path)).sheet;
    assert.equal(after.version_count, changed + 1);
    assert.equal(after.row_count, 3);
    const { row_indices: added } = await api.expect(201, 'POST', `${sheet.path}/rows`);
    assert.deepEqual(added, [5], 'Indices that have been given are not given again.');
  });

  it('keeps exact numbers and computed results through saving and restoring', async () => {
    const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, {
      title: 'Length',
      type: 'COUNT',
      config: { source: 'name', type: 'chars' },
    });
    const cell = (await api.get(`${sheet.path}/rows`)).data[0]!.cells[sheet.columnId]!.id;
    await api.call('PATCH', `${sheet.path}/cells/${cell}`, undefined, {
      raw: '{"value":{"n":12345678901234567890.5}}',
    });
    await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    await until('all is computed', async () => {
      const { status_counts: counts } = await api.get(`${sheet.path}/status-counts`);
      return counts.STALE + counts.QUEUED + counts.RUNNING === 0;
    });
    const computed = (await api.get(`${sheet.path}/rows`)).data[0]!.cells[column.id]!;
    const { id } = await save('exact');
    await edit(0, 'gone');
    await restore(id);
    const text = (await api.call('GET', `${sheet.path}/rows`)).text;
    assert.ok(text.includes('"value":{"n":12345678901234567890.5}'));
    assert.deepEqual((await api.get(`${sheet.path}/rows`)).data[0]!.cells[column.id]!, computed);
  });

  it('does not restore what is there, unknown versions, or without a name', async () => {
    const { id } = await save('current');
    const path = `${sheet.path}/versions`;
    await api.expect(400, 'POST', path, { source_version_id: id });
    await api.expect(404, 'POST', path, { source_version_id: sheet.sheetId });
    await api.expect(400, 'POST', path, {});
    await api.expect(400, 'POST', path, { name: '' });
    await api.expect(400, 'POST', path, { name: 'x'.repeat(256) });
    await api.expect(400, 'POST', path, { name: 'x', more: true });
    await api.expect(400, 'GET', `${path}?sort=name`);
    await api.expect(400, 'GET', `${path}?limit=500`);
  });

  it('tells what changed since the version before', async () => {
    await save('one');
    await api.expect(201, 'POST', `${sheet.path}/columns`, { title: 'New', type: 'TEXT' });
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 2 });
    const { deltas } = await save('two');
    assert.deepEqual(
      deltas.map((delta) => [
        delta.type,
        Object.hasOwn(delta, 'title') ? delta.title : delta.count,
      ]),
      [
        ['column_added', 'New'],
        ['rows_changed', 2],
      ],
    );
  });
});
