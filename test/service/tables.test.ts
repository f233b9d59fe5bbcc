import assert from 'node:assert/strict';
import type { Api } from './support/api.ts';
import { tablesPath } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

onEachBackend('Tables and sheets', (backend) => {
  let api: Api;
  before(async () => {
    api = (await backend.share()).api;
  });

  it('makes a table with one sheet, one TEXT column and one empty row by default', async () => {
    const { table, default_sheet: sheet, success } = await api.expect(201, 'POST', tablesPath);
    assert.equal(success, true);
    assert.equal(table.sheet_count, 1);
    assert.deepEqual(table.sheet_row_counts, { [sheet.id]: 1 });
    assert.equal(sheet.title, 'Sheet 1');
    assert.equal(sheet.index, 0);
    const page = await api.get(`${tablesPath}/${table.id}/sheets/${sheet.id}/rows`);
    assert.deepEqual(
      page.columns.map(({ title, type }) => [title, type]),
      [['Column A', 'TEXT']],
    );
    assert.equal(page.data.length, 1);
  });

  it('makes a table without a sheet when asked to', async () => {
    const answer = await api.expect(201, 'POST', tablesPath, {
      title: 'Bare',
      create_default_sheet: false,
    });
    assert.equal(answer.table.sheet_count, 0);
    assert.equal('default_sheet' in answer, false);
  });

  it('gives untitled tables titles that differ', async () => {
    const titles = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      titles.add((await api.expect(201, 'POST', tablesPath, {})).table.title);
    }
    assert.equal(titles.size, 3);
  });

  it('finds tables by a part of the title, whatever the case', async () => {
    const { table } = await api.expect(201, 'POST', tablesPath, { title: '100%_ÉTUDE \\ Plan' });
    for (const part of ['étude', '100%_', '\\ p']) {
      const { data } = await api.get(`${tablesPath}?name=${encodeURIComponent(part)}`);
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        [table.id],
        part,
      );
    }
    assert.equal((await api.get(`${tablesPath}?name=100_%25`)).count, 0);
  });

  it('renames a table and answers 404 for a folder that is not there', async () => {
    const { table } = await api.expect(201, 'POST', tablesPath, {});
    const path = `${tablesPath}/${table.id}`;
    const renamed = await api.expect(200, 'PATCH', path, { title: 'New', folder_id: null });
    assert.equal(renamed.table.title, 'New');
    assert.equal((await api.get(path)).table.title, 'New');
    await api.expect(404, 'PATCH', path, { folder_id: 7 });
    await api.expect(404, 'POST', tablesPath, { folder_id: 7 });
  });

  it('deletes a table for readers, with its sheets', async () => {
    const { path, tableId } = await api.newSheet();
    await api.expect(200, 'DELETE', `${tablesPath}/${tableId}`);
    await api.expect(404, 'GET', `${tablesPath}/${tableId}`);
    await api.expect(404, 'GET', path);
    await api.expect(404, 'GET', `${path}/rows`);
    await api.expect(404, 'DELETE', `${tablesPath}/${tableId}`);
  });

  it('keeps sheets in order when one is put between, moved or deleted', async () => {
    const { tableId } = await api.newSheet();
    const sheets = `${tablesPath}/${tableId}/sheets`;
    const order = async (): Promise<string[]> =>
      (await api.get(sheets)).data.map(
        ({ title, index }: { title: string; index: number }) => `${String(index)} ${title}`,
      );
    await api.expect(201, 'POST', sheets, {});
    const { sheet: first } = await api.expect(201, 'POST', sheets, { title: 'First', index: 0 });
    assert.deepEqual(await order(), ['0 First', '1 Sheet 1', '2 Sheet 2']);
    const moved = await api.expect(200, 'PATCH', `${sheets}/${first.id}`, { index: 9 });
    assert.equal(moved.sheet.index, 2);
    assert.equal(moved.version, 2);
    assert.deepEqual(await order(), ['0 Sheet 1', '1 Sheet 2', '2 First']);
    const { data } = await api.get(sheets);
    await api.expect(200, 'DELETE', `${sheets}/${data[0]!.id}`);
    assert.deepEqual(await order(), ['0 Sheet 2', '1 First']);
  });

  it('takes an empty patch of a sheet as no change', async () => {
    const { path } = await api.newSheet();
    const before = await api.get(path);
    const after = await api.expect(200, 'PATCH', path, {});
    assert.equal(after.version, before.sheet.version_count);
  });

  it('refuses an operation_id without a source', async () => {
    const { tableId } = await api.newSheet();
    await api.expect(400, 'POST', `${tablesPath}/${tableId}/sheets`, { operation_id: 'x' });
  });

  it('answers 404 for ids that are unknown or malformed', async () => {
    const { tableId } = await api.newSheet();
    for (const id of [unknownId, 'nonsense', '%00', "'; drop table tables; --"]) {
      await api.expect(404, 'GET', `${tablesPath}/${encodeURIComponent(id)}`);
      await api.expect(404, 'GET', `${tablesPath}/${tableId}/sheets/${encodeURIComponent(id)}`);
    }
  });

  it('checks bounds: limits, titles, unknown orders', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'order=up', 'folder_id=a']) {
      const { detail } = await api.expect(422, 'GET', `${tablesPath}?${query}`);
      assert.equal(detail[0]!.loc[0], 'query');
      assert.equal(typeof detail[0]!.msg, 'string');
    }
    await api.expect(422, 'POST', tablesPath, { title: '' });
    await api.expect(422, 'POST', tablesPath, { title: 'x'.repeat(256) });
    await api.expect(201, 'POST', tablesPath, { title: 'x'.repeat(255) });
  });
});
