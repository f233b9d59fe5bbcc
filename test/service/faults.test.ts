import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { storeTrouble } from '../../src/service/http/store-trouble.ts';
import { CountingProvider, PaidSheet, within, Writer } from '../faults/load.ts';
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
        await within('some are done', 20_000, async () => {
          const left = await sheet.pending(service.api, operation);
          return left < ROWS;
        });
        const answered = await sheet.answered(service.api);
        assert.ok(await writer.write(service.api));
        await service.kill('SIGKILL');
        service = await start();
        await writer.verify(service.api);
        const ended = async () => (await sheet.pending(service.api, operation)) === 0;
        await within('the operation ends', 30_000, ended);
        await sheet.verify(service.api, provider);
        for (const word of answered) assert.equal(provider.timesAsked(word), 1, word);
      } finally {
        await service.kill('SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      }
    });

    it('says what befell the store', () => {
      const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
      const gone = new Error('Connection terminated unexpectedly');
      const broken = new Error('Client has encountered a connection error and is not queryable');
      const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      assert.equal(storeTrouble(new Error('Not saved', { cause: full }))?.code, 'storage_full');
      for (const error of [gone, broken]) {
        assert.equal(storeTrouble(error)?.code, 'database_unavailable');
      }
      assert.equal(storeTrouble(refused)?.status, 503);
      const ofSystem = 'could not write to file: No space left on device';
      assert.equal(storeTrouble(new Error(ofSystem))?.status, 507);
      for (const code of ['53300', '58030', '58P01'])
        assert.equal(storeTrouble(Object.assign(new Error('x'), { code }))?.status, 503);
      assert.equal(storeTrouble(new TypeError('x is undefined')), undefined);
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
        await within('writes are taken again', 20_000, () => writer.write(api));
        await writer.verify(api);
        await pause(50);
      }
    } finally {
      await client.end();
    }
    const ended = async () => (await sheet.pending(api, operation)) === 0;
    await within('the operation ends', 40_000, ended);
    await sheet.verify(api, provider);
  });
});
