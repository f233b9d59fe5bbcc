/** kill -9 of worker processes that share a PostgreSQL. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../scripts/postgres.mjs';
import {
  ended,
  newFolder,
  RunningService,
  spawnService,
} from '../service/support/running-service.ts';
import type { Campaign } from './load.ts';
import { between, CountingProvider, PaidSheet, within } from './load.ts';

const ROWS = 150;

export const workers: Campaign = {
  name: 'kill -9 of workers (PostgreSQL)',
  async run(untilMs) {
    const postgres = await startPostgres();
    const provider = await CountingProvider.start(100);
    const folder = newFolder();
    const options = { databaseUrl: postgres.url, environment: provider.environment };
    const service = await RunningService.start({
      ...options,
      args: ['--port', '0', '--no-worker'],
    });
    const { api } = service;
    const startWorker = async (): Promise<ChildProcess> => {
      const child = spawnService(folder, { ...options, args: ['--worker'] });
      child.stderr?.resume();
      await once(child.stdout!, 'data');
      return child;
    };
    const crew = [await startWorker(), await startWorker()];
    let [killed, cells, twice, slowest] = [0, 0, 0, 0];
    try {
      for (let round = 0; Date.now() < untilMs; round += 1) {
        const sheet = await PaidSheet.create(api, `worker-${String(round)}`, ROWS);
        const operation = await sheet.start(api);
        for (let kill = 0; kill < 2; kill += 1) {
          await pause(between(50, 900));
          const index = Math.floor(Math.random() * crew.length);
          crew[index]?.kill('SIGKILL');
          if (crew[index]) await ended(crew[index]);
          killed += 1;
          crew[index] = await startWorker();
        }
        const took = await within(
          'the operation ends after the last kill',
          90_000,
          async () => (await sheet.pending(api, operation)) === 0,
        );
        slowest = Math.max(slowest, took);
        twice += await sheet.verify(api, provider);
        cells += ROWS * 2;
      }
    } finally {
      for (const worker of crew) worker.kill('SIGKILL');
      await Promise.all(crew.map(ended));
      await service.stop();
      await provider.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
    return [
      { metric: 'kills', value: killed, unit: '' },
      { metric: 'cells computed and compared', value: cells, unit: '' },
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
