/** The PostgreSQL server is ended at once and started again, under load. */
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../scripts/postgres.mjs';
import { RunningService } from '../service/support/running-service.ts';
import type { Campaign } from './load.ts';
import { between, CountingProvider, PaidSheet, within, Writer } from './load.ts';

const ROWS = 150;

export const database: Campaign = {
  name: 'PostgreSQL ended and started again',
  async run(untilMs) {
    const postgres = await startPostgres({ durable: true });
    const provider = await CountingProvider.start(100);
    const service = await RunningService.start({
      databaseUrl: postgres.url,
      environment: provider.environment,
    });
    const { api } = service;
    let [restarts, cells, twice, written, slowest] = [0, 0, 0, 0, 0];
    try {
      const writer = await Writer.create(api);
      for (let round = 0; Date.now() < untilMs; round += 1) {
        const sheet = await PaidSheet.create(api, `database-${String(round)}`, ROWS);
        const operation = await sheet.start(api);
        for (let restart = 0; restart < 2; restart += 1) {
          const end = Date.now() + between(50, 900);
          while (Date.now() < end) if (await writer.write(api)) written += 1;
          await postgres.restart(async () => {
            // Answered, not hung, while the database is away.
            await writer.write(api);
            await pause(between(0, 500));
          });
          restarts += 1;
          await within('the service is back', 30_000, async () => writer.write(api));
          await writer.verify(api);
        }
        const took = await within(
          'the operation ends after the last restart',
          90_000,
          async () => (await sheet.pending(api, operation)) === 0,
        );
        slowest = Math.max(slowest, took);
        twice += await sheet.verify(api, provider);
        cells += ROWS * 2;
      }
    } finally {
      await service.stop();
      await provider.close();
      await postgres.stop();
    }
    return [
      { metric: 'restarts', value: restarts, unit: '' },
      { metric: 'cells computed and compared', value: cells, unit: '' },
      { metric: 'acknowledged writes, none lost', value: written, unit: '' },
      {
        metric: 'paid calls made again, per restart',
        value: twice / restarts,
        unit: '',
        limit: 16,
      },
      { metric: 'longest way to the end after the last restart', value: slowest, unit: 'ms' },
    ];
  },
};
