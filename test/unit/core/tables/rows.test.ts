import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import { listRows } from '../../../../src/api/row.ts';
import type { Client } from '../../../../src/core/client.ts';
import { parseJson } from '../../../../src/core/http/json.ts';
import { readWith } from '../../../../src/core/http/read.ts';
import { readRowsPage } from '../../../../src/core/tables/read-rows-page.ts';
import type { WalkedRowsPage } from '../../../../src/core/tables/rows.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import { makeRowPageText } from '../../../support/http/row-page-text.ts';
import type { ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

const ref = { tableId: 't1', sheetId: 's1' };
const column = { id: 'k', title: 'Word', type: 'TEXT' };
const row = (index: number) => ({ row_index: index, cells: {} });

describe('rows', () => {
  const servers: ScriptedServer[] = [];
  const clients: Client[] = [];

  async function start(steps: readonly Step[]) {
    const server = await startScriptedServer(steps);
    servers.push(server);
    const made = makeTestClient({ baseURL: server.url });
    clients.push(made.client);
    return { ...made, server };
  }

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function walk(client: Client, query = {}): Promise<WalkedRowsPage[]> {
    const pages: WalkedRowsPage[] = [];
    for await (const page of client.tables.rows.pages(ref, query)) pages.push(page);
    return pages;
  }

  it('walks both envelopes, keeps the columns of page one and asks for them only once', async () => {
    const { client, server } = await start([
      {
        body: {
          data: [row(0)],
          columns: [column],
          next_cursor: 'a',
          has_more: true,
          version: 3,
          row_count: 3,
        },
      },
      {
        body: {
          success: true,
          data: [row(1)],
          columns: [],
          version: 3,
          pagination: { next_cursor: 'b', has_more: true, limit: 1 },
        },
      },
      { body: { data: [row(5)], version: 3, next_cursor: null, has_more: false } },
    ]);
    const pages = await walk(client, { limit: 1, order: 'asc' });
    assert.deepEqual(
      pages.map((page) => page.items[0]?.row_index),
      [0, 1, 5],
    );
    assert.ok(pages.every((page) => page.columns[0]?.title === 'Word'));
    assert.ok(pages.every((page) => !page.versionChanged && !page.restarted));
    assert.deepEqual(
      server.requests.map(({ query }) => [
        query.get('cursor'),
        query.get('include_columns'),
        query.get('limit'),
      ]),
      [
        [null, 'true', '1'],
        ['a', 'false', '1'],
        ['b', 'false', '1'],
      ],
    );
  });

  it('tells when the sheet changed between pages', async () => {
    const { client } = await start([
      { body: { data: [row(0)], next_cursor: 'a', has_more: true, version: 3 } },
      { body: { data: [row(1)], next_cursor: 'b', has_more: true, version: 4 } },
      { body: { data: [row(2)], version: 4 } },
    ]);
    assert.deepEqual(
      (await walk(client)).map((page) => page.versionChanged),
      [false, true, false],
    );
  });

  it('begins again at page one when the cursor is refused, with fresh columns', async () => {
    const { client } = await start([
      { body: { data: [row(0)], columns: [column], next_cursor: 'a', has_more: true, version: 1 } },
      { status: 400, body: { success: false, message: 'invalid cursor' } },
      { body: { data: [row(0)], columns: [{ ...column, title: 'New' }], version: 2 } },
    ]);
    const pages = await walk(client);
    assert.deepEqual(
      pages.map(({ restarted, versionChanged, columns }) => [
        restarted,
        versionChanged,
        columns[0]?.title,
      ]),
      [
        [false, false, 'Word'],
        [true, false, 'New'],
      ],
    );
  });

  it('asks for no further page when the loop is left, and none after an abort', async () => {
    const { client, server } = await start([
      (request) => ({
        body: {
          data: [row(0)],
          next_cursor: `${request.query.get('cursor') ?? ''}x`,
          has_more: true,
        },
      }),
    ]);
    for await (const _page of client.tables.rows.pages(ref)) break;
    assert.equal(server.requests.length, 1);
    const abort = new AbortController();
    await assert.rejects(
      async () => {
        for await (const _page of client.tables.rows.pages(ref, {}, { signal: abort.signal }))
          abort.abort();
      },
      { code: 'cancelled' },
    );
    assert.equal(server.requests.length, 2);
  });

  it('keeps every digit of a value, and every field it does not know', async () => {
    const { client } = await start([
      {
        body: '{"data":[{"row_index":0,"cells":{"k":{"id":"virtual:0","column_id":"k","row_index":0,"status":"DISPATCHED","value":[9223372036854775807,{"x":0.1000000000000000055511151231257827}],"later":{"a":1e400},"request_metrics":{"price":0.00012345678901234567890,"request_ids":[1]}}},"note":1}]}',
      },
    ]);
    const { items } = await client.tables.rows.page(ref);
    const cell = items[0]?.cells['k'];
    assert.equal(cell?.status, 'running');
    const [big, { x }] = cell.value as [ExactNumber, { x: ExactNumber }];
    assert.equal(big.text, '9223372036854775807');
    assert.equal(x.text, '0.1000000000000000055511151231257827');
    assert.equal((cell['later'] as { a: ExactNumber }).a.text, '1e400');
    assert.equal(cell.request_metrics?.price, Number('0.00012345678901234567890'));
    assert.equal(items[0]?.['note'], 1);
  });

  it('sends the count with the values, and refuses values that would be dropped', async () => {
    const { client, server } = await start([
      { status: 201, body: { success: true, rows_created: 2 } },
    ]);
    await client.tables.rows.add(ref, {
      values: [{ k: 'a' }, { k: new ExactNumber('9007199254740993') }],
    });
    assert.equal(
      server.requests[0]?.body,
      '{"values":[{"k":"a"},{"k":9007199254740993}],"count":2}',
    );
    await client.tables.rows.add(ref);
    assert.equal(server.requests[1]?.body, '{"count":1}');
    await assert.rejects(client.tables.rows.add(ref, { count: 1, values: [{}, {}] }), {
      code: 'validation',
    });
  });

  it('deletes rows by index, with or without a body in the answer', async () => {
    const { client, server } = await start([
      { body: { success: true, rows_deleted: 2 } },
      { status: 204 },
    ]);
    assert.equal((await client.tables.rows.delete(ref, [3, 5])).rows_deleted, 2);
    assert.deepEqual(await client.tables.rows.delete(ref, [3]), {});
    assert.equal(server.requests[0]?.body, '{"row_indices":[3,5]}');
  });
});

describe('readRowsPage', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('completed', 'COMPLETED', 'FAILED', 'Dispatched', 'constructor', 'new'),
  );
  const nullish = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  /** Mostly right, sometimes anything. */
  const spoil = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue() });
  const numbers = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const exact = fc.constant(new ExactNumber('0.1000000000000000055511151231257827'));
  const metrics = fc.record(
    {
      request_count: spoil(nullish(numbers)),
      request_ids: spoil(nullish(fc.array(spoil(numbers), { maxLength: 2 }))),
      latency_ms: spoil(nullish(fc.oneof(numbers, exact))),
      price: spoil(nullish(fc.oneof(numbers, exact))),
      input_tokens: spoil(nullish(numbers)),
      output_tokens: spoil(nullish(numbers)),
      trace_ids: spoil(nullish(fc.array(spoil(text), { maxLength: 2 }))),
      extra: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const cell = fc.record(
    {
      id: spoil(text),
      sheet_id: spoil(text),
      column_id: spoil(text),
      row_index: spoil(numbers),
      status: spoil(text),
      display_value: spoil(nullish(text)),
      value: fc.oneof(fc.jsonValue(), exact as fc.Arbitrary<unknown>),
      error: spoil(nullish(text)),
      error_message: spoil(nullish(text)),
      input_hash: spoil(nullish(text)),
      updated_at: spoil(nullish(text)),
      request_metrics: spoil(nullish(metrics)),
      execution_id: spoil(nullish(text)),
      last_computed_version: spoil(nullish(numbers)),
      unknown: fc.jsonValue(),
    },
    { requiredKeys: ['id', 'column_id', 'row_index', 'status', 'value'] },
  );
  const page = fc.record(
    {
      data: spoil(
        fc.array(
          spoil(
            fc.record({
              row_index: spoil(numbers),
              cells: spoil(fc.dictionary(fc.uuid(), spoil(cell), { maxKeys: 3 })),
            }),
          ),
          { maxLength: 3 },
        ),
      ),
      rows: fc.constant([]),
      next_cursor: spoil(nullish(text)),
      has_more: spoil(nullish(fc.boolean())),
      row_count: spoil(nullish(numbers)),
      version: spoil(nullish(numbers)),
      columns: spoil(nullish(fc.constant([column]))),
      pagination: spoil(nullish(fc.record({ next_cursor: nullish(text), has_more: fc.boolean() }))),
    },
    { requiredKeys: [] },
  );

  it('agrees with the schema: the same pages fit, and give the same values', () => {
    let fitted = 0;
    fc.assert(
      fc.property(spoil(page), (sent) => {
        const bySchema = readWith(listRows.answer, structuredCloneWithExact(sent));
        const byHand = readRowsPage(structuredCloneWithExact(sent));
        assert.equal(byHand.ok, bySchema.ok, JSON.stringify([byHand, bySchema]));
        if (byHand.ok && bySchema.ok) {
          fitted += 1;
          assert.deepEqual(byHand.value, bySchema.value);
        }
      }),
      { numRuns: 1_500 },
    );
    assert.ok(fitted > 200, `only ${fitted} pages fitted`);
  }).timeout(60_000);

  it('agrees with the schema on a page as the service sends it', () => {
    const body = makeRowPageText({ rows: 20, columns: 20, exactNumbers: 'few' });
    assert.deepEqual(readRowsPage(parseJson(body)), readWith(listRows.answer, parseJson(body)));
  });
});

/** The reader works in place, so each gets a copy of its own. */
function structuredCloneWithExact(value: unknown): unknown {
  if (value instanceof ExactNumber) return new ExactNumber(value.text);
  if (Array.isArray(value)) return value.map(structuredCloneWithExact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '__proto__')
      .map(([key, item]) => [key, structuredCloneWithExact(item)]),
  );
}
