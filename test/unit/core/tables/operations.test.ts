import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Client } from '../../../../src/core/client.ts';
import type { WatchedOperation } from '../../../../src/core/tables/operations.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

const ref = { tableId: 't1', sheetId: 's1' };
const state = (status: string, done = 0, failed = 0): Step => ({
  body: {
    success: true,
    operation: {
      operation_id: 'op',
      operation: 'recalculate',
      status,
      cell_count: 10,
      completed_count: done,
      failed_count: failed,
      pending_count: 10 - done - failed,
    },
  },
});

describe('operations, imports and cells', () => {
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

  async function watch(client: Client, options = {}): Promise<WatchedOperation[]> {
    const seen: WatchedOperation[] = [];
    for await (const look of client.tables.operations.watch(ref, 'op', options)) seen.push(look);
    return seen;
  }

  it('tells the three answers to a recalculation apart by their content', async () => {
    const { client, server } = await start([
      {
        status: 202,
        body: {
          success: true,
          operation: 'recalculate',
          operation_id: 'op',
          execution_id: 'e',
          execution_ids: ['e', 'f'],
          cell_count: 3,
          version: 9,
          cells: [],
        },
      },
      { body: { success: true, cell_count: 0, virtual_cell_count: 2, cells: [] } },
      {
        body: {
          success: false,
          requires_confirmation: true,
          confirmation_token: 'tok',
          affected_cell_count: 5_000,
          message: 'Many cells',
        },
      },
      { body: { success: false, message: 'sheet is locked' } },
      { status: 202, body: { success: true, cell_count: 3 } },
    ]);
    const { operations } = client.tables;
    assert.deepEqual(await operations.create(ref, { column_ids: ['c'] }), {
      kind: 'queued',
      operationId: 'op',
      executionIds: ['e', 'f'],
      cellCount: 3,
      version: 9,
      cells: [],
    });
    assert.deepEqual(await operations.create(ref), { kind: 'nothing', virtualCellCount: 2 });
    assert.deepEqual(await operations.create(ref, { statuses: [] }), {
      kind: 'confirmation',
      confirmationToken: 'tok',
      affectedCellCount: 5_000,
      message: 'Many cells',
    });
    await assert.rejects(operations.create(ref), { code: 'validation', message: /locked/ });
    await assert.rejects(operations.create(ref), {
      code: 'response_format',
      issuePath: 'operation_id',
    });
    assert.deepEqual(server.requests.map(({ body }) => body).slice(0, 3), [
      '{"column_ids":["c"]}',
      '{}',
      '{"statuses":[]}',
    ]);
  });

  it('watches with growing pauses until the state is final', async () => {
    const { client, clock } = await start([
      state('QUEUED'),
      state('running', 1),
      state('running', 5),
      state('running', 6),
      state('Completed', 10),
    ]);
    const seen = await watch(client);
    assert.deepEqual(
      seen.map(({ operation }) => operation.status),
      ['queued', 'running', 'running', 'running', 'completed'],
    );
    assert.deepEqual(
      seen.map(({ isFinished }) => isFinished),
      [false, false, false, false, true],
    );
    assert.deepEqual(clock.waits, [500, 750, 1_125, 1_687.5, 2_000]);
  });

  it('takes "nothing pending and all cells accounted for" for final, whatever the word', async () => {
    const { client } = await start([state('running', 9), state('finalising', 8, 2)]);
    const seen = await watch(client);
    assert.deepEqual(
      seen.map(({ isFinished }) => isFinished),
      [false, true],
    );
  });

  it('ends when the operation has vanished, but not at a single 404', async () => {
    const gone: Step = { status: 404, body: { message: 'unknown operation' } };
    const { client } = await start([gone, state('running', 4), gone, gone]);
    const seen = await watch(client);
    assert.deepEqual(
      seen.map(({ operation, isFinished, hasVanished }) => [
        operation.completed_count,
        isFinished,
        hasVanished,
      ]),
      [
        [4, false, false],
        [4, true, true],
      ],
    );
    const never = await start([gone]);
    assert.deepEqual(
      (await watch(never.client)).map(({ operation, hasVanished }) => [
        operation.status,
        hasVanished,
      ]),
      [['unknown', true]],
    );
  });

  it('stops watching at an abort, in the pause and in the request, and at other errors', async () => {
    const abort = new AbortController();
    const { client, server, clock } = await start([state('running', 1), 'hang']);
    await assert.rejects(
      async () => {
        for await (const _look of client.tables.operations.watch(ref, 'op', {
          signal: abort.signal,
        })) {
          void server.reached(2).then(() => abort.abort());
        }
      },
      { code: 'cancelled' },
    );
    await server.idle();
    assert.equal(clock.pending, 0);
    await assert.rejects(watch(client, { signal: AbortSignal.abort() }), { code: 'cancelled' });
    const refused = await start([{ status: 401 }]);
    await assert.rejects(watch(refused.client), { code: 'authentication' });
  });

  it('uses the pauses that it is given', async () => {
    const { client, clock } = await start([state('running'), state('running'), state('cancelled')]);
    await watch(client, { firstDelayMs: 100, maxDelayMs: 120 });
    assert.deepEqual(clock.waits, [100, 120, 120]);
  });

  it('cancels, and takes missing counts for zero', async () => {
    const { client, server } = await start([
      {
        body: {
          success: true,
          message: 'Nothing to cancel',
          operation_id: 'op',
          execution_ids: [],
          cancelled_cell_count: 0,
        },
      },
    ]);
    const answer = await client.tables.operations.cancel(ref, 'op');
    assert.equal(answer.running_invalidated_count, 0);
    assert.equal(answer.not_started_reset_count, 0);
    const [request] = server.requests;
    assert.equal(
      `${request?.method ?? ''} ${request?.path ?? ''}`,
      'DELETE /api/public/v2/tables/t1/sheets/s1/operations/op',
    );
    assert.equal(request?.body, '');
  });

  it('recalculates single cells, or says that nothing needs it', async () => {
    const { client } = await start([
      {
        status: 202,
        body: { success: true, execution_id: 'e', cell_count: 2, selected_cell_count: 2 },
      },
      { body: { success: false, message: 'Nothing to recalculate' } },
      { status: 202, body: { success: true, cell_count: 2 } },
    ]);
    const { cells } = client.tables;
    assert.deepEqual(await cells.recalculate(ref, ['a', 'b']), {
      kind: 'queued',
      executionId: 'e',
      cellCount: 2,
    });
    assert.deepEqual(await cells.recalculate(ref, ['a']), {
      kind: 'nothing',
      message: 'Nothing to recalculate',
    });
    await assert.rejects(cells.recalculate(ref, ['a']), { code: 'response_format' });
  });

  it('imports a file under an id of its own, so that sending it twice is harmless', async () => {
    const started = (status: string) => ({ operation_id: 'x', status, progress: 0.5 });
    const { client, server } = await start([
      'drop',
      {
        status: 202,
        body: { success: true, message: 'ok', operation_id: 'x', operation: started('queued') },
      },
      { body: { success: true, operation: started('running') } },
      { body: { success: true, operation: started('SUCCEEDED') } },
    ]);
    const { imports } = client.tables;
    const answer = await imports.file(ref, { fileName: 'a.csv', content: Buffer.from('a\né') });
    assert.equal(answer.operation.status, 'pending');
    const bodies = server.requests.map(({ body }) => JSON.parse(body) as Record<string, string>);
    assert.ok(bodies[0]?.['operation_id']);
    assert.equal(bodies[0]['operation_id'], bodies[1]?.['operation_id']);
    assert.equal(Buffer.from(bodies[0]['file_content_base64'] ?? '', 'base64').toString(), 'a\né');
    const seen: string[] = [];
    for await (const { operation } of imports.watch('t1', 'x')) seen.push(operation.status);
    assert.deepEqual(seen, ['running', 'completed']);
    assert.equal(server.requests[2]?.path, '/api/public/v2/tables/t1/sheets/operations/x');
  });
});
