/** The clock of the service jumps by a day and more, forth and back, while it computes. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { RunningService } from '../service/support/running-service.ts';
import type { Campaign } from './load.ts';
import { between, CountingProvider, PaidSheet, within, Writer } from './load.ts';

const ROWS = 150;
const clockFile = pathToFileURL(path.join(import.meta.dirname, 'jumping-clock.ts')).href;

export const clock: Campaign = {
  name: 'clock jumps of 24 to 50 hours',
  async run(untilMs) {
    const provider = await CountingProvider.start(100);
    const service = await RunningService.start({
      environment: { ...provider.environment, NODE_OPTIONS: `--import=${clockFile}` },
    });
    const { api } = service;
    let [jumps, cells, twice, slowest] = [0, 0, 0, 0];
    try {
      const writer = await Writer.create(api);
      for (let round = 0; Date.now() < untilMs; round += 1) {
        const sheet = await PaidSheet.create(api, `clock-${String(round)}`, ROWS);
        const operation = await sheet.start(api);
        for (let jump = 0; jump < 3; jump += 1) {
          await pause(between(30, 300));
          service.child.kill('SIGUSR2');
          jumps += 1;
          await writer.write(api);
        }
        const took = await within(
          'the operation ends',
          60_000,
          async () => (await sheet.pending(api, operation)) === 0,
        );
        slowest = Math.max(slowest, took);
        twice += await sheet.verify(api, provider);
        await writer.verify(api);
        cells += ROWS * 2;
      }
    } finally {
      await service.stop();
      await provider.close();
    }
    return [
      { metric: 'jumps', value: jumps, unit: '' },
      { metric: 'cells computed and compared', value: cells, unit: '' },
      { metric: 'paid calls made again', value: twice, unit: '', limit: 0 },
      { metric: 'longest way to the end after the last jump', value: slowest, unit: 'ms' },
    ];
  },
};
