import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { CountingProvider, PaidSheet, within, Writer } from '../faults/load.ts';
import { timeLimit } from '../support/time-limit.ts';
import { onEachBackend } from './support/backends.ts';
import { newFolder, RunningService } from './support/running-service.ts';

const ROWS = 40;

/** A moment of each campaign of `npm run faults`. */
onEachBackend('Work that is interrupted', (backend) => {
  let provider: CountingProvider;
  before(async () => {
    provider = await CountingProvider.start(40);
  });
  after(() => provider.close());

  if (backend.name === 'SQLite') {
    it('goes on after kill -9: nothing lost, nothing stuck, no answer that was kept paid twice', async function () {
      this.timeout(60_000);
      const folder = newFolder();
      const start = () => RunningService.start({ folder, environment: provider.environment });
      let service = await start();
      try {
        const writer = await Writer.create(service.api);
        const sheet = await PaidSheet.create(service.api, 'killed', ROWS);
        const operation = await sheet.start(service.api);
        await within('some are done', timeLimit(20_000), async () => {
          const left = await sheet.pending(service.api, operation);
          return left < ROWS;
        });
        const answered = await sheet.answered(service.api);
        assert.ok(await writer.write(service.api));
        await service.kill('SIGKILL');
        service = await start();
        await writer.verify(service.api);
        const ended = async () => (await sheet.pending(service.api, operation)) === 0;
        await within('the operation ends', timeLimit(30_000), ended);
        await sheet.verify(service.api, provider);
        for (const word of answered) assert.equal(provider.timesAsked(word), 1, word);
      } finally {
        await service.kill('SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      }
    });
    return;
  }

  it('goes on when the database has thrown everybody out', async function () {
    this.timeout(60_000);
    const { api } = await backend.start({ environment: provider.environment });
    const writer = await Writer.create(api);
    const sheet = await PaidSheet.create(api, 'thrown', ROWS);
    const operation = await sheet.start(api);
    const client = new pg.Client({ connectionString: backend.databaseUrl() });
    await client.connect();
    try {
      for (let count = 0; count < 3; count += 1) {
        await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        const answer = await api.call('GET', '/api/public/v2/tables');
        assert.ok([200, 503].includes(answer.status), answer.text);
        await within('writes are taken again', timeLimit(20_000), () => writer.write(api));
        await writer.verify(api);
        await pause(50);
      }
    } finally {
      await client.end();
    }
    const ended = async () => (await sheet.pending(api, operation)) === 0;
    await within('the operation ends', timeLimit(40_000), ended);
    await sheet.verify(api, provider);
  });
});
