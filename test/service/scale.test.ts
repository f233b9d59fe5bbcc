import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { request } from 'undici';
import { timeLimit } from '../support/time-limit.ts';
import type { Api, SheetPlace } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { ended, newFolder, spawnService } from './support/running-service.ts';
import { until } from '../support/until.ts';

const busy = 'const end = Date.now() + 25; while (Date.now() < end); return data.a;';

/** Milliseconds until it is so. */
async function timeUntil(what: string, holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  await until(what, holds);
  return performance.now() - began;
}

interface Order {
  readonly place: SheetPlace;
  readonly operation: string;
}

async function sheetWith(api: Api, rowCount: number, column: object): Promise<SheetPlace> {
  const place = await api.sheetOf(`a\n${'text\n'.repeat(rowCount)}`);
  await api.expect(201, 'POST', `${place.path}/columns`, { title: 'Computed', ...column });
  return place;
}

async function start(api: Api, place: SheetPlace): Promise<Order> {
  const started = await api.expect(202, 'POST', `${place.path}/operations`, {});
  return { place, operation: started.operation_id };
}

const pending = async (api: Api, { place, operation }: Order): Promise<number> =>
  (await api.get(`${place.path}/operations/${operation}`)).operation.pending_count;

onEachBackend('A worker process among others', (backend) => {
  // A folder has one process: there is nothing to share.
  if (backend.name === 'SQLite') return;

  let api: Api;
  let worker: ChildProcess;
  let metricsUrl = '';
  const folder = newFolder();

  before(async function () {
    this.timeout(60_000);
    ({ api } = await backend.start({ args: ['--port', '0', '--no-worker'] }));
    worker = spawnService(folder, {
      args: ['--worker', '--metrics-port', '0'],
      databaseUrl: backend.databaseUrl(),
    });
    const [line] = (await once(worker.stdout!, 'data')) as [Buffer];
    ({ metricsUrl } = JSON.parse(line.toString()) as { metricsUrl: string });
  });
  after(async () => {
    worker.kill('SIGTERM');
    await ended(worker);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Ends the connections by which processes hear of work; answers how many there were. */
  const listeners = async (action: 'count(*)' | 'count(pg_terminate_backend(pid))') => {
    const client = new pg.Client({ connectionString: backend.databaseUrl() });
    await client.connect();
    const { rows } = await client.query<{ count: string }>(
      `select ${action} as count from pg_stat_activity
       where datname = current_database() and query ilike 'listen %' and pid <> pg_backend_pid()`,
    );
    await client.end();
    return Number(rows[0]!.count);
  };
  const lostClaims = async (): Promise<number> => {
    const text = await (await request(`${metricsUrl}/metrics`)).body.text();
    // One line for each thread of the process.
    const counts = [...text.matchAll(/^prompt_tables_lost_claims_total\S* (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const small = { type: 'COUNT', config: { source: 'a', type: 'chars' } };
  const slow = { type: 'CODE_EXECUTION', config: { code: busy } };

  it('is woken by a notice, not by its polling', async function () {
    this.timeout(30_000);
    assert.ok((await listeners('count(*)')) > 0);
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const order = await start(api, await sheetWith(api, 1, small));
      times.push(await timeUntil('it is done', async () => (await pending(api, order)) === 0));
    }
    const median = times.sort((a, b) => a - b)[2]!;
    assert.ok(
      median < timeLimit(500),
      `polling takes 2 s; it took ${times.map(Math.round).join(', ')} ms`,
    );
  });

  it('finds work by itself when its listener is lost, and listens again', async function () {
    this.timeout(30_000);
    const place = await sheetWith(api, 1, small);
    const ended = await listeners('count(pg_terminate_backend(pid))');
    assert.ok(ended > 0);
    const order = await start(api, place);
    await until('it is done', async () => (await pending(api, order)) === 0);
    await until('it listens', async () => (await listeners('count(*)')) >= ended);
  });

  it('gives a small sheet its turn beside many long ones, and drops what is cancelled within 2 s', async function () {
    this.timeout(90_000);
    const long: Order[] = [];
    for (let number = 0; number < 8; number += 1) {
      long.push(await start(api, await sheetWith(api, 900, slow)));
    }
    const order = await start(api, await sheetWith(api, 10, small));
    const took = await timeUntil(
      'the small sheet is done',
      async () => (await pending(api, order)) === 0,
    );
    for (const one of long) assert.ok((await pending(api, one)) > 300, `${String(took)} ms`);

    // As on a host that hears no notices.
    await listeners('count(pg_terminate_backend(pid))');
    const before = await lostClaims();
    const began = performance.now();
    for (const { place, operation } of long) {
      await api.expect(200, 'DELETE', `${place.path}/operations/${operation}`);
    }
    const cancelled = performance.now();
    await until('the claims are dropped', async () => (await lostClaims()) > before);
    assert.ok(performance.now() - cancelled < timeLimit(1000));
    assert.ok(performance.now() - began < timeLimit(5000));
    for (const one of long) assert.equal(await pending(api, one), 0);
  });
});
