/** kill -9 of the service, at random moments while it computes and is written to. */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { newFolder, RunningService } from '../service/support/running-service.ts';
import type { Campaign } from './load.ts';
import { between, CountingProvider, PaidSheet, within, Writer } from './load.ts';

const ROWS = 150;

export const kills: Campaign = {
  name: 'kill -9 of the service (SQLite)',
  async run(untilMs) {
    const provider = await CountingProvider.start(100);
    const folder = newFolder();
    const start = () => RunningService.start({ folder, environment: provider.environment });
    let service = await start();
    let [killed, cells, twice, written, slowest] = [0, 0, 0, 0, 0];
    try {
      const writer = await Writer.create(service.api);
      for (let round = 0; Date.now() < untilMs; round += 1) {
        const sheet = await PaidSheet.create(service.api, `kill-${String(round)}`, ROWS);
        const operation = await sheet.start(service.api);
        for (let kill = 0; kill < 3; kill += 1) {
          const end = Date.now() + between(30, 900);
          const { api } = service;
          const writing = (async () => {
            while (Date.now() < end + 50) {
              if (await writer.write(api)) written += 1;
              else await pause(5);
            }
          })();
          await pause(end - Date.now());
          await service.kill('SIGKILL');
          await writing;
          killed += 1;
          service = await start();
          await writer.verify(service.api);
        }
        const { api } = service;
        const took = await within(
          'the operation ends after the last kill',
          60_000,
          async () => (await sheet.pending(api, operation)) === 0,
        );
        slowest = Math.max(slowest, took);
        twice += await sheet.verify(api, provider);
        cells += ROWS * 2;
      }
    } finally {
      await service.kill('SIGKILL');
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    }
    return [
      { metric: 'kills', value: killed, unit: '' },
      { metric: 'cells computed and compared', value: cells, unit: '' },
      { metric: 'acknowledged writes, none lost', value: written, unit: '' },
      {
        metric: 'paid calls under way at a kill and made again, per kill',
        value: twice / killed,
        unit: '',
        limit: 16,
      },
      { metric: 'longest way to the end after the last kill', value: slowest, unit: 'ms' },
    ];
  },
};
