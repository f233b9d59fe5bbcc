import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as columns from '../../src/api/column.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import * as imports from '../../src/api/import.ts';
import * as operations from '../../src/api/operation.ts';
import * as rows from '../../src/api/row.ts';
import * as sheets from '../../src/api/sheet.ts';
import * as tables from '../../src/api/table.ts';
import * as versions from '../../src/api/version.ts';
import { contract } from '../support/contract/description.ts';
import { servedEndpoints } from '../support/contract/endpoints.ts';
import { live } from '../support/contract/live.ts';

contract('refusals of the local service', (description) => {
  const running = live(description);
  let known: Record<string, string> = {};
  let cursors: Record<string, string> = {};

  /** Real ids where there are some, unknown ones for the rest. */
  const paramsFor = (endpoint: Endpoint, kind: 'known' | 'unknown' | 'malformed') =>
    Object.fromEntries(
      Object.keys(endpoint.params.shape).map((name) => [
        name,
        kind === 'malformed'
          ? "not-a-uuid/../';--"
          : ((kind === 'known' ? known[name] : undefined) ?? randomUUID()),
      ]),
    );
  /** A body that fits, so that the refusal is about what is tested. */
  const bodyFor = ({ name, body }: Endpoint): unknown => {
    const bodies: Readonly<Record<string, unknown>> = {
      [columns.createColumn.name]: { title: 'x', type: 'TEXT' },
      [rows.deleteRows.name]: { row_indices: [0] },
      [versions.createVersion.name]: { name: 'v' },
      [imports.importRequestLogs.name]: { filter_group: { filters: [] } },
      [imports.importFile.name]: { file_name: 'a.csv', file_content_base64: 'YQox' },
      recalculate_table_sheet_cells: { cell_ids: [randomUUID()] },
      update_table_sheet_cell: { value: 'x' },
      write_table_sheet_cells: { cells: [{ column_id: randomUUID(), row_index: 0, value: 'x' }] },
      configure_table_sheet_scorecard: { name: 'x', aggregation: {} },
      update_folder: { name: 'x' },
      create_prompt_label: { prompt_version_number: 1, name: 'x' },
      move_prompt_label: { prompt_version_number: 1 },
    };
    return bodies[name] ?? (body.safeParse({}).success ? {} : undefined);
  };

  before(async () => {
    const { talk } = running();
    const made = await talk.call(tables.createTable, { body: { title: 'Refusals' } });
    const table = made.body['table'] as { id: string };
    const sheet = made.body['default_sheet'] as { id: string };
    known = { table_id: table.id, sheet_id: sheet.id };
    await talk.call(tables.createTable, { body: { title: 'Another' } });
    await talk.call(sheets.createSheet, { params: known, body: {} });
    await talk.call(columns.createColumn, { params: known, body: { title: 'b', type: 'TEXT' } });
    await talk.call(rows.addRows, { params: known, body: { count: 3 } });
    await talk.call(versions.createVersion, { params: known, body: { name: '1' } });
    await talk.call(versions.createVersion, { params: known, body: { name: '2' } });
    for (const list of lists) {
      const page = await talk.call(list, { params: known, query: { limit: '1' } });
      const { next_cursor: next } = page.body['pagination'] as { next_cursor: string };
      cursors = { ...cursors, [list.name]: next };
    }
  });

  const lists = [
    tables.listTables,
    sheets.listSheets,
    columns.listColumns,
    rows.listRows,
    versions.listVersions,
  ];

  for (const endpoint of servedEndpoints) {
    describe(`${endpoint.method} ${endpoint.path}`, () => {
      it('without the right key is 401', async () => {
        for (const key of [null, '', 'wrong', `${running().service.key} `.repeat(2)]) {
          const params = paramsFor(endpoint, 'known');
          const { status } = await running().talk.call(endpoint, { params, key });
          assert.equal(status, 401, String(key));
        }
      });

      if (Object.keys(endpoint.params.shape).length > 0) {
        it('of something unknown is 404', async () => {
          const body = bodyFor(endpoint);
          for (const kind of ['unknown', 'malformed'] as const) {
            const call = { params: paramsFor(endpoint, kind), ...(body !== undefined && { body }) };
            const { status } = await running().talk.call(endpoint, call);
            assert.equal(status, 404, kind);
          }
        });
      }

      if (endpoint.method === 'POST' || endpoint.method === 'PATCH') {
        it('with a body that is no JSON is refused', async () => {
          const params = paramsFor(endpoint, 'known');
          for (const rawBody of [
            '{',
            '{"title": "x"',
            '<html>',
            new Uint8Array([0xff, 0xfe, 0x7b]),
          ]) {
            const { status } = await running().talk.call(endpoint, { params, rawBody });
            assert.ok([400, 404, 422].includes(status) || takesNothing(endpoint), String(status));
          }
        });
      }
    });
  }

  describe('a cursor', () => {
    for (const list of lists) {
      it(`of ${list.name} goes on in the same list only`, async () => {
        const { talk } = running();
        const cursor = cursors[list.name] ?? '';
        const status = async (query: Readonly<Record<string, string>>): Promise<number> =>
          (await talk.call(list, { params: known, query })).status;
        assert.equal(await status({ cursor }), 200);
        assert.equal(await status({ cursor, limit: '3' }), 200, "the limit isn't a filter");
        const turned = list.query.shape.order.parse(undefined) === 'asc' ? 'desc' : 'asc';
        assert.equal(await status({ cursor, order: turned }), 400);
        for (const other of lists.filter(({ name }) => name !== list.name)) {
          assert.equal(await status({ cursor: cursors[other.name] ?? '' }), 400, other.name);
        }
        for (const bad of ['x', `${cursor}x`, cursor.slice(1), '💥', 'null', btoa('[1,2,3,4,5]')]) {
          assert.equal(await status({ cursor: bad }), 400, bad);
        }
      });
    }

    it('belongs to the filters that it was made with', async () => {
      const { talk } = running();
      const page = await talk.call(tables.listTables, { query: { limit: '1', name: 'e' } });
      const cursor = String(page.body['next_cursor']);
      const answer = (query: Readonly<Record<string, string>>) =>
        talk.call(tables.listTables, { query });
      assert.equal((await answer({ cursor, name: 'e' })).status, 200);
      assert.equal((await answer({ cursor, name: 'u' })).status, 400);
      assert.equal((await answer({ cursor })).status, 400);
    });
  });

  describe('a query', () => {
    for (const list of lists) {
      it(`of ${list.name} out of its bounds is refused`, async () => {
        for (const query of [
          { limit: '0' },
          { limit: '101' },
          { limit: '-1' },
          { limit: 'ten' },
          { limit: '1e3' },
          { order: 'sideways' },
          { sort: 'title' },
        ]) {
          const { status } = await running().talk.call(list, { params: known, query });
          const isUnknown = !(Object.keys(query)[0]! in list.query.shape);
          assert.ok([400, 422].includes(status) || isUnknown, JSON.stringify(query));
        }
      });
    }
  });

  it('an operation on text columns or unknown columns is refused', async () => {
    const { talk } = running();
    const page = await talk.call(columns.listColumns, { params: known });
    const [first] = page.body['data'] as { id: string }[];
    for (const [column, expected] of [
      [first?.id ?? '', [400]],
      [randomUUID(), [400, 404]],
    ] as const) {
      const body = { column_ids: [column] };
      const { status } = await talk.call(operations.createOperation, { params: known, body });
      assert.ok((expected as readonly number[]).includes(status), String(status));
    }
  });

  it('a body of more than the limit is refused', async () => {
    const rawBody = JSON.stringify({ value: 'x'.repeat(11 * 1024 * 1024) });
    const { status } = await running().talk.call(rows.addRows, { params: known, rawBody });
    assert.equal(status, 413);
  });

  it('an operation id without a source is refused', async () => {
    const body = { operation_id: 'mine' };
    const { status } = await running().talk.call(sheets.createSheet, { params: known, body });
    assert.equal(status, 400);
  });

  it('one key sees nothing of what belongs to an unknown workspace', async () => {
    const { status } = await running().talk.call(tables.getTable, {
      params: { table_id: randomUUID() },
    });
    assert.equal(status, 404);
  });
});

const takesNothing = (endpoint: Endpoint): boolean =>
  endpoint.name === 'recalculate_table_sheet_cell';
