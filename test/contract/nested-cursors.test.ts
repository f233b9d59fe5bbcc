import assert from 'node:assert/strict';
import * as columns from '../../src/api/column.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import * as rows from '../../src/api/row.ts';
import * as sheets from '../../src/api/sheet.ts';
import * as tables from '../../src/api/table.ts';
import * as versions from '../../src/api/version.ts';
import { contract } from '../support/contract/description.ts';
import { live } from '../support/contract/live.ts';

/**
 * The official SDK that npm serves has no tables yet. Its later versions read `pagination` only,
 * send `include_columns=false` after the first page and stop on a repeated cursor: so does this.
 */
contract('a client that reads only nested cursors', (description) => {
  const running = live(description);
  let params: Record<string, string> = {};

  before(async () => {
    const { talk } = running();
    const made = await talk.call(tables.createTable, { body: { title: 'Nested' } });
    params = {
      table_id: (made.body['table'] as { id: string }).id,
      sheet_id: (made.body['default_sheet'] as { id: string }).id,
    };
    for (let index = 0; index < 4; index += 1) {
      await talk.call(tables.createTable, { body: { title: `T${index}` } });
      await talk.call(sheets.createSheet, { params, body: {} });
      const column = { title: `C${index}`, type: 'TEXT' };
      await talk.call(columns.createColumn, { params, body: column });
      await talk.call(versions.createVersion, { params, body: { name: `V${index}` } });
    }
    await talk.call(rows.addRows, { params, body: { count: 9 } });
  });

  async function all(list: Endpoint, limit: number): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const later = list === rows.listRows ? { include_columns: 'false' } : {};
      const query = { limit: String(limit), ...(cursor !== undefined && { cursor, ...later }) };
      const { body } = await running().talk.call(list, { params, query });
      assert.equal(body['success'], true);
      const pagination = body['pagination'] as { next_cursor: string | null; has_more: boolean };
      items.push(...(body['data'] as Record<string, unknown>[]));
      assert.equal(pagination.has_more, pagination.next_cursor !== null);
      cursor = pagination.next_cursor ?? undefined;
      assert.ok(cursor === undefined || !seen.has(cursor), 'a cursor came twice');
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
    return items;
  }

  for (const [list, key, count] of [
    [tables.listTables, 'id', 5],
    [sheets.listSheets, 'id', 5],
    [columns.listColumns, 'id', 5],
    [rows.listRows, 'row_index', 10],
    [versions.listVersions, 'id', 4],
  ] as const) {
    it(`walks all of ${list.name}, whatever the page size`, async () => {
      for (const limit of [1, 2, 3, 100]) {
        const keys = (await all(list, limit)).map((item) => item[key]);
        assert.equal(keys.length, count, `limit ${limit}`);
        assert.equal(new Set(keys).size, count, `limit ${limit}`);
      }
    });
  }
});
