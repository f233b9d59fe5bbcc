import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Client } from '../../../../src/core/client.ts';
import type { PromptTablesError } from '../../../../src/core/errors.ts';
import { isCancellation } from '../../../../src/core/errors.ts';
import { readRetryAfter, readRetryAfterMs, retryWaitMs } from '../../../../src/core/http/retry.ts';
import type { ClientOptions } from '../../../../src/core/options.ts';
import type { TestClient } from '../../../support/http/client.ts';
import { makeTestClient } from '../../../support/http/client.ts';
import type { Fault, ScriptedServer, Step } from '../../../support/http/scripted-server.ts';
import { startScriptedServer } from '../../../support/http/scripted-server.ts';

const table = { id: 't1', title: 'Words' };
const fine = { body: { success: true, table } };

describe('retries', () => {
  const servers: ScriptedServer[] = [];
  const clients: Client[] = [];

  async function start(
    steps: readonly Step[],
    options: ClientOptions = {},
  ): Promise<TestClient & { server: ScriptedServer }> {
    const server = await startScriptedServer(steps);
    servers.push(server);
    const made = makeTestClient({ baseURL: server.url, ...options });
    clients.push(made.client);
    return { ...made, server };
  }

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  it('gives up after four attempts with waits of 2, 4 and 8 seconds', async () => {
    const { client, clock, logger, server } = await start([
      { status: 500, body: { message: 'boom' } },
    ]);
    await assert.rejects(client.tables.get('t1'), (error: PromptTablesError) => {
      assert.equal(error.code, 'server');
      assert.equal(error.status, 500);
      assert.equal(error.attempts, 4);
      assert.equal(error.path, '/api/public/v2/tables/t1');
      assert.match(error.message, /GET \/api\/public\/v2\/tables\/t1 .*500: boom/);
      return true;
    });
    assert.equal(server.requests.length, 4);
    assert.deepEqual(clock.waits, [2_000, 4_000, 8_000]);
    const messages = logger.messages('info');
    assert.equal(messages.length, 3);
    assert.deepEqual(
      messages.map((message) => /Trying again in (\d+\.\d) seconds/.exec(message)?.[1]),
      ['2.0', '4.0', '8.0'],
    );
    assert.equal(clock.pending, 0, 'no deadline is left behind');
  });

  const faults: readonly Fault[] = ['drop', 'reset', 'half-body', 'reset-in-body', 'garbage'];
  for (const fault of faults) {
    it(`tries again after a "${fault}" and then succeeds`, async () => {
      const { client, clock, server } = await start([fault, fine]);
      assert.equal((await client.tables.get('t1')).title, 'Words');
      assert.equal(server.requests.length, 2);
      assert.deepEqual(clock.waits, [2_000]);
    });

    it(`reports a network error when every attempt ends in "${fault}"`, async () => {
      const { client, clock } = await start([fault]);
      await assert.rejects(client.tables.get('t1'), {
        name: 'NetworkError',
        code: 'network',
        attempts: 4,
      });
      assert.deepEqual(clock.waits, [2_000, 4_000, 8_000]);
    });
  }

  for (const status of [500, 501, 502, 503, 504, 599, 429]) {
    it(`tries again after ${status}`, async () => {
      const { client, server } = await start([
        { status, body: 'no' },
        { status, body: 'no' },
        fine,
      ]);
      await client.tables.get('t1');
      assert.equal(server.requests.length, 3);
    });
  }

  for (const status of [400, 401, 403, 404, 405, 409, 415, 422, 451]) {
    it(`fails at once on ${status}`, async () => {
      const { client, clock, logger, server } = await start([{ status, body: { message: 'no' } }]);
      await assert.rejects(
        client.tables.get('t1'),
        (error: PromptTablesError) => error.status === status,
      );
      assert.equal(server.requests.length, 1);
      assert.deepEqual(clock.waits, []);
      assert.deepEqual(logger.messages('info'), []);
    });
  }

  it('sends a POST again too, with the same body', async () => {
    const { client, server } = await start([
      'drop',
      { status: 201, body: { success: true, table } },
    ]);
    await client.tables.create({ title: 'Words' });
    assert.deepEqual(
      server.requests.map((request) => request.body),
      ['{"title":"Words"}', '{"title":"Words"}'],
    );
  });

  it('does not repeat a request that was answered with something unreadable', async () => {
    const { client, server } = await start([{ body: 'not json' }]);
    await assert.rejects(client.tables.get('t1'), { code: 'response_format' });
    assert.equal(server.requests.length, 1);
  });

  it('waits as long as Retry-After asks when that is longer, but never above 15 seconds', async () => {
    const busy = (seconds: string): Step => ({
      status: 429,
      headers: { 'retry-after': seconds },
      body: '',
    });
    const { client, clock, logger } = await start([busy('3'), busy('1'), busy('3600'), fine]);
    await client.tables.get('t1');
    assert.deepEqual(clock.waits, [3_000, 4_000, 15_000]);
    assert.match(logger.messages('info')[2] ?? '', /in 15\.0 seconds/);
  });

  it('respects Retry-After as a date, by its own clock', async () => {
    const date = new Date(Date.UTC(2026, 0, 1, 0, 0, 9)).toUTCString();
    const { client, clock } = await start([
      { status: 503, headers: { 'retry-after': date } },
      fine,
    ]);
    await client.tables.get('t1');
    assert.deepEqual(clock.waits, [9_000]);
  });

  it('times out a hanging request, ends it at the socket and tries again', async () => {
    const { client, clock, server } = await start(['hang', 'hang-in-body', fine], {
      timeoutMs: 20_000,
    });
    const answer = client.tables.get('t1');
    await server.reached(1);
    clock.pass(20_000);
    await server.reached(2);
    clock.pass(20_000);
    assert.equal((await answer).id, 't1');
    assert.deepEqual(clock.waits, [2_000, 4_000]);
    assert.equal(clock.pending, 0);
  });

  it('reports a timeout with its limit when all attempts hang', async () => {
    const { client, clock, server } = await start(['hang'], { timeoutMs: 20_000 });
    const failed = assert.rejects(client.tables.get('t1'), (error: PromptTablesError) => {
      assert.equal(error.code, 'timeout');
      assert.match(error.message, /within 20 seconds/);
      return true;
    });
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await server.reached(attempt);
      clock.pass(20_000);
    }
    await failed;
    await server.idle();
  });

  it('tries again when the name is unknown or the connection is refused', async () => {
    for (const baseURL of ['http://prompt-tables-test.invalid', 'http://127.0.0.1:1']) {
      const { client, clock, logger } = makeTestClient({ baseURL });
      clients.push(client);
      await assert.rejects(client.tables.get('t1'), (error: PromptTablesError) => {
        assert.equal(error.code, 'network');
        assert.match(error.message, /ENOTFOUND|EAI_AGAIN|ECONNREFUSED/);
        assert.ok(error.hint);
        return true;
      });
      assert.deepEqual(clock.waits, [2_000, 4_000, 8_000]);
      assert.equal(logger.messages('info').length, 3);
    }
  });

  it('ends a wait between attempts at once when the signal is aborted', async () => {
    const server = await startScriptedServer([{ status: 500 }]);
    servers.push(server);
    const abort = new AbortController();
    const reason = new Error('enough');
    const { client } = makeTestClient({
      baseURL: server.url,
      clock: {
        now: () => 0,
        schedule: (ms) => {
          if (ms === 2_000) setImmediate(() => abort.abort(reason));
          return () => undefined;
        },
      },
    });
    clients.push(client);
    await assert.rejects(
      client.tables.get('t1', { signal: abort.signal }),
      (error: PromptTablesError) => {
        assert.ok(isCancellation(error));
        assert.equal(error.cause, reason);
        assert.match(error.message, /tables\/t1 was canceled/);
        return true;
      },
    );
    assert.equal(server.requests.length, 1);
  });

  for (const fault of ['hang', 'hang-in-body'] as const) {
    it(`closes the socket when the signal is aborted during a "${fault}"`, async () => {
      const { client, server, clock } = await start([fault]);
      const abort = new AbortController();
      const failed = assert.rejects(client.tables.get('t1', { signal: abort.signal }), {
        code: 'cancelled',
      });
      await server.reached(1);
      abort.abort();
      await failed;
      await server.idle();
      assert.equal(clock.pending, 0);
    });
  }

  it('sends nothing when the signal is already aborted', async () => {
    const { client, server } = await start([fine]);
    await assert.rejects(client.tables.get('t1', { signal: AbortSignal.abort() }), {
      code: 'cancelled',
    });
    assert.equal(server.requests.length, 0);
  });

  it("tells a caller's own time limit from a wish to cancel, and does not retry it", async () => {
    const { client, server } = await start(['hang']);
    const limit = new AbortController();
    const failed = assert.rejects(client.tables.get('t1', { signal: limit.signal }), {
      code: 'timeout',
      retryable: false,
    });
    await server.reached(1);
    // As the signal of AbortSignal.timeout does.
    limit.abort(new DOMException('It has taken too long.', 'TimeoutError'));
    await failed;
    assert.equal(server.requests.length, 1);
  });

  it('ends what is under way as cancelled when the client is closed', async () => {
    const { client, server } = await start(['hang']);
    const failed = assert.rejects(client.tables.get('t1'), { code: 'cancelled' });
    await server.reached(1);
    await client.close();
    await failed;
    await assert.rejects(client.tables.get('t1'), { code: 'cancelled' });
  });
});

describe('retryWaitMs and readRetryAfter', () => {
  it('doubles and stops at the cap', () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((failures) => retryWaitMs(failures)),
      [2_000, 4_000, 8_000, 15_000],
    );
    assert.equal(retryWaitMs(1, 1e12), 15_000);
  });

  it('reads seconds and HTTP dates and nothing else', () => {
    const now = Date.UTC(2026, 0, 1);
    assert.equal(readRetryAfter('120', now), 120_000);
    assert.equal(readRetryAfter('1.5', now), 1_500);
    assert.equal(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now), 60_000);
    assert.equal(readRetryAfter('Thu, 01 Jan 2015 00:01:00 GMT', now), 0);
    for (const odd of ['', ' ', '-5', 'soon', 'Infinity', '2026-01-01', undefined]) {
      assert.equal(readRetryAfter(odd, now), undefined, String(odd));
    }
    assert.equal(readRetryAfterMs('250.5'), 250.5);
    for (const odd of ['', ' ', '-5', 'soon', 'Infinity', '1e9', '0x10', undefined]) {
      assert.equal(readRetryAfterMs(odd), undefined, String(odd));
    }
    // A number without end is none that one can wait for, or write down.
    const year = 366 * 86_400_000;
    for (const long of ['9'.repeat(400), '9'.repeat(12), 'Thu, 01 Jan 9999 00:00:00 GMT']) {
      assert.equal(readRetryAfter(long, now), year);
    }
    assert.equal(readRetryAfterMs('9'.repeat(400)), year);
  });
});
