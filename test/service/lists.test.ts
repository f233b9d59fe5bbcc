import assert from 'node:assert/strict';
import type { Api, Json } from './support/api.ts';
import { tablesPath } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';

onEachBackend('Cursors and workspaces', (backend) => {
  let api: Api;
  let other: Api;
  before(async () => {
    const service = await backend.share();
    api = service.api;
    other = service.other;
  });

  /** All items of a list, by cursors. */
  async function walk(path: string, limit: number, query = ''): Promise<string[]> {
    const ids: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 50; pages += 1) {
      const page = await api.get(`${path}?limit=${String(limit)}${query}${cursor}`);
      ids.push(
        ...page.data.map((item) => (Object.hasOwn(item, 'id') ? item.id : String(item.row_index))),
      );
      // The list of versions has it there alone, as it is described.
      const { next_cursor: next } = page.pagination;
      if (next === null) return ids;
      cursor = `&cursor=${next}`;
    }
    throw new Error('The list has no end.');
  }

  it('walks every list without losing or repeating an item, in both directions', async () => {
    const { table } = await api.expect(201, 'POST', tablesPath, { title: 'walked' });
    const sheets = `${tablesPath}/${table.id}/sheets`;
    for (let count = 0; count < 4; count += 1) await api.expect(201, 'POST', sheets, {});
    for (let count = 0; count < 4; count += 1) {
      await api.expect(201, 'POST', tablesPath, { title: 'walked' });
    }
    const sheet = `${sheets}/${(await api.get(sheets)).data[0]!.id}`;
    for (let count = 0; count < 4; count += 1) {
      await api.expect(201, 'POST', `${sheet}/columns`, {
        title: `C${String(count)}`,
        type: 'TEXT',
      });
      await api.expect(201, 'POST', `${sheet}/versions`, { name: `v${String(count)}` });
    }
    await api.expect(201, 'POST', `${sheet}/rows`, { count: 4 });
    const lists: [string, string, number][] = [
      [tablesPath, '&name=walked', 5],
      [sheets, '', 5],
      [`${sheet}/columns`, '', 5],
      [`${sheet}/rows`, '', 5],
      [`${sheet}/versions`, '', 4],
    ];
    for (const [path, query, length] of lists) {
      const whole = await walk(path, 100, `${query}&order=asc`);
      assert.equal(whole.length, length, path);
      assert.equal(new Set(whole).size, length, path);
      for (const limit of [1, 2, 3]) {
        assert.deepEqual(await walk(path, limit, `${query}&order=asc`), whole, path);
        assert.deepEqual(await walk(path, limit, `${query}&order=desc`), whole.toReversed(), path);
      }
    }
  });

  it('refuses a cursor of another order, filter, list or workspace, and nonsense', async () => {
    const first = await api.newSheet();
    const second = await api.newSheet();
    for (const sheet of [first, second]) {
      await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 5 });
    }
    const { next_cursor: cursor } = await api.get(`${first.path}/rows?limit=2&order=asc`);
    const refused = [
      `${first.path}/rows?order=desc&cursor=${cursor}`,
      `${second.path}/rows?cursor=${cursor}`,
      `${first.path}/columns?cursor=${cursor}`,
      `${first.path}/rows?cursor=nonsense`,
      `${first.path}/rows?cursor=${cursor}x`,
      `${first.path}/rows?cursor=${Buffer.from('[1,2,3,4,5]').toString('base64url')}`,
      `${first.path}/rows?cursor=${encodeURIComponent('%00🙂')}`,
    ];
    for (const path of refused) {
      const { success, error } = await api.expect(400, 'GET', path);
      assert.equal(success, false);
      assert.equal(error, 'invalid_cursor');
    }
    // The page size is not a filter, nor is what a page shows beside its rows.
    await api.get(`${first.path}/rows?limit=1&include_columns=true&cursor=${cursor}`);
    const tables = await api.get(`${tablesPath}?limit=1&name=untitled`);
    await api.expect(400, 'GET', `${tablesPath}?limit=1&cursor=${tables.next_cursor}`);
    for (let count = 0; count < 2; count += 1) await other.expect(201, 'POST', tablesPath, {});
    await other.expect(
      400,
      'GET',
      `${tablesPath}?limit=1&name=untitled&cursor=${tables.next_cursor}`,
    );
  });

  it('goes on in order when rows are deleted or added between two pages', async () => {
    const sheet = await api.newSheet();
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 5 });
    const { next_cursor: cursor } = await api.get(`${sheet.path}/rows?limit=3`);
    await api.expect(200, 'DELETE', `${sheet.path}/rows`, { row_indices: [2, 3] });
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 1 });
    const page = await api.get(`${sheet.path}/rows?cursor=${cursor}`);
    assert.deepEqual(
      page.data.map(({ row_index: row }: Json) => row),
      [4, 5, 6],
    );
  });

  it('shows a workspace nothing of another one', async () => {
    const sheet = await api.newSheet();
    const { version } = await api.expect(201, 'POST', `${sheet.path}/versions`, { name: 'mine' });
    const started = await api.expect(202, 'POST', `${sheet.path}/imports/file`, {
      file_name: 'a.csv',
      file_content_base64: Buffer.from('Column A\nx').toString('base64'),
    });
    await api.finished(started.status_url);
    const cell = (await api.get(`${sheet.path}/rows`)).data[0]!.cells[sheet.columnId]!.id;
    const own = await other.newSheet();
    const ownTable = `${tablesPath}/${own.tableId}`;
    const requests: [string, string, unknown?][] = [
      ['GET', `${tablesPath}/${sheet.tableId}`],
      ['PATCH', `${tablesPath}/${sheet.tableId}`, { title: 'stolen' }],
      ['DELETE', `${tablesPath}/${sheet.tableId}`],
      ['GET', `${tablesPath}/${sheet.tableId}/sheets`],
      ['POST', `${tablesPath}/${sheet.tableId}/sheets`, {}],
      ['GET', sheet.path],
      ['PATCH', sheet.path, { title: 'stolen' }],
      ['DELETE', sheet.path],
      ['GET', `${sheet.path}/columns`],
      ['POST', `${sheet.path}/columns`, { title: 'X', type: 'TEXT' }],
      ['PATCH', `${sheet.path}/columns/${sheet.columnId}`, { title: 'stolen' }],
      ['DELETE', `${sheet.path}/columns/${sheet.columnId}`],
      ['GET', `${sheet.path}/rows`],
      ['POST', `${sheet.path}/rows`, {}],
      ['DELETE', `${sheet.path}/rows`, { row_indices: [0] }],
      ['GET', `${sheet.path}/cells/${cell}`],
      ['PATCH', `${sheet.path}/cells/${cell}`, { value: 'stolen' }],
      ['POST', `${sheet.path}/cells/${cell}/recalculations`],
      ['POST', `${sheet.path}/cells/recalculations`, { cell_ids: [cell] }],
      ['GET', `${sheet.path}/operations`],
      ['POST', `${sheet.path}/operations`, {}],
      ['GET', `${sheet.path}/operations/x`],
      ['DELETE', `${sheet.path}/operations/x`],
      ['GET', `${sheet.path}/status-counts`],
      ['GET', `${sheet.path}/versions`],
      ['POST', `${sheet.path}/versions`, { name: 'stolen' }],
      ['GET', `${sheet.path}/versions/${version.id}`],
      ['GET', started.status_url],
      ['POST', `${sheet.path}/imports/file`, { file_name: 'a.csv', file_content_base64: 'QQ==' }],
      // A foreign sheet under a table of one's own, and foreign parts under a sheet of one's own.
      ['GET', `${ownTable}/sheets/${sheet.sheetId}`],
      ['GET', `${ownTable}/sheets/${sheet.sheetId}/rows`],
      ['GET', `${own.path}/cells/${cell}`],
      ['PATCH', `${own.path}/columns/${sheet.columnId}`, { title: 'stolen' }],
      ['GET', `${own.path}/versions/${version.id}`],
      ['GET', `${ownTable}/sheets/operations/${started.operation_id}`],
      ['POST', `${own.path}/versions`, { source_version_id: version.id }],
    ];
    for (const [method, path, body] of requests) await other.expect(404, method, path, body);
    assert.equal((await api.get(`${sheet.path}/rows`)).row_count, 2);
    assert.equal((await api.get(sheet.path)).sheet.title, 'Sheet 1');
    const { data } = await other.get(tablesPath);
    assert.ok(!data.some(({ id }: Json) => id === sheet.tableId));
  });
});
