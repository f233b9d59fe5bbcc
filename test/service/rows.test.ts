import assert from 'node:assert/strict';
import type { Api, SheetPlace } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';

interface RowJson {
  readonly row_index: number;
  readonly cells: Readonly<Record<string, { readonly value: unknown; readonly status: string }>>;
}

onEachBackend('Rows', (backend) => {
  let api: Api;
  let sheet: SheetPlace;
  before(async () => {
    api = (await backend.share()).api;
  });
  beforeEach(async () => {
    sheet = await api.newSheet();
  });

  const indices = async (query: string): Promise<number[]> =>
    (await api.get(`${sheet.path}/rows?${query}`)).data.map(({ row_index }: RowJson) => row_index);

  it('adds one empty row when nothing is said', async () => {
    const answer = await api.expect(201, 'POST', `${sheet.path}/rows`);
    assert.equal(answer.rows_created, 1);
    assert.equal(answer.start_row_index, 1);
    assert.deepEqual(answer.row_indices, [1]);
    assert.equal(answer.row_count, 2);
    assert.equal(answer.cell_count, 1);
    assert.equal(answer.version, 2);
    const cell = answer.rows[0]!.cells[sheet.columnId]!;
    assert.equal(cell.status, 'completed');
    assert.equal(cell.value, null);
  });

  it('fills rows with values and ignores those beyond count', async () => {
    const answer = await api.expect(201, 'POST', `${sheet.path}/rows`, {
      count: 2,
      values: [{ [sheet.columnId]: 'one' }, {}, { [sheet.columnId]: 'three' }],
    });
    assert.deepEqual(
      answer.rows.map((row: RowJson) => row.cells[sheet.columnId]?.value),
      ['one', null],
    );
    const one = await api.expect(201, 'POST', `${sheet.path}/rows`, {
      values: [{ [sheet.columnId]: 'a' }, { [sheet.columnId]: 'b' }],
    });
    assert.equal(one.rows_created, 1);
  });

  it('keeps every digit of a number and any JSON as it came', async () => {
    const values = [
      '12345678901234567890',
      '0.10000000000000000001',
      '-0',
      '1e400',
      '"\\u0000\\ud800"',
      '{"b":1,"a":[null,true]}',
    ];
    for (const raw of values) {
      const body = `{"values":[{"${sheet.columnId}":${raw}}]}`;
      const added = await api.call('POST', `${sheet.path}/rows`, undefined, { raw: body });
      assert.equal(added.status, 201, added.text);
      assert.ok(added.text.includes(`"value":${raw},`), `${raw}: ${added.text}`);
      const page = await api.call('GET', `${sheet.path}/rows?order=desc&limit=1`);
      assert.ok(page.text.includes(`"value":${raw},`), `${raw}: ${page.text}`);
    }
  });

  it('refuses values for columns that are not there or computed, and bad counts', async () => {
    const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, {
      title: 'Length',
      type: 'COUNT',
      config: { source: 'Column A', type: 'chars' },
    });
    const rows = `${sheet.path}/rows`;
    await api.expect(400, 'POST', rows, { values: [{ [column.id]: 1 }] });
    await api.expect(400, 'POST', rows, { values: [{ nothing: 1 }] });
    for (const count of [0, 101, 1.5, '2']) await api.expect(422, 'POST', rows, { count });
    await api.expect(201, 'POST', rows, { count: 100 });
    assert.equal((await api.get(rows)).row_count, 101);
  });

  it('refuses rows for a sheet without columns', async () => {
    await api.expect(200, 'DELETE', `${sheet.path}/columns/${sheet.columnId}`);
    await api.expect(400, 'POST', `${sheet.path}/rows`);
  });

  it('shows computed cells of new rows as stale, with an id that stays', async () => {
    const { column } = await api.expect(201, 'POST', `${sheet.path}/columns`, {
      title: 'Length',
      type: 'COUNT',
      config: { source: 'Column A', type: 'chars' },
    });
    const { rows } = await api.expect(201, 'POST', `${sheet.path}/rows`);
    const cell = rows[0]!.cells[column.id]!;
    assert.equal(cell.status, 'stale');
    assert.match(cell.id, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.deepEqual((await api.get(`${sheet.path}/cells/${cell.id}`)).cell, cell);
  });

  it('pages in both directions with both envelopes', async () => {
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 6 });
    const first = await api.get(`${sheet.path}/rows?limit=3`);
    assert.equal(first.has_more, true);
    assert.equal(first.next_cursor, first.pagination.next_cursor);
    assert.deepEqual(
      [first.pagination.limit, first.pagination.prev_cursor, first.count],
      [3, null, 3],
    );
    assert.equal(first.columns.length, 1);
    assert.equal(first.row_count, 7);
    const second = await api.get(`${sheet.path}/rows?limit=100&cursor=${first.next_cursor}`);
    assert.deepEqual(second.columns, []);
    assert.deepEqual(
      second.data.map(({ row_index }: RowJson) => row_index),
      [3, 4, 5, 6],
    );
    assert.equal(second.next_cursor, null);
    assert.equal(second.has_more, false);
    assert.deepEqual(await indices('order=desc&limit=2'), [6, 5]);
  });

  it('ends exactly when the last page is full', async () => {
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 3 });
    const page = await api.get(`${sheet.path}/rows?limit=4`);
    assert.equal(page.data.length, 4);
    assert.equal(page.next_cursor, null);
  });

  it('obeys the include flags', async () => {
    const bare = await api.get(`${sheet.path}/rows?include_columns=false&include_row_count=false`);
    assert.deepEqual(bare.columns, []);
    assert.equal('row_count' in bare, false);
    assert.equal('execution_metadata_aggregates' in bare, false);
    await api.expect(201, 'POST', `${sheet.path}/columns`, {
      title: 'Answer',
      type: 'PROMPT_TEMPLATE',
      config: { template: { name: 'x' }, prompt_template_variable_mappings: {} },
    });
    const full = await api.get(
      `${sheet.path}/rows?include_system_columns=true&include_execution_metadata_aggregates=true`,
    );
    assert.equal(full.columns.length, 4);
    const { by_column_id: byColumn, sheet: ofSheet } = full.execution_metadata_aggregates;
    assert.equal(Object.keys(byColumn).length, 2);
    assert.deepEqual(ofSheet.by_metric['price'], {
      metric_key: 'price',
      metric_label: 'Price',
      count: 0,
      sum: 0,
      avg: null,
      min: null,
      max: null,
    });
    const hidden = await api.get(`${sheet.path}/rows`);
    assert.equal(hidden.columns.length, 2);
    assert.equal(Object.keys(hidden.data[0]!.cells).length, 2);
  });

  it('deletes rows, leaves gaps and never gives an index twice', async () => {
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 4 });
    const answer = await api.expect(200, 'DELETE', `${sheet.path}/rows`, {
      row_indices: [1, 4, 4, 99],
    });
    assert.equal(answer.rows_deleted, 2);
    assert.equal(answer.row_count, 3);
    assert.deepEqual(await indices(''), [0, 2, 3]);
    const { row_indices: added } = await api.expect(201, 'POST', `${sheet.path}/rows`);
    assert.deepEqual(added, [5]);
    const again = await api.expect(200, 'DELETE', `${sheet.path}/rows`, { row_indices: [1] });
    assert.equal(again.rows_deleted, 0);
    await api.expect(422, 'DELETE', `${sheet.path}/rows`, { row_indices: [] });
    await api.expect(422, 'DELETE', `${sheet.path}/rows`, { row_indices: [-1] });
  });

  it('raises the version by one for each change and not for reading', async () => {
    const version = async (): Promise<number> => (await api.get(`${sheet.path}/rows`)).version;
    assert.equal(await version(), 1);
    assert.equal(await version(), 1);
    await api.expect(201, 'POST', `${sheet.path}/rows`, { count: 50 });
    assert.equal(await version(), 2);
    assert.equal((await api.get(sheet.path)).sheet.version_count, 2);
  });

  it('loses no row when many add at once', async () => {
    const adds = Array.from({ length: 20 }, () =>
      api.call('POST', `${sheet.path}/rows`, { count: 2 }),
    );
    const answers = await Promise.all(adds);
    assert.ok(answers.every(({ status }) => status === 201));
    const given = answers.flatMap(({ body }) => body.row_indices as number[]);
    assert.equal(new Set(given).size, 40);
    const page = await api.get(`${sheet.path}/rows`);
    assert.equal(page.row_count, 41);
    assert.equal(page.data.length, 41);
    assert.equal(page.version, 21);
  });

  it('refuses a sort it does not have', async () => {
    await api.expect(200, 'GET', `${sheet.path}/rows?sort=row_index`);
    const { error } = await api.expect(400, 'GET', `${sheet.path}/rows?sort=title`);
    assert.equal(typeof error, 'string');
    await api.expect(422, 'GET', `${sheet.path}/rows?limit=101`);
    await api.expect(422, 'GET', `${sheet.path}/rows?include_columns=maybe`);
  });
});
