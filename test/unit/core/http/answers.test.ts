import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import type { Client } from '../../../../src/core/client.ts';
import type { PromptTablesError, ResponseFormatError } from '../../../../src/core/errors.ts';
import type { ClientOptions } from '../../../../src/core/options.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { Reply, ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

const ref = { tableId: 't1', sheetId: 's1' };

describe('answers that are not what was promised', () => {
  const servers: ScriptedServer[] = [];
  const clients: Client[] = [];

  async function start(steps: readonly Step[], options: ClientOptions = {}) {
    const server = await startScriptedServer(steps);
    servers.push(server);
    const made = makeTestClient({ baseURL: server.url, ...options });
    clients.push(made.client);
    return { ...made, server };
  }

  async function failureOf(reply: Reply, call: (client: Client) => Promise<unknown>) {
    const { client } = await start([reply]);
    return call(client).then(
      () => assert.fail('it did not fail'),
      (error: unknown) => error as ResponseFormatError,
    );
  }
  const get = (client: Client): Promise<unknown> => client.tables.get('t1');

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  it('takes a 204 for a success, whatever length its headers tell', async () => {
    const { client, server } = await start([
      { status: 204, headers: { 'content-length': '20' } },
      { status: 204, headers: { 'content-length': '20', 'content-encoding': 'gzip' } },
      { body: { table: { id: 't1', title: 'x' } } },
    ]);
    await client.templates.labels.delete(7);
    await client.templates.labels.delete(8);
    await get(client);
    assert.deepEqual(
      server.requests.map(({ method }) => method),
      ['DELETE', 'DELETE', 'GET'],
    );
  });

  const bodies: readonly (readonly [string, unknown, RegExp])[] = [
    ['a web page', '<!doctype html><html><body>Sign in</body></html>', /is a web page/],
    ['no JSON', 'ok', /is not JSON/],
    ['JSON that stops', '{"success": true, "table": {"id": "t1", "ti', /stops in the middle/],
    ['nothing', '', /the body/],
    ['null', 'null', /the body/],
    ['a list', '[]', /the body/],
    ['a table without id', { table: { title: 'x' } }, /table\.id/],
    ['a title that is a number', { table: { id: 't1', title: 3 } }, /table\.title/],
    [
      'a count beyond a double',
      '{"table":{"id":"t1","title":"x","sheet_count":9007199254740993}}',
      /table\.sheet_count/,
    ],
  ];
  for (const [name, body, expected] of bodies) {
    it(`reports ${name}, with request and status`, async () => {
      const error = await failureOf({ body, headers: { 'x-request-id': 'req-7' } }, get);
      assert.equal(error.code, 'response_format');
      assert.match(error.message, expected);
      assert.match(error.message, /GET \/api\/public\/v2\/tables\/t1 \(status 200\)/);
      assert.equal(error.status, 200);
      assert.equal(error.method, 'GET');
      assert.equal(error.path, '/api/public/v2/tables/t1');
      assert.equal(error.requestId, 'req-7');
    });
  }

  it('names the first place in a row page that does not fit', async () => {
    const cell = { id: 'c', column_id: 'k', row_index: 0, status: 'stale', value: 1 };
    const pages: readonly (readonly [unknown, string])[] = [
      [
        {
          data: [
            { row_index: 0, cells: {} },
            { row_index: 1, cells: { k: { ...cell, status: 5 } } },
          ],
        },
        'data[1].cells.k.status',
      ],
      [{ data: [{ row_index: '0', cells: {} }] }, 'data[0].row_index'],
      [{ data: [{ row_index: 0 }] }, 'data[0].cells'],
      [
        {
          rows: [
            { row_index: 0, cells: { k: { ...cell, request_metrics: { request_ids: ['1'] } } } },
          ],
        },
        'rows[0].cells.k.request_metrics.request_ids[0]',
      ],
      [{ data: {} }, 'data'],
      [{ has_more: true }, 'data'],
      [{ data: [], columns: [{ id: 'k' }] }, 'columns[0].title'],
      [
        { data: [], execution_metadata_aggregates: { by_column_id: {} } },
        'execution_metadata_aggregates.sheet',
      ],
    ];
    for (const [body, place] of pages) {
      const error = await failureOf({ body }, (client) => client.tables.rows.page(ref));
      assert.equal(error.issuePath, place);
      assert.match(error.message, /sheets\/s1\/rows/);
    }
  });

  it('never repeats a body in an error', async () => {
    for (const body of [
      'CANARY-12345 not json',
      '{"table": "CANARY-12345"}',
      '<html>CANARY-12345',
      '{"a":CANARY-12345}',
    ]) {
      const error = await failureOf({ body }, get);
      assert.doesNotMatch(inspect(error, { depth: Infinity, showHidden: true }), /CANARY/);
    }
  });

  const statuses: readonly (readonly [number, unknown, string, string])[] = [
    [401, { success: false, message: 'bad key' }, 'authentication', 'AuthenticationError'],
    [403, { success: false, error: 'not allowed' }, 'authentication', 'AuthenticationError'],
    [404, { success: false, message: 'no such table' }, 'not_found', 'NotFoundError'],
    [409, { success: false, message: 'busy' }, 'conflict', 'ConflictError'],
    [400, { success: false, message: 'bad config' }, 'validation', 'ValidationError'],
    [
      422,
      { detail: [{ loc: ['body', 'title'], msg: 'too long', type: 'x' }] },
      'validation',
      'ValidationError',
    ],
    [429, { success: false, message: 'slow down' }, 'rate_limit', 'RateLimitError'],
    [500, 'plain text', 'server', 'ServerError'],
    [502, '<html>Bad gateway</html>', 'server', 'ServerError'],
  ];
  for (const [status, body, code, name] of statuses) {
    it(`makes a ${name} of ${status}`, async () => {
      const error = await failureOf({ status, body, headers: { 'request-id': 'r-1' } }, get);
      assert.equal(error.code, code);
      assert.equal(error.name, name);
      assert.equal(error.status, status);
      assert.equal(error.requestId, 'r-1');
      assert.ok(!error.message.includes('<html>'));
    });
  }

  it('reads message, error, detail and plain text, clipped and on one line', async () => {
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [{ message: 'first', error: 'second' }, /400: first\.$/],
      [{ error: 'second' }, /400: second\.$/],
      [
        { detail: [{ loc: ['query', 'limit'], msg: 'too big', type: 'x' }] },
        /400: query\.limit: too big\.$/,
      ],
      ['plain\r\n2026-01-01 forged log line', /400: plain 2026-01-01 forged log line\.$/],
      ['', /was answered with 400\.$/],
      ['x'.repeat(5_000), /x{500}…$/],
    ];
    for (const [body, expected] of cases) {
      const error = await failureOf({ status: 400, body }, get);
      assert.match(error.message, expected);
    }
  });

  it('takes 400 and 422 for an invalid cursor only when a cursor was sent and is blamed', async () => {
    const list = (cursor?: string) => (client: Client) =>
      client.tables.rows.page(ref, cursor === undefined ? {} : { cursor });
    const blame = { success: false, message: 'Invalid cursor for this order' };
    const detail = { detail: [{ loc: ['query', 'cursor'], msg: 'malformed', type: 'x' }] };
    assert.equal((await failureOf({ status: 400, body: blame }, list('c'))).code, 'invalid_cursor');
    assert.equal(
      (await failureOf({ status: 422, body: detail }, list('c'))).code,
      'invalid_cursor',
    );
    assert.equal(
      (
        await failureOf(
          { status: 400, body: { message: 'no', error: 'invalid_cursor' } },
          list('c'),
        )
      ).code,
      'invalid_cursor',
    );
    assert.equal(
      (await failureOf({ status: 400, body: { message: 'bad limit' } }, list('c'))).code,
      'validation',
    );
    assert.equal((await failureOf({ status: 400, body: blame }, list())).code, 'validation');
  });

  it('does not take a refusal under status 200 for success', async () => {
    const error = await failureOf({ body: { success: false, message: 'table is locked' } }, get);
    assert.equal(error.code, 'validation');
    assert.match(error.message, /refused: table is locked/);
  });

  describe('secrets', () => {
    const key = 'pl_CANARY+key/4711';
    const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64'), 'CANARY'];
    const echo: Step = (request) => ({
      status: 400,
      body: {
        message: `bad key ${String(request.headers['x-api-key'])}`,
        error: `X-API-KEY: ${key}`,
      },
    });

    it('are in no error, log line or client, even when the service repeats them', async () => {
      const replies: Step[] = [
        echo,
        { status: 500, body: `Traceback: authorization: Bearer ${key}` },
        { status: 401, body: { detail: [{ loc: [key], msg: forms[1], type: forms[2] }] } },
        { body: { success: false, message: `key ${key}` } },
        { body: { table: { id: key } } },
        { status: 302, headers: { location: `https://user:${encodeURIComponent(key)}@x.test/` } },
      ];
      for (const reply of replies) {
        const { client, logger } = await start([reply], { apiKey: key });
        const error = await client.tables
          .get('t1')
          .catch((thrown: unknown) => thrown as PromptTablesError);
        const seen = inspect([error, logger.lines, client], { depth: Infinity, showHidden: true });
        for (const form of forms) assert.ok(!seen.includes(form), around(seen, form));
      }
    });

    it('are taken out of an id, too', async () => {
      const { client } = await start([{ status: 404 }], { apiKey: key });
      await assert.rejects(client.tables.get(key), (error: unknown) => {
        assert.ok(!inspect(error, { depth: Infinity }).includes('CANARY'));
        return true;
      });
    });
  });
});

/** The place of a text, for a failure that can be read. */
function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 200), at + 200);
}
